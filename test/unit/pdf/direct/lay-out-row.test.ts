import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFontFace } from '../../../../src/worker/pdf/direct/fonts/font-face.ts';
import { sizeFont } from '../../../../src/worker/pdf/direct/fonts/sized-font.ts';
import type { Paragraph, Row } from '../../../../src/worker/pdf/direct/long-tables/document-tree.ts';
import { layOutRow } from '../../../../src/worker/pdf/direct/long-tables/lay-out-row.ts';

const carlito = sizeFont(openFontFace(readFileSync('/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf')), 22);
const choice = { family: 'Carlito', isBold: false, isItalic: false, halfPoints: 22 };
const line = 269;
/** Fits into a line of this many twips, but for the rounding of lengths. */
const tight = 'Item 309430 tempor267';
const textWidth = Math.ceil(carlito.widthOf(tight) / 6) + 2;
const paragraph = (text: string): Paragraph => ({
  runs: [{ text, font: choice }],
  markFont: choice,
  style: '',
  before: 0,
  after: 0,
  line: 240,
  lineRule: 'auto',
  left: 0,
  right: 0,
  firstLine: 0,
  hasContextualSpacing: false,
  hasWidowControl: false,
  keepsLines: false,
});
const rowOf = (...cells: (readonly string[])[]): Row => ({
  cells: cells.map((texts) => ({ textWidth, paragraphs: texts.map(paragraph) })),
  exactHeight: 0,
  canSplit: true,
});
const linesOf = (row: Row, measuredHeight?: number) => {
  const { cells, height, isCertain } = layOutRow(row, { top: 0, bottom: 0, border: 10 }, () => carlito, measuredHeight);
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

test('a row of many such lines is not tried in all of their ways', () => {
  const row = rowOf(Array.from({ length: 40 }, () => tight));
  expect(linesOf(row, 41 * line)).toMatchObject({ height: 41 * line, isCertain: true });
  expect(linesOf(row, 80 * line)).toMatchObject({ height: 40 * line, isCertain: false });
});
