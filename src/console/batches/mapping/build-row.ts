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
  /** What is written, in order. */
  readonly writes: readonly Write[];
  /** Values of a JSON file that a person decided not to send. */
  readonly removals: readonly Path[];
  /** Rows of JSON are sent as written, digit by digit. */
  readonly isUnchanged: boolean;
}

/** A cell that is neither yes nor no, where the template takes nothing else. */
export interface UnclearCell {
  /** Name of the column, or of the field when its value is the same in all rows. */
  readonly column: string;
  readonly value: string;
}

interface Write {
  readonly path: Path;
  readonly source: Exclude<FieldSource, { readonly kind: 'parts' }>;
  readonly type: TemplateField['type'];
}

/**
 * Plans the rows of a file for the fields of a template. A column that no field takes is sent below its own name, where a file name
 * or an address can use it, unless the name is no path or belongs to a field.
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

/** Columns whose values are in no field and nowhere else in the data. */
export function leftOut({ file, writes }: RowPlan): readonly Column[] {
  if (file.format.kind !== 'csv') return [];
  const used = new Set(writes.flatMap(({ source }) => (source.kind === 'column' ? [source.column] : [])));
  return file.columns.filter((_, index) => !used.has(index));
}

/** Paths of which none is another one or above it. */
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

/** The data of a row; undefined when the row is no data. */
export function buildData(plan: RowPlan, row: SourceRow): Record<string, unknown> | undefined {
  const { item } = buildItem(plan, row);
  return isObject(item) && isObject(item.data) ? item.data : undefined;
}

/** The first cell of a row that keeps it from being data. */
export function findUnclearCell(plan: RowPlan, row: SourceRow): UnclearCell | undefined {
  return buildItem(plan, row).unclear;
}

/**
 * A row as an element of `items` in JSON. A row that is no data becomes an element that the service refuses alone, so that the rows
 * of the batch are counted as those of the file.
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
      // Strings of the file are as they are, as in a request: JSON has true and false.
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
    // Only now: an empty cell is a no, but not an element of a list.
    if (readAt(data, path) !== undefined) writeAt(data, path, answer);
  }
  return { item: { data } };
}

/** The value that a person gave all rows; a field of yes or no offers only these. */
function ofAllRows(text: string, type: TemplateField['type']): unknown {
  return type === 'boolean' ? readYesOrNo(text) : text;
}

const longestNumeral = 15;

/** A number where the template takes one and the text is how JSON writes it; otherwise the text: `1.000` may be a thousand. */
function toNumber(text: string): number | string {
  return text.length <= longestNumeral && String(Number(text)) === text && text !== 'NaN' ? Number(text) : text;
}

/** Elements at the end of a list that have no value are left out: rows may have lists of different lengths. */
function trimLists(value: unknown): boolean {
  if (Array.isArray(value)) {
    const areEmpty = value.map(trimLists);
    while (value.length > 0 && areEmpty[value.length - 1] === true) value.pop();
    return value.length === 0;
  }
  if (isObject(value)) return Object.values(value).map(trimLists).every(Boolean);
  return value === '';
}

/** Without keeping digits, which takes several times as long. */
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

/** Objects and lists anew; raw numbers stay as they are. */
function structuredCloneOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCloneOf);
  if (!isObject(value) || Object.isFrozen(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, structuredCloneOf(child)]));
}
