import { type CellProblem, describeCellProblem, readCell } from '../../../shared/cells/read-cell.ts';
import { isObject } from '../../json-editor/is-object.ts';
import { parseExactly } from '../../json-editor/parse-data.ts';
import type { Column } from '../file/inspect-file.ts';
import type { SourceRow } from '../file/source-row.ts';
import { formatPath, readAt, removeAt, writeAt } from '../path.ts';
import type { RowPlan, Write } from './row-plan.ts';

/** A cell that has no value, or two, for its tag. */
export interface BadCell {
  /** Counted from 0; undefined if all rows share the value. */
  readonly column: number | undefined;
  /** The name of the column, or of the field if all rows share its value. */
  readonly name: string;
  readonly value: string;
  readonly problem: CellProblem;
  readonly write: Pick<Write, 'type' | 'format'>;
}

/** A row as an element of a batch request. */
export interface BuiltRow {
  /** Undefined if the row is not valid data. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly badCells: readonly BadCell[];
  /** The JSON of the element. A row that is not valid has its error there, so that the others keep their numbers. */
  readonly text: string;
}

/**
 * Builds the element of one row.
 *
 * @param number the row, counted from 1
 */
export function buildRow(plan: RowPlan, row: SourceRow, number: number): BuiltRow {
  if (plan.file.format.kind === 'csv') return buildCsvRow(plan, row, number);
  const { file, isUnchanged } = plan;
  const value = isUnchanged ? parseJson(row.text) : parseRow(row.text);
  const data = file.areItems ? readAt(value, ['data']) : value;
  if (!isObject(data)) return invalidRow('The row is not a JSON object');
  if (isUnchanged) return { data, badCells: [], text: file.areItems ? row.text : `{"data":${row.text}}` };
  const badCells = writeFields(plan, data);
  if (badCells.length > 0) return invalidRow(badCells.map(describeBadCell).join('; '), badCells);
  return { data, badCells: [], text: JSON.stringify(file.areItems ? value : { data }) };
}

/** The longest error that the service accepts. */
const longestError = 500;
const longestValue = 60;

function invalidRow(error: string, badCells: readonly BadCell[] = []): BuiltRow {
  const shown =
    error.length > longestError ? `${error.slice(0, longestError - 1).toWellFormed()}…` : error.toWellFormed();
  return { data: undefined, badCells, text: JSON.stringify({ data: {}, error: shown }) };
}

/** “Bestanden: “vielleicht” is neither yes nor no”. */
export function describeBadCell({ name, value, problem }: BadCell): string {
  const shown = value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
  return `${name}: “${shown}” ${describeCellProblem(problem)}`;
}

function buildCsvRow({ file: { columns }, writes, corrections }: RowPlan, row: SourceRow, number: number): BuiltRow {
  const fields = row.fields ?? [];
  if (fields.length !== columns.length)
    return invalidRow(`The row has ${fields.length} values for ${columns.length} columns`);
  const corrected = corrections.get(number);
  const textOf = ({ source }: Write) =>
    source.kind === 'text' ? source.text : (corrected?.get(source.column) ?? fields[source.column] ?? '');
  const data: Record<string, unknown> = {};
  for (const write of writes) writeAt(data, write.path, textOf(write));
  for (const key of Object.keys(data)) trimLists(data[key]);
  const badCells: BadCell[] = [];
  for (const write of writes) {
    const { path, type, format } = write;
    const value = textOf(write);
    const reading = readCell(value, type, format);
    if ('problem' in reading) badCells.push(toBadCell(columns, write, value, reading.problem));
    // Runs last: an empty cell of a yes-or-no column is false, but must not create a list element.
    else if (reading.value !== value && readAt(data, path) !== undefined) writeAt(data, path, reading.value);
  }
  if (badCells.length > 0) return invalidRow(badCells.map(describeBadCell).join('; '), badCells);
  return { data, badCells, text: JSON.stringify({ data }) };
}

function toBadCell(
  columns: readonly Column[],
  { path, source, type, format }: Write,
  value: string,
  problem: CellProblem,
): BadCell {
  const column = source.kind === 'column' ? source.column : undefined;
  const name = (column === undefined ? undefined : columns[column]?.name) || formatPath(path);
  return { column, name, value: value.trim(), problem, write: { type, format } };
}

/**
 * Moves the values of a JSON row to the fields that the user chose. Strings stay strings, because JSON values have
 * types.
 */
function writeFields({ file, writes, removals }: RowPlan, data: Record<string, unknown>): readonly BadCell[] {
  const before = structuredCloneOf(data);
  const badCells: BadCell[] = [];
  for (const write of writes) {
    const { path, source, type, format } = write;
    if (source.kind === 'column') {
      const found = readAt(before, file.columns[source.column]?.path ?? []);
      if (found !== undefined) writeAt(data, path, found);
      continue;
    }
    const reading = readCell(source.text, type, format);
    if ('value' in reading) writeAt(data, path, reading.value);
    else badCells.push(toBadCell(file.columns, write, source.text, reading.problem));
  }
  for (const path of removals) removeAt(data, path);
  return badCells;
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
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
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
