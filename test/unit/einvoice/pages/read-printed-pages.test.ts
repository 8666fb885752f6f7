import { beforeAll, describe, expect, it } from 'vitest';
import { readPrintedPages, UnreadablePages } from '../../../../src/worker/einvoice/pages/read-printed-pages.ts';
import { type Pdfium, startPdfium } from '../../../../src/worker/pdf/compare/pdfium.ts';
import { manyCharacters, plainPdf } from '../../../support/documents/plain-pdf.ts';

let pdfium: Pdfium;
beforeAll(async () => {
  pdfium = await startPdfium();
});

const wordsOf = (text: string, drawing = ''): readonly string[] =>
  readPrintedPages(pdfium, plainPdf({ pages: [text], drawing })).flatMap(({ words }) => words.map((word) => word.text));
const second = (operators: string): string => `BT /F1 12 Tf ${operators} (B) Tj ET`;

describe('the words of a page', () => {
  it('are those that a reader sees', () => {
    expect(wordsOf('total 119.00', second('20 50 Td'))).toEqual(['total', '119.00', 'B']);
  });

  it.each([
    ['invisible text', second('3 Tr 20 50 Td')],
    ['white text', second('1 1 1 rg 20 50 Td')],
    ['text in almost the colour of the paper', second('0.97 0.97 0.97 rg 20 50 Td')],
    [
      'white text on white paper in a coloured box elsewhere',
      `0 0 1 rg 200 10 20 20 re f ${second('1 1 1 rg 20 50 Td')}`,
    ],
    ['white text that touches a border', `0 0 0 RG 10 63 100 0 re S 10 45.5 100 0 re S ${second('1 1 1 rg 20 50 Td')}`],
    ['tiny text', 'BT /F1 1 Tf 20 50 Td (B) Tj ET'],
    ['text beyond the page', second('400 50 Td')],
    ['text that is clipped', `q 0 0 5 5 re W n ${second('20 50 Td')} Q`],
    ['text that only clips', `q ${second('7 Tr 20 50 Td')} Q`],
    ['text that is turned', 'BT /F1 12 Tf 0 1 -1 0 20 50 Tm (B) Tj ET'],
    ['text under a white rectangle', `${second('20 50 Td')} 1 1 1 rg 10 40 40 30 re f`],
    ['text under a black rectangle', `${second('20 50 Td')} 0 0 0 rg 10 40 40 30 re f`],
  ])('do not include %s', (_, drawing) => {
    expect(wordsOf('A', drawing)).toEqual(['A']);
  });

  it('include white text on a dark ground', () => {
    expect(wordsOf('A', `0 0 0.4 rg 10 40 60 30 re f ${second('1 1 1 rg 20 50 Td')}`)).toContain('B');
  });

  it('do not include texts that are printed over each other', () => {
    const over = 'BT /F1 12 Tf 20 50 Td (119.00) Tj ET BT /F1 12 Tf 20 50 Td (120.00) Tj ET';
    expect(wordsOf('A', over)).toEqual(['A']);
    const twice = 'BT /F1 12 Tf 20 50 Td (119.00) Tj ET BT /F1 12 Tf 20.2 50 Td (119.00) Tj ET';
    expect(wordsOf('A', twice)).toContain('119.00');
  });
});

it.each([
  ['turned', '/Rotate 90', 'BT /F1 12 Tf 0 1 -1 0 100 20 Tm (B) Tj ET', { left: 20, y: 100 }],
  ['turned to the other side', '/Rotate 270', 'BT /F1 12 Tf 0 -1 1 0 100 180 Tm (B) Tj ET', { left: 20, y: 200 }],
  ['upside down', '/Rotate 180', 'BT /F1 12 Tf -1 0 0 -1 200 150 Tm (B) Tj ET', { left: 100, y: 150 }],
  ['of another origin', '/MediaBox [-50 -20 250 180]', 'BT /F1 12 Tf -30 130 Td (B) Tj ET', { left: 20, y: 50 }],
  ['cut', '/CropBox [100 50 250 150]', 'BT /F1 12 Tf 120 100 Td (B) Tj ET', { left: 20, y: 50 }],
])('words of a page that is %s stand where readers show them', (_, entries, drawing, { left, y }) => {
  const pdf = plainPdf({ pages: [''], drawing, entries });
  const words = readPrintedPages(pdfium, pdf).flatMap((page) => page.words);
  expect(words.map(({ text }) => text)).toEqual(['B']);
  expect(words[0]?.left).toBeCloseTo(left, 0);
  expect(words[0]?.y).toBeCloseTo(y, 0);
});

it('pages with too much text are refused', () => {
  expect(() => wordsOf('A', manyCharacters(110_000))).toThrow(UnreadablePages);
  expect(() => readPrintedPages(pdfium, Buffer.from('%PDF-1.4\nnothing'))).toThrow();
});
