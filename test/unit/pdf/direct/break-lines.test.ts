import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openFontFace } from '../../../../src/worker/pdf/direct/fonts/font-face.ts';
import { sizeFont } from '../../../../src/worker/pdf/direct/fonts/sized-font.ts';
import { breakLines } from '../../../../src/worker/pdf/direct/long-tables/break-lines.ts';
import type { Paragraph } from '../../../../src/worker/pdf/direct/long-tables/document-tree.ts';
import { UnknownFeature } from '../../../../src/worker/pdf/direct/unknown-feature.ts';

const face = openFontFace(readFileSync('/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf'));
const carlito = sizeFont(face, 22);
const choice = { family: 'Carlito', isBold: false, isItalic: false, halfPoints: 22 };
const paragraph = (text: string, more: Partial<Paragraph> = {}): Paragraph => ({
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
  ...more,
});
const linesOf = (text: string, width = 2_184, more: Partial<Paragraph> = {}) =>
  breakLines(paragraph(text, more), width, () => carlito);

describe('text breaks into lines', () => {
  // As LibreOffice 25.2 and 7.4 lay out a cell of 2,400 twips with margins of 108.
  test.each([
    ['Item 300058 tempor868 consectetur868 sit ipsum elit dolor ipsum amet tempor sit sit868 elit868', 6],
    ['Item 304415 elit ipsum labore ipsum elit ut5225', 3],
    ['Item 309430 tempor267', 2],
    ['tempor1086 labore1086', 1],
    ['', 1],
    ['one\ntwo\n\nfour', 4],
    ['abcdefghij'.repeat(4), 2],
  ])('%s', (text, count) => {
    expect(linesOf(text).heights).toEqual(Array.from({ length: count }, () => 269));
  });

  test('a break within a hair of the end of a line is not certain', () => {
    expect(linesOf('Item 309430').others).toEqual([]);
    const width = Math.ceil(carlito.widthOf('Item 309430 tempor267') / 6) + 2;
    expect(linesOf('Item 309430 tempor267', width)).toEqual({ heights: [269], others: [[269, 269]] });
  });

  test('line spacing counts as Writer rounds it', () => {
    const heightOf = (line: number, lineRule: Paragraph['lineRule']) => linesOf('x', 2_184, { line, lineRule }).heights;
    expect([250, 259, 276, 288, 360].flatMap((line) => heightOf(line, 'auto'))).toEqual([279, 290, 309, 322, 403]);
    expect([heightOf(200, 'exact'), heightOf(300, 'atLeast'), heightOf(200, 'atLeast')]).toEqual([[200], [300], [269]]);
  });

  test('a wider column never has more lines, and each line holds less than the column', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1_500, max: 5_000 }), (all, width) => {
        const text = all.join(' ');
        const { heights } = linesOf(text, width);
        expect(linesOf(text, width + 200).heights.length).toBeLessThanOrEqual(heights.length);
        expect(heights.length * width * 6).toBeGreaterThanOrEqual(carlito.widthOf(all.join('')));
      }),
    );
  });

  test.each(['שלום', 'ไทย', '中文', 'soft\u00adhyphen', 'a\u200bb', 'e\u0301', '👍'])(
    '%s is left to LibreOffice',
    (text) => {
      expect(() => linesOf(text)).toThrow(UnknownFeature);
    },
  );
});

describe('widths of text', () => {
  test('add up, except in ligatures', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-eg-z]{1,20}$/), fc.stringMatching(/^[a-eg-z]{1,20}$/), (a, b) => {
        if (/tt|ti/.test(a + b)) return;
        expect(carlito.widthOf(`${a} ${b}`)).toBe(carlito.widthOf(a) + carlito.widthOf(' ') + carlito.widthOf(b));
      }),
    );
    expect(carlito.widthOf('ffi')).not.toBe(carlito.widthOf('f') * 2 + carlito.widthOf('i'));
  });

  // Measured in LibreOffice 25.2 and 7.4.
  test.each([
    [14, 171],
    [16, 195],
    [18, 220],
    [20, 244],
    [21, 256],
    [22, 269],
    [24, 293],
    [28, 342],
    [40, 488],
  ])('a line of %s half points is %s twips high', (halfPoints, height) => {
    expect(sizeFont(face, halfPoints).lineHeight).toBe(height);
  });
});
