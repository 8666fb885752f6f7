import { type CellType, cellTypeAt } from '../../../shared/cells/cell-type.ts';
import type { DetectedFormat } from '../../../shared/cells/detect-format.ts';
import type { CellFormat } from '../../../shared/cells/read-cell.ts';
import type { Column, InspectedFile } from '../file/inspect-file.ts';
import { formatPath, keyOf, type Path } from '../path.ts';
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
  readonly corrections: Corrections;
}

/** Cells that the user wrote anew, by row, counted from 1, and by column, counted from 0. */
export type Corrections = ReadonlyMap<number, ReadonlyMap<number, string>>;

export interface Write {
  readonly path: Path;
  readonly source: Exclude<FieldSource, { readonly kind: 'parts' }>;
  readonly type: TemplateField['type'];
  readonly format: CellFormat | undefined;
}

const noCorrections: Corrections = new Map();

/**
 * Plans how the rows of a file fill the fields of a template. A column that no field uses is sent under its own name,
 * where a file name or an address can use it, unless the name is not a valid path or belongs to a field.
 */
export function planRows(
  file: RowPlan['file'],
  schema: unknown,
  fields: readonly TemplateField[],
  mapping: Mapping,
  corrections: Corrections = noCorrections,
): RowPlan {
  const writes: Write[] = [];
  const removals: Path[] = [];
  const taken = createPathSet();
  const own = new Set(file.columns.map(({ path }) => keyOf(path ?? [])));
  for (const { key, path, type } of fields) {
    const source = mapping.get(key);
    if (source?.kind === 'parts') continue;
    taken.add(path);
    if (source !== undefined) writes.push({ path, source, type, format: readFormat(file, source, type).format });
    else if (own.has(key)) removals.push(path);
  }
  if (file.format.kind !== 'csv') {
    const isSame = ({ path, source }: Write) =>
      source.kind === 'column' && keyOf(file.columns[source.column]?.path ?? []) === keyOf(path);
    const isUnchanged = removals.length === 0 && writes.every(isSame);
    return { file, writes, removals, isUnchanged, corrections: noCorrections };
  }
  const used = new Set(writes.flatMap(({ source }) => (source.kind === 'column' ? [source.column] : [])));
  for (const [column, { path, detect }] of file.columns.entries()) {
    if (used.has(column) || path === undefined || taken.collides(path)) continue;
    const type = cellTypeAt(schema, path);
    writes.push({ path, source: { kind: 'column', column }, type, format: detect(type).format });
    taken.add(path);
  }
  return { file, writes, removals: [], isUnchanged: false, corrections };
}

/** The format of a column: the user's choice, or else the one that its cells imply. */
export function readFormat(
  { columns }: Pick<RowPlan['file'], 'columns'>,
  source: FieldSource,
  type: CellType,
): DetectedFormat {
  const none = { format: undefined, isUnclear: false };
  if (source.kind !== 'column') return none;
  return source.format === undefined
    ? (columns[source.column]?.detect(type) ?? none)
    : { ...none, format: source.format };
}

/** The columns whose cells have two meanings until the user says how they are written. */
export function unclearColumns({ file, writes }: RowPlan): readonly string[] {
  const unclear = writes.filter(({ source, type }) => readFormat(file, source, type).isUnclear);
  return [
    ...new Set(
      unclear.map(
        ({ source, path }) => (source.kind === 'column' && file.columns[source.column]?.name) || formatPath(path),
      ),
    ),
  ];
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
