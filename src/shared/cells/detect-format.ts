import type { CellType } from './cell-type.ts';
import type { CellFormat } from './read-cell.ts';
import { readDate } from './read-date.ts';
import { readNumber } from './read-number.ts';
import { readYesOrNo } from './read-yes-or-no.ts';

/** The format of a column, as far as all its cells together determine it. */
export interface DetectedFormat {
  /** Undefined if every cell has only one meaning, or if the user must choose. */
  readonly format: CellFormat | undefined;
  /** Whether no cell of the column decides between two formats. */
  readonly isUnclear: boolean;
  /** The first cell with two meanings. */
  readonly example?: string | undefined;
}

/** Collects the evidence of one column, cell by cell. */
export interface FormatDetector {
  readonly add: (cell: string) => void;
  readonly detect: (type: CellType) => DetectedFormat;
}

const plain: DetectedFormat = { format: undefined, isUnclear: false };
const unclear: DetectedFormat = { format: undefined, isUnclear: true };

// A file may have millions of cells, most of which are neither numbers nor dates.
const mayBeNumber = /\d[.,]|[.,]\d/;
const isNoNumber = /\p{L}{4}|[/:@]/u;
const mayBeDate = /\d\D.*\d{4}|\d{4}\D.*\d/;
/** The longest cell that is a number or a date. */
const longestCell = 60;

/**
 * One unambiguous cell determines the format of its column: if another cell is 557,5, then 1.234 is more than a
 * thousand. If unambiguous cells contradict each other, the format stays undetermined.
 */
export function createFormatDetector(): FormatDetector {
  const number = createTally('decimalPoint', 'decimalComma');
  const date = createTally('dayFirst', 'monthFirst');
  let filled = 0;
  let answers = 0;
  return {
    add(cell) {
      if (cell.trim() === '') return;
      filled += 1;
      if (cell.length > longestCell) return;
      if (answers === 0 && readYesOrNo(cell) !== undefined) answers += 1;
      if (mayBeNumber.test(cell) && !isNoNumber.test(cell)) {
        const [point, comma] = [readNumber(cell, '.'), readNumber(cell, ',')];
        number.add(cell, [...new Set([...point, ...comma])], [point, comma]);
      }
      if (mayBeDate.test(cell))
        date.add(cell, readDate(cell), [readDate(cell, 'dayFirst'), readDate(cell, 'monthFirst')]);
    },
    detect(type) {
      if (type === 'number') return number.detect();
      if (type === 'date') return date.detect();
      return type === 'yesNo' && filled > 0 && answers === 0 ? unclear : plain;
    },
  };
}

type Readings = readonly unknown[];

/** Counts the cells whose only meaning fits just one of two formats, and the cells with two meanings. */
function createTally(one: CellFormat, other: CellFormat) {
  let onlyOne = 0;
  let onlyOther = 0;
  let example: string | undefined;
  return {
    add(cell: string, [value, ...others]: Readings, [first, second]: readonly [Readings, Readings]): void {
      if (others.length > 0) example ??= cell;
      else if (first[0] === second[0]) return;
      else if (first[0] === value) onlyOne += 1;
      else onlyOther += 1;
    },
    detect(): DetectedFormat {
      if (onlyOne > 0 === onlyOther > 0) return example === undefined ? plain : { ...unclear, example };
      return { format: onlyOne > 0 ? one : other, isUnclear: false };
    },
  };
}
