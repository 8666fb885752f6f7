import type { CellType } from '../../../shared/cells/cell-type.ts';
import {
  type CellFormat,
  type CellProblem,
  type CellValue,
  describeCellProblem,
  formatsOf,
  readCell,
} from '../../../shared/cells/read-cell.ts';
import type { ErrorRecord } from '../../../shared/errors.ts';
import { storableText } from '../../../shared/storable-text.ts';
import { badRow } from './source-row.ts';

/** A column of a CSV whose cells are not text. */
export interface TypedColumn {
  readonly name: string;
  /** The type that the template needs. */
  readonly type: CellType;
  /** The format that the request states. */
  readonly format: CellFormat | undefined;
}

const maxShownCell = 40;

/** Reads a cell, or returns the error of its row: the column, the value, and what to do. */
export function readTypedCell(
  cell: string,
  { name, type, format }: TypedColumn,
): { readonly value: CellValue } | { readonly problem: ErrorRecord } {
  const reading = readCell(cell, type, format);
  if ('value' in reading) return reading;
  const shown = storableText(cell.trim().slice(0, maxShownCell));
  const found = `"${shown}" ${describeCellProblem(reading.problem)}`;
  return badRow(`data.${name}`, `${found}; ${adviceFor(name, reading.problem, format)}`);
}

function adviceFor(name: string, { type, readings }: CellProblem, format: CellFormat | undefined): string {
  if (readings.length > 1) {
    const [one, other] = formatsOf[type];
    return `state columnFormats=${name}:${one} or ${name}:${other}`;
  }
  if (format !== undefined) return `the format of the column is ${format}`;
  const expected = { number: 'a number such as 1234.5', date: 'a date such as 2026-03-31', yesNo: 'one of them' }[type];
  return `write ${expected}, or state columnFormats=${name}:text to keep it as text`;
}
