import type { CellType } from '../../shared/cells/cell-type.ts';
import { type CellFormat, type CellReading, describeCellProblem } from '../../shared/cells/read-cell.ts';
import type { PlacedCell } from '../batches/mapping/build-items.ts';
import { type BadCell, describeBadCell } from '../batches/mapping/build-row.ts';
import { formatCount, formatNumber } from '../ui/format.ts';

const longDate = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
const isoDate = /^(\d{4}-\d{2}-\d{2})(?:T(.*))?$/;

/** A value as people read it: a month by its name, because 2/9 has two meanings. */
function shownValue(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const [, day, time] = isoDate.exec(String(value)) ?? [];
  if (day === undefined) return String(value);
  return longDate.format(Date.parse(day)) + (time === undefined ? '' : `, ${time}`);
}

function readAs(reading: CellReading): string {
  if ('value' in reading) return `is read as ${shownValue(reading.value)}`;
  const { readings } = reading.problem;
  return readings.length > 1 ? `can be ${readings.map(shownValue).join(' or ')}` : describeCellProblem(reading.problem);
}

/** How cells of tables are read, and what is wrong with them. */
export const cellTexts = {
  readAs,
  formatOf: (name: string) => `Format of ${name}`,
  chooseFormat: 'Choose how it is written',
  oneMeaning: { number: 'Numbers', date: 'Dates', yesNo: 'Yes or no', text: 'Text' },
  cellFormats: {
    number: [
      ['decimalPoint', 'Numbers such as 1,234.50'],
      ['decimalComma', 'Numbers such as 1.234,50'],
      ['text', 'Text, as it is'],
    ],
    date: [
      ['dayFirst', 'Day first: 31/12/2026'],
      ['monthFirst', 'Month first: 12/31/2026'],
      ['excelDate', 'Days as Excel counts them: 46387'],
      ['text', 'Text, as it is'],
    ],
    yesNo: [
      ['yesNo', 'Yes or no'],
      ['text', 'Text: counts as yes unless it is empty'],
    ],
    text: [],
  } as const satisfies Readonly<Record<CellType, readonly (readonly [CellFormat, string])[]>>,
  unclearColumns: (names: readonly string[]) =>
    `Choose above how ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} written: the cells can be read in two ways.`,
  badCells: (value: number) =>
    `${formatCount(value, 'cell has', 'cells have')} no value that the template can use. Correct them here; your file stays as it is.`,
  badCellsKept: (value: number) =>
    `The first ${formatNumber(value)} are shown. If a whole column is wrong, choose its format above.`,
  badCellOfRow: (cell: BadCell) => `${describeBadCell(cell)}.`,
  badCell: (cell: PlacedCell) => `Row ${cell.row} (line ${cell.line}), ${describeBadCell(cell)}.`,
  correctionOf: (row: number, name: string) => `${name} of row ${row}`,
  checkAgain: 'Check again with the corrections',
};
