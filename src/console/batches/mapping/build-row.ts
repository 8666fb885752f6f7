import { readYesOrNo } from '../../../shared/cells/read-yes-or-no.ts';
import { takesYesOrNo } from '../../../shared/cells/takes-yes-or-no.ts';
import { isObject } from '../../json-editor/is-object.ts';
import { parseExactly } from '../../json-editor/parse-data.ts';
import type { Column, InspectedFile } from '../file/inspect-file.ts';
import type { SourceRow } from '../file/source-row.ts';
import { formatPath, keyOf, type Path, readAt, removeAt, writeAt } from '../path.ts';
import type { FieldSource, Mapping } from './match-columns.ts';
import type { TemplateField } from './template-fields.ts';

/** How rows become data. */
export interface RowPlan {
  readonly file: Pick<InspectedFile, 'format' | 'columns' | 'areItems'>;
  /** The values to write, in order. */
  readonly writes: readonly Write[];
  /** Values of a JSON file that the user chose not to send. */
  readonly removals: readonly Path[];
  /** Whether JSON rows are sent exactly as written, including the digits of numbers. */
  readonly isUnchanged: boolean;
}

/** A cell that is neither yes nor no, for a tag that accepts nothing else. */
export interface UnclearCell {
  /** The name of the column, or of the field if all rows share its value. */
  readonly column: string;
  readonly value: string;
}

interface Write {
  readonly path: Path;
  readonly source: Exclude<FieldSource, { readonly kind: 'parts' }>;
  readonly type: TemplateField['type'];
}

/**
 * Plans how the rows of a file fill the fields of a template. A column that no field uses is sent under its own name,
 * where a file name or an address can use it, unless the name is not a valid path or belongs to a field.
 */
export function planRows(
  file: RowPlan['file'],
  schema: unknown,
  fields: readonly TemplateField[],
  mapping: Mapping,
): RowPlan {
  const writes: Write[] = [];
  const removals: Path[] = [];
  const taken = createPathSet();
  const own = new Set(file.columns.map(({ path }) => keyOf(path ?? [])));
  for (const { key, path, type } of fields) {
    const source = mapping.get(key);
    if (source?.kind === 'parts') continue;
    taken.add(path);
    if (source !== undefined) writes.push({ path, source, type });
    else if (own.has(key)) removals.push(path);
  }
  if (file.format.kind !== 'csv') {
    const isSame = ({ path, source }: Write) =>
      source.kind === 'column' && keyOf(file.columns[source.column]?.path ?? []) === keyOf(path);
    return { file, writes, removals, isUnchanged: removals.length === 0 && writes.every(isSame) };
  }
  const used = new Set(writes.flatMap(({ source }) => (source.kind === 'column' ? [source.column] : [])));
  for (const [column, { path }] of file.columns.entries()) {
    if (used.has(column) || path === undefined || taken.collides(path)) continue;
    writes.push({ path, source: { kind: 'column', column }, type: takesYesOrNo(schema, path) ? 'boolean' : 'any' });
    taken.add(path);
  }
  return { file, writes, removals: [], isUnchanged: false };
}

/** Columns whose values are neither in a field nor elsewhere in the data. */
export function leftOut({ file, writes }: RowPlan): readonly Column[] {
  if (file.format.kind !== 'csv') return [];
  const used = new Set(writes.flatMap(({ source }) => (source.kind === 'column' ? [source.column] : [])));
  return file.columns.filter((_, index) => !used.has(index));
}

/** A set of paths in which no path equals or contains another. */
function createPathSet() {
  const whole = new Set<string>();
  const above = new Map<string, 'list' | 'object'>();
  const kindOf = (next: string | number | undefined) => (typeof next === 'number' ? 'list' : 'object');
  return {
    add(path: Path): void {
      whole.add(keyOf(path));
      for (let depth = 1; depth < path.length; depth++) above.set(keyOf(path.slice(0, depth)), kindOf(path[depth]));
    },
    collides(path: Path): boolean {
      if (whole.has(keyOf(path)) || above.has(keyOf(path))) return true;
      for (let depth = 1; depth < path.length; depth++) {
        const key = keyOf(path.slice(0, depth));
        if (whole.has(key)) return true;
        const kind = above.get(key);
        if (kind !== undefined && kind !== kindOf(path[depth])) return true;
      }
      return false;
    },
  };
}

