import { describe, expect, test } from 'vitest';
import type { CellType } from '../../../../src/shared/cells/cell-type.ts';
import { createFormatDetector } from '../../../../src/shared/cells/detect-format.ts';
import { type CellFormat, describeCellProblem, readCell } from '../../../../src/shared/cells/read-cell.ts';

const read = (cell: string, type: CellType, format?: CellFormat) => {
  const reading = readCell(cell, type, format);
  return 'value' in reading ? reading.value : describeCellProblem(reading.problem);
};

describe('the type and the format of a cell determine its value', () => {
  test.each([
    ['nein', 'text', undefined, 'nein'],
    [' 557,5 ', 'text', undefined, ' 557,5 '],
    ['nein', 'yesNo', undefined, false],
    ['', 'yesNo', undefined, false],
    ['', 'number', undefined, ''],
    [' ', 'date', 'dayFirst', ''],
    ['557,5', 'number', undefined, 557.5],
    ['1.234', 'number', 'decimalComma', 1234],
    ['09.02.2026', 'date', undefined, '2026-02-09'],
    ['2/9/2026', 'date', 'monthFirst', '2026-02-09'],
    ['46062', 'date', 'excelDate', '2026-02-09'],
    // A format takes precedence over the type.
    ['nein', 'text', 'yesNo', false],
    ['1.234', 'text', 'decimalPoint', 1.234],
    ['ada@example.com', 'yesNo', 'text', 'ada@example.com'],
    ['on request', 'number', 'text', 'on request'],
    ['1.234', 'number', undefined, 'can be 1.234 or 1234'],
    ['2/9/2026', 'date', undefined, 'can be 2026-09-02 or 2026-02-09'],
    ['46062', 'date', undefined, 'is not a date with a year of four digits'],
    ['many', 'number', undefined, 'is not a number'],
    ['vielleicht', 'yesNo', undefined, 'is neither yes nor no'],
  ] as const)('%j as %s, %s: %s', (cell, type, format, expected) => {
    expect(read(cell, type, format)).toBe(expected);
  });
});

describe('the cells of a column suggest its format', () => {
  const detect = (type: CellType, ...cells: readonly string[]) => {
    const detector = createFormatDetector();
    for (const cell of cells) detector.add(cell);
    const { format, isUnclear } = detector.detect(type);
    return isUnclear ? 'unclear' : format;
  };

  test.each([
    ['number', ['1.234', '557,5'], 'decimalComma'],
    ['number', ['1,234', '0.5'], 'decimalPoint'],
    ['number', ['557,5', '12'], 'decimalComma'],
    ['number', ['1', '2', ''], undefined],
    ['number', ['1.234', '12'], 'unclear'],
    ['number', ['1.234', '557,5', '557.5'], 'unclear'],
    ['number', ['557,5', '557.5'], undefined],
    ['number', ['on request'], undefined],
    ['date', ['2/9/2026', '25/12/2026'], 'dayFirst'],
    ['date', ['2/9/2026', '12/25/2026'], 'monthFirst'],
    ['date', ['09.02.2026', ''], 'dayFirst'],
    ['date', ['2/9/2026', '2/2/2026'], 'unclear'],
    ['date', ['2/9/2026', '12/25/2026', '25/12/2026'], 'unclear'],
    ['date', ['2026-02-09', '9 Feb 2026'], undefined],
    ['date', ['46062'], undefined],
    ['yesNo', ['ja', 'nein', 'vielleicht'], undefined],
    ['yesNo', ['', ' '], undefined],
    ['yesNo', ['ada@example.com', 'bob@example.com', ''], 'unclear'],
    ['text', ['2/9/2026', '1.234'], undefined],
  ] as const)('%s, %j: %s', (type, cells, expected) => {
    expect(detect(type, ...cells)).toBe(expected);
  });
});
