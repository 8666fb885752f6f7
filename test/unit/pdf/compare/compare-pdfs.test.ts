import { describe, expect, test } from 'vitest';
import { comparePdfs } from '../../../../src/worker/pdf/compare/compare-pdfs.ts';
import type { Comparison } from '../../../../src/worker/pdf/compare/comparison.ts';
import { startPdfium } from '../../../../src/worker/pdf/compare/pdfium.ts';
import { plainPdf } from '../../../support/documents/plain-pdf.ts';

const pdfium = await startPdfium();
const compare = (before: Buffer, after: Buffer): Comparison => comparePdfs(pdfium, before, after);
const measuresOf = ({ differences }: Comparison): string[] =>
  differences.map(({ measure, page }) => `${measure} ${page}`);

/** One page with a word at this position and a line that is half a point wide. */
const page = ({ text = 'Invoice', x = 20, y = 150, size = 11, colour = '0 g', rule = 0, more = '' } = {}): Buffer =>
  plainPdf({
    pages: ['Total'],
    drawing: `${colour} BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET 0 g ${20 + rule} ${80 + rule} 150 0.5 re f ${more}`,
  });

describe('equal pages', () => {
  test('a PDF equals itself, and its characters are counted without white space', () => {
    expect(compare(page({ text: 'a b' }), page({ text: 'a b' }))).toEqual({
      pages: 1,
      characters: 7,
      movedPt: 0,
      differences: [],
    });
  });

  test('a word may move by 0.75 pt, and a line by one pixel at 150 dpi', () => {
    const compared = compare(page(), page({ x: 20.5, y: 150.5, rule: 0.4 }));
    expect(compared).toMatchObject({ movedPt: 0.71, differences: [] });
  });

  test('the order in which words are printed does not matter', () => {
    const [one, other] = ['BT /F1 9 Tf 20 50 Td (one) Tj ET', 'BT /F1 9 Tf 90 50 Td (two) Tj ET'];
    expect(measuresOf(compare(page({ more: `${one} ${other}` }), page({ more: `${other} ${one}` })))).toEqual([]);
  });

  test('a hyphen at the end of a line counts once, whatever is printed after it', () => {
    const [line, rest] = ['BT /F1 9 Tf 20 50 Td (hyphen-) Tj ET', 'BT /F1 9 Tf 20 40 Td (ated) Tj ET'];
    const [one, other] = [page({ more: `${line} ${rest}` }), page({ more: `${rest} ${line}` })];
    expect(compare(one, other)).toMatchObject({ characters: 23, differences: [] });
    const withoutHyphen = page({ more: `${line.replace('-', '')} ${rest}` });
    expect(measuresOf(compare(one, withoutHyphen))).toEqual(['text 1']);
  });
});

describe('differences', () => {
  test.each([
    ['a word that is elsewhere', page({ x: 20.8 }), 'text 1'],
    ['another word', page({ text: 'Invoibe' }), 'text 1'],
    ['another size', page({ size: 11.5 }), 'text 1'],
    ['another colour', page({ colour: '1 0 0 rg' }), 'text 1'],
    ['a rule that is elsewhere', page({ rule: 1.2 }), 'drawing 1'],
    ['a rule more', page({ more: '20 60 150 0.5 re f' }), 'drawing 1'],
    ['a field of another colour', page({ more: '0.7 g 200 60 30 30 re f' }), 'drawing 1'],
    [
      'another size of the page',
      Buffer.from(page().toString('latin1').replace('300 200', '300 201'), 'latin1'),
      'page size 1',
    ],
    ['a page more', plainPdf({ pages: ['Total', 'more'] }), 'pages 2'],
  ])('%s', (_, after, expected) => {
    expect(measuresOf(compare(page(), after))[0]).toBe(expected);
  });

  test('a missing picture', () => {
    const white = plainPdf({ pages: ['Total'], picture: Buffer.alloc(1, 255) });
    expect(measuresOf(compare(plainPdf({ pages: ['Total'] }), white))).toEqual(['drawing 1']);
  });

  test('include the position and the distance, but no text', () => {
    const { differences } = compare(page({ text: 'Secret' }), page({ text: 'Secret', y: 148 }));
    expect(differences).toEqual([
      { measure: 'text', page: 1, message: '6 characters elsewhere, the first by 2.00 pt', x: 20, y: 50 },
    ]);
  });
});

test('a file that is not a PDF cannot be compared', () => {
  expect(() => compare(page(), Buffer.from('nothing'))).toThrow('cannot be read');
});