/** The data of a row; undefined if the row is not valid data. */
export function buildData(plan: RowPlan, row: SourceRow): Record<string, unknown> | undefined {
  const { item } = buildItem(plan, row);
  return isObject(item) && isObject(item.data) ? item.data : undefined;
}

/** The first cell of a row that cannot be read as yes or no. */
export function findUnclearCell(plan: RowPlan, row: SourceRow): UnclearCell | undefined {
  return buildItem(plan, row).unclear;
}

/**
 * Writes a row as a JSON element of `items`. A row that is not valid data becomes an element that the service refuses,
 * so that the rows of the batch keep the numbers of the file.
 */
export function buildItemText(
  plan: RowPlan,
  row: SourceRow,
): { readonly text: string; readonly unclear?: UnclearCell | undefined } {
  if (plan.isUnchanged && isJsonObject(row.text))
    return { text: plan.file.areItems ? row.text : `{"data":${row.text}}` };
  const { item, unclear } = buildItem(plan, row);
  return { text: JSON.stringify(item), unclear };
}

interface Built {
  readonly item: unknown;
  readonly unclear?: UnclearCell;
}

function buildItem({ file, writes, removals, isUnchanged }: RowPlan, row: SourceRow): Built {
  if (file.format.kind === 'csv') {
    const fields = row.fields ?? [];
    if (fields.length !== file.columns.length)
      return { item: { data: `${fields.length} values for ${file.columns.length} columns` } };
    return buildCsvItem(file, writes, fields);
  }
  const value = parseRow(row.text);
  const data = file.areItems ? readAt(value, ['data']) : value;
  if (!isObject(data)) return { item: { data: row.text.slice(0, 1_000) } };
  if (!isUnchanged) {
    const before = structuredCloneOf(data);
    for (const { path, source, type } of writes) {
      // Strings from JSON files are sent unchanged, because JSON has its own true and false.
      const found =
        source.kind === 'text' ? ofAllRows(source.text, type) : readAt(before, file.columns[source.column]?.path ?? []);
      if (found !== undefined) writeAt(data, path, found);
    }
    for (const path of removals) removeAt(data, path);
  }
  return { item: file.areItems ? value : { data } };
}

function buildCsvItem({ columns }: RowPlan['file'], writes: readonly Write[], fields: readonly string[]): Built {
  const textOf = ({ source }: Write) => (source.kind === 'text' ? source.text : (fields[source.column] ?? ''));
  const data: Record<string, unknown> = {};
  for (const write of writes) {
    const text = textOf(write);
    writeAt(data, write.path, write.type === 'number' ? toNumber(text) : text);
  }
  for (const key of Object.keys(data)) trimLists(data[key]);
  for (const write of writes) {
    if (write.type !== 'boolean') continue;
    const { path, source } = write;
    const answer = readYesOrNo(textOf(write));
    if (answer === undefined) {
      const column = source.kind === 'column' ? columns[source.column]?.name : undefined;
      const unclear = { column: column || formatPath(path), value: textOf(write).trim() };
      return { item: { data: `${unclear.column} is neither yes nor no` }, unclear };
    }
    // Runs last: an empty cell means no, but does not create a list element.
    if (readAt(data, path) !== undefined) writeAt(data, path, answer);
  }
  return { item: { data } };
}

/** The value that the user set for all rows; a yes/no field offers only these two values. */
function ofAllRows(text: string, type: TemplateField['type']): unknown {
  return type === 'boolean' ? readYesOrNo(text) : text;
}

const longestNumeral = 15;

/**
 * Converts to a number if the template expects one and the text is a JSON number; otherwise keeps the text, because
 * `1.000` may mean a thousand.
 */
function toNumber(text: string): number | string {
  return text.length <= longestNumeral && String(Number(text)) === text && text !== 'NaN' ? Number(text) : text;
}

/** Drops empty elements at the end of a list, because rows may have lists of different lengths. */
function trimLists(value: unknown): boolean {
  if (Array.isArray(value)) {
    const areEmpty = value.map(trimLists);
    while (value.length > 0 && areEmpty[value.length - 1] === true) value.pop();
    return value.length === 0;
  }
  if (isObject(value)) return Object.values(value).map(trimLists).every(Boolean);
  return value === '';
}

/** Ignores the digits of numbers; preserving them takes several times as long. */
function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function parseRow(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** Copies objects and lists; raw numbers are kept. */
function structuredCloneOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCloneOf);
  if (!isObject(value) || Object.isFrozen(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, structuredCloneOf(child)]));
}
