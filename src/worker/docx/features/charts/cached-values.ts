import type { CellValue } from './workbook/filled-sheet.ts';

/** Whether there are values and all of them are numbers. */
export function areNumbers(values: readonly CellValue[]): boolean {
  const given = values.filter((value) => value !== undefined);
  return given.length > 0 && given.every((value) => typeof value === 'number');
}

/** The values that can be drawn: strings become gaps. */
export function numbersOf(values: readonly CellValue[]): readonly CellValue[] {
  return values.map((value) => (typeof value === 'number' ? value : undefined));
}

/** The columns of an area from the last to the first: the innermost level of categories comes first. */
export function levelsOf(rows: readonly (readonly CellValue[])[]): readonly (readonly CellValue[])[] {
  const columns = rows[0]?.length ?? 0;
  return Array.from({ length: columns }, (_, i) => rows.map((row) => row[columns - 1 - i]));
}
