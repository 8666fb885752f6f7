import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Row, tableParts } from '../../src/document/tree.ts';
import { openFontFace } from '../../src/fonts/font-face.ts';
import { sizeFont } from '../../src/fonts/sized-font.ts';
import { layOutTextRow } from '../../src/long-tables/lay-out-text-row.ts';
import { textParagraph } from '../text-paragraph.ts';

const carlito = sizeFont(openFontFace(readFileSync('/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf')), 22);
const line = 269;
/** Fits into a line of this many twips, but for the rounding of lengths. */
const tight = 'Item 309430 tempor267';
const textWidth = Math.ceil(carlito.widthOf(tight) / 6) + 2;
const border = { width: 10, lines: [10], space: 0, color: '000000' } as const;
const rowOf = (...cells: (readonly string[])[]): Row => ({
  cells: cells.map((texts, index) => ({
    start: (index * tableParts) / cells.length,
    end: ((index + 1) * tableParts) / cells.length,
    widthSlack: 0,
    marginTop: 0,
    marginBottom: 0,
    marginLeft: 0,
    marginRight: 0,
    shading: undefined,
    borders: { top: border, bottom: border, left: border, right: border },
    alignment: 'top',
    rowSpan: 1,
    blocks: texts.map((text) => textParagraph(text)),
  })),
  shading: undefined,
  height: 0,
  isExact: false,
  canSplit: true,
  isHeading: false,
});
const linesOf = (row: Row, measuredHeight?: number) => {
  const place = { row, above: undefined, tableWidth: textWidth * row.cells.length };
  const context = { fontOf: () => carlito, addsSpaces: false };
  const { cells, height, isCertain } = layOutTextRow(place, context, measuredHeight);
  return { lines: cells.map((blocks) => blocks.map((block) => block.lines.length)), height, isCertain };
};

test('a row with a line end that is too close to call is as high as it was measured', () => {
  const row = rowOf(['1'], [tight, 'one']);
  expect(linesOf(row)).toEqual({ lines: [[1], [1, 1]], height: 2 * line, isCertain: false });
  expect(linesOf(row, 3 * line + 1)).toEqual({ lines: [[1], [2, 1]], height: 3 * line, isCertain: true });
  expect(linesOf(row, 2 * line)).toEqual({ lines: [[1], [1, 1]], height: 2 * line, isCertain: true });
});

test('a height that no line end explains decides nothing', () => {
  expect(linesOf(rowOf([tight]), 5 * line)).toEqual({ lines: [[1]], height: line, isCertain: false });
  expect(linesOf(rowOf(['one']), 5 * line)).toEqual({ lines: [[1]], height: line, isCertain: true });
});

test('not all combinations of a row with many such lines are tried', () => {
  const row = rowOf(Array.from({ length: 40 }, () => tight));
  expect(linesOf(row, 41 * line)).toMatchObject({ height: 41 * line, isCertain: true });
  expect(linesOf(row, 80 * line)).toMatchObject({ height: 40 * line, isCertain: false });
});

test('space between paragraphs and in a cell counts once, and line spacing not below the last line', () => {
  const cell = rowOf(['one\ntwo', 'three']).cells[0];
  const blocks = [
    textParagraph('one\ntwo', { before: 20, after: 40, line: 360 }),
    textParagraph('three', { before: 60, after: 80 }),
  ];
  const row: Row = {
    ...rowOf([]),
    cells: cell === undefined ? [] : [{ ...cell, marginTop: 5, marginBottom: 7, blocks }],
  };
  const spacing = Math.floor(line * 1.5) - line;
  expect(linesOf(row).height).toBe(5 + 20 + line + spacing + line + spacing + 60 + line + 80 + 7);
});
