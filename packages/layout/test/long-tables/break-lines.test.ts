import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParagraphFormat } from '../../src/document/tree.ts';
import { openFontFace } from '../../src/fonts/font-face.ts';
import { sizeFont } from '../../src/fonts/sized-font.ts';
import { breakLines } from '../../src/long-tables/break-lines.ts';
import { UnknownFeature } from '../../src/unknown-feature.ts';
import { textParagraph } from '../text-paragraph.ts';

const face = openFontFace(readFileSync('/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf'));
const carlito = sizeFont(face, 22);
const linesOf = (text: string, width = 2_184, more: Partial<ParagraphFormat> = {}) => {
  const { heights, others } = breakLines(textParagraph(text, more), width, () => carlito);
  const heightsOf = (lines: typeof heights): number[] => lines.map(({ height }) => height);
  return { heights: heightsOf(heights), others: others.map(heightsOf) };
};

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

  test('line spacing is between lines, as Writer rounds it', () => {
    const linesIn = (line: number, lineRule: ParagraphFormat['lineRule']) =>
      breakLines(textParagraph('x', { line, lineRule }), 2_184, () => carlito).heights;
    const autos = [250, 259, 276, 288, 360].flatMap((line) => linesIn(line, 'auto'));
    expect(autos.map(({ height, spacing }) => height + spacing)).toEqual([279, 290, 309, 322, 403]);
    const others = [...linesIn(200, 'exact'), ...linesIn(300, 'atLeast'), ...linesIn(200, 'atLeast')];
    expect(others.map(({ height, spacing }) => height + spacing)).toEqual([200, 300, 269]);
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

test.each<[string, Partial<ParagraphFormat>]>([
  ['a page break in a cell', { keepsWithNext: true }],
  ['a list', { numbering: { id: '1', level: 0 } }],
  ['borders of a paragraph', { borderLeft: { width: 10, lines: [10], space: 0, color: '000000' } }],
])('%s is left to LibreOffice', (reason, format) => {
  expect(() => linesOf('one', 2_184, format)).toThrow(reason);
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
