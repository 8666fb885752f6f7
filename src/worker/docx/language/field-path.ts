import { hasOwn } from '../../../shared/json.ts';
import { own } from './parse-path.ts';
import { RepeatedList } from './repeated-list.ts';
import { type Expression, joinPath, type Scope } from './scope.ts';
import { anyIndex } from './use.ts';

/** A name as Word's mail merge compares it: without its case, spaces and underscores. */
export function foldName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\s_]+/g, '')
    .toLowerCase();
}

/** Marks a folded name among the keys that a template reads. No key of the data can be mistaken for it. */
export function foldedKey(name: string): string {
  return `\u0000${foldName(name)}`;
}

/** Separates the names of a field that may have any of several names; the first is the one that authors see. */
const otherName = '|';

/**
 * The value of a merge field, `$field["First Name"]` or `$field["First Name|Given Name"]`. It is looked up level by
 * level like any other name. In each level the exact key comes first, then one that differs only in case, spaces and
 * underscores, then a dotted path.
 */
export function fieldPath(written: string): Expression {
  const names = written.split(otherName);
  const [name = ''] = names;
  const ownPath = pathOf(name) ?? [name];
  const find = (value: unknown): readonly string[] | undefined => {
    for (const one of names) {
      const key = keyOf(value, one);
      if (key !== undefined) return [key];
      const path = pathOf(one);
      const keys = path === undefined ? undefined : follow(value, path);
      if (keys !== undefined) return keys;
    }
    return undefined;
  };
  const search = (scope: Scope): { readonly level: Scope; readonly keys: readonly string[] } | undefined => {
    for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
      const keys = find(level.value);
      if (keys !== undefined) return { level, keys };
    }
    return undefined;
  };
  return {
    evaluate: (scope) => {
      const found = search(scope);
      return found?.keys.reduce(own, found.level.value);
    },
    locate: (scope) => {
      const { level, keys } = search(scope) ?? { level: scope, keys: ownPath };
      return keys.reduce(joinPath, level.path);
    },
    uses: (kind) => [{ segments: ownPath, kind, folded: names }],
  };
}

/**
 * `$rows["Item|Price"]`: what repeats a table row with these merge fields. It is the first list of objects that has the
 * name of one of them, and otherwise `true`, which prints the row once.
 */
export function rowsPath(names: string): Expression {
  const paths = names.split(otherName).map(fieldPath);
  const find = (scope: Scope) => paths.find((path) => isListOfObjects(path.evaluate(scope)));
  return {
    evaluate: (scope) => find(scope)?.evaluate(scope) ?? true,
    locate: (scope) => find(scope)?.locate(scope) ?? scope.path,
    uses: () => [],
  };
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}

const recordList = fieldPath('records');

/** The records of a mail merge that prints several in one document, and the one that its fields read now. */
export function recordsIn(scope: Scope): { readonly all: readonly unknown[]; readonly path: string } | undefined {
  const all = recordList.evaluate(scope);
  return Array.isArray(all) ? { all, path: recordList.locate(scope) } : undefined;
}

/**
 * `$record["First Name"]`: a merge field in a document with NEXT, NEXTIF or SKIPIF. It is looked up in the current item
 * of the list `records`, then around it like any merge field. After the last record it prints nothing.
 */
export function recordPath(name: string): Expression {
  const field = fieldPath(name);
  const find = (scope: Scope): Scope | undefined => {
    const records = recordsIn(scope);
    const { record } = scope.context;
    if (records === undefined) return record === 0 ? scope : undefined;
    if (record >= records.all.length) return undefined;
    const position = { index: record, count: records.all.length, list: new RepeatedList(records.all) };
    return scope.enter(records.all[record], recordList, position);
  };
  return {
    evaluate: (scope) => {
      const level = find(scope);
      return level === undefined ? null : field.evaluate(level);
    },
    locate: (scope) => field.locate(find(scope) ?? scope),
    uses: (kind) =>
      field
        .uses(kind)
        .map((use) => ({ ...use, segments: ['records', anyIndex, ...use.segments], folded: ['records'] })),
  };
}

/** The keys of a dotted name; undefined for any other name. */
function pathOf(name: string): readonly string[] | undefined {
  const segments = name.split('.').map((segment) => segment.trim());
  return segments.length > 1 && segments.every((segment) => segment !== '') ? segments : undefined;
}

function follow(value: unknown, segments: readonly string[]): readonly string[] | undefined {
  const keys: string[] = [];
  let here = value;
  for (const segment of segments) {
    const key = keyOf(here, segment);
    if (key === undefined) return undefined;
    keys.push(key);
    here = own(here, key);
  }
  return keys;
}

const foldedKeys = new WeakMap<object, ReadonlyMap<string, string>>();

function keyOf(value: unknown, name: string): string | undefined {
  if (own(value, name) !== undefined) return name;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const known = foldedKeys.get(value) ?? foldKeys(value);
  return known.get(foldName(name));
}

function foldKeys(value: object): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const key of Object.keys(value)) {
    const folded = foldName(key);
    if (hasOwn(value, key) && !keys.has(folded)) keys.set(folded, key);
  }
  foldedKeys.set(value, keys);
  return keys;
}
