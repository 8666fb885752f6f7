import type { CellType } from './cell-type.ts';
import { readDate, readExcelDate } from './read-date.ts';
import { readNumber } from './read-number.ts';
import { readYesOrNo } from './read-yes-or-no.ts';

/** The formats in which the cells of a column may be written. The type alone does not determine them. */
export const cellFormats = [
  'text',
  'decimalPoint',
  'decimalComma',
  'dayFirst',
  'monthFirst',
  'excelDate',
  'yesNo',
] as const;
export type CellFormat = (typeof cellFormats)[number];

export type CellValue = string | number | boolean;

/** Why a cell has no value. */
export interface CellProblem {
  readonly type: Exclude<CellType, 'text'>;
  /** The two values that the cell may have; empty where it has none. */
  readonly readings: readonly CellValue[];
}

export type CellReading = { readonly value: CellValue } | { readonly problem: CellProblem };

/** The formats of each type. `text` is not listed, because it can be chosen for any column. */
export const formatsOf = {
  number: ['decimalPoint', 'decimalComma'],
  date: ['dayFirst', 'monthFirst', 'excelDate'],
  yesNo: ['yesNo'],
  text: [],
} as const satisfies Readonly<Record<CellType, readonly CellFormat[]>>;

/** The type of the values of a column: that of its format, or else what the template needs. */
export function writtenType(type: CellType, format: CellFormat | undefined): CellType {
  if (format === undefined) return type;
  const types = ['number', 'date', 'yesNo'] as const;
  return types.find((one) => formatsOf[one].some((known) => known === format)) ?? 'text';
}

/**
 * What a cell of a table means. Nothing is guessed: a cell with two meanings has a problem until its column has a
 * format. An empty cell means "no" where the template needs yes or no, and an empty value otherwise.
 */
export function readCell(cell: string, type: CellType, format?: CellFormat): CellReading {
  const written = writtenType(type, format);
  if (written === 'text') return { value: cell };
  if (written === 'yesNo') {
    const answer = readYesOrNo(cell);
    return answer === undefined ? { problem: { type: written, readings: [] } } : { value: answer };
  }
  if (cell.trim() === '') return { value: '' };
  const readings = written === 'number' ? readNumber(cell, marks[format ?? '']) : readDateCell(cell, format);
  const [value, ...others] = readings;
  return value === undefined || others.length > 0 ? { problem: { type: written, readings } } : { value };
}

const marks: Readonly<Record<string, '.' | ','>> = { decimalPoint: '.', decimalComma: ',' };

function readDateCell(cell: string, format: CellFormat | undefined): readonly string[] {
  if (format === 'excelDate') return readExcelDate(cell);
  return readDate(cell, format === 'dayFirst' || format === 'monthFirst' ? format : undefined);
}

const needs = { number: 'not a number', date: 'not a date with a year of four digits', yesNo: 'neither yes nor no' };

/** Completes a sentence that begins with the cell: “is not a number”. */
export function describeCellProblem({ type, readings }: CellProblem): string {
  return readings.length > 1 ? `can be ${readings.join(' or ')}` : `is ${needs[type]}`;
}
