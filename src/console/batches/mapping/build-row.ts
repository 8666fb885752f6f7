import { isObject } from '../../json-editor/is-object.ts';
import { parseExactly } from '../../json-editor/parse-data.ts';
import type { Column, InspectedFile } from '../file/inspect-file.ts';
import type { SourceRow } from '../file/source-row.ts';
import { keyOf, type Path, readAt, removeAt, writeAt } from '../path.ts';
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

interface Write {
  readonly path: Path;
  readonly source: Exclude<FieldSource, { readonly kind: 'parts' }>;
  readonly type: TemplateField['type'];
}

/**
 * Plans the rows of a file for the fields of a template. A column that no field takes is sent below its own name, where a file name
 * or an address can use it, unless the name is no path or belongs to a field.
 */
export function planRows(file: RowPlan['file'], fields: readonly TemplateField[], mapping: Mapping): RowPlan {
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
    writes.push({ path, source: { kind: 'column', column }, type: 'any' });
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
  const item = buildItem(plan, row);
  return isObject(item) && isObject(item.data) ? item.data : undefined;
}

/**
 * A row as an element of `items` in JSON. A row that is no data becomes an element that the service refuses alone, so that the rows
 * of the batch are counted as those of the file.
 */
export function buildItemText(plan: RowPlan, row: SourceRow): string {
  if (plan.isUnchanged && isJsonObject(row.text)) return plan.file.areItems ? row.text : `{"data":${row.text}}`;
  return JSON.stringify(buildItem(plan, row));
}

function buildItem({ file, writes, removals, isUnchanged }: RowPlan, row: SourceRow): unknown {
  if (file.format.kind === 'csv') {
    const fields = row.fields ?? [];
    if (fields.length !== file.columns.length)
      return { data: `${fields.length} values for ${file.columns.length} columns` };
    return { data: buildCsvData(writes, fields) };
  }
  const value = parseRow(row.text);
  const data = file.areItems ? readAt(value, ['data']) : value;
  if (!isObject(data)) return { data: row.text.slice(0, 1_000) };
  if (!isUnchanged) {
    const before = structuredCloneOf(data);
    for (const { path, source } of writes) {
      const found = source.kind === 'text' ? source.text : readAt(before, file.columns[source.column]?.path ?? []);
      if (found !== undefined) writeAt(data, path, found);
    }
    for (const path of removals) removeAt(data, path);
  }
  return file.areItems ? value : { data };
}

function buildCsvData(writes: readonly Write[], fields: readonly string[]): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const { path, source, type } of writes) {
    const text = source.kind === 'text' ? source.text : (fields[source.column] ?? '');
    writeAt(data, path, toValue(text, type));
  }
  for (const key of Object.keys(data)) trimLists(data[key]);
  return data;
}

const longestNumeral = 15;

/** A number or a boolean where the template takes one and the text is how JSON writes it; otherwise the text: `1.000` may be a thousand. */
function toValue(text: string, type: TemplateField['type']): unknown {
  if (type === 'number' && text.length <= longestNumeral && String(Number(text)) === text && text !== 'NaN')
    return Number(text);
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
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
