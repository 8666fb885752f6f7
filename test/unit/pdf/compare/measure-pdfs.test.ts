import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { type Measured, measurePdfs } from '../../../../src/worker/pdf/compare/measure-pdfs.ts';
import type { MeasureOptions } from '../../../../src/worker/pdf/compare/measures.ts';
import { startPdfium } from '../../../../src/worker/pdf/compare/pdfium.ts';
import { plainPdf } from '../../../support/documents/plain-pdf.ts';

const pdfium = await startPdfium();
const options: MeasureOptions = { masks: [], movedPt: 1, pixels: 0.002, dpi: 72, maxPages: 100 };
const measure = (before: Buffer, after: Buffer, changed: Partial<MeasureOptions> = {}): Measured =>
  measurePdfs(pdfium, before, after, { ...options, ...changed });

/** A page of 300 × 200 points with words and a square picture. */
const page = (drawing = 'BT /F1 11 Tf 20 150 Td (Dear Ada) Tj ET', picture = 0): Buffer =>
  plainPdf({ pages: ['Total'], picture: Buffer.alloc(1, picture), drawing });
const words = (text: string, { y = 150, size = 11, colour = '0 g' } = {}): string =>
  `${colour} BT /F1 ${size} Tf 20 ${y} Td (${text}) Tj ET`;
const edited = (pdf: Buffer, before: string, after: string): Buffer =>
  Buffer.from(pdf.toString('latin1').replace(before, after), 'latin1');

const nothing = {
  oldPages: 1,
  newPages: 1,
  comparedPages: 1,
  words: { oldWords: 3, newWords: 3, lost: 0, added: 0, repaged: 0, moved: 0, restyled: 0 },
  fontsLost: [],
  fontsAdded: [],
  linksLost: [],
  linksAdded: [],
  pixelShare: 0,
  movedPt: 0,
  pageSizePt: 0,
  pages: [],
};

test('a PDF equals itself, and a PDF whose words are printed in another order', () => {
  expect(measure(page(), page()).measures).toMatchObject(nothing);
  const [one, other] = ['BT /F1 9 Tf 20 50 Td (one) Tj ET', 'BT /F1 9 Tf 90 50 Td (two) Tj ET'];
  const { measures, pictures } = measure(page(`${one} ${other}`), page(`${other} ${one}`));
  expect(measures).toMatchObject(nothing);
  expect(pictures).toEqual({});
});

describe('a difference is measured between', () => {
  test('two PDFs with a different word', () => {
    const { measures } = measure(page(), page(words('Dear Eve')));
    expect(measures.words).toMatchObject({ lost: 1, added: 1, firstLost: [{ text: 'Ada', page: 1 }] });
    expect(measures.words.firstAdded).toEqual([{ text: 'Eve', page: 1 }]);
    expect(measures.pages).toMatchObject([{ page: 1, pictures: { old: 'old-1.png', new: 'new-1.png' } }]);
  });

  test('two PDFs with a line in another position', () => {
    const { measures } = measure(page(), page(words('Dear Ada', { y: 146 })));
    expect(measures).toMatchObject({ movedPt: 4, words: { lost: 0, moved: 2, farthest: [{ byPt: 4 }, { byPt: 4 }] } });
  });

  test.each([
    ['size', { size: 12 }],
    ['colour', { colour: '1 0 0 rg' }],
  ])('two PDFs with another %s of words', (styles, changed) => {
    const { measures } = measure(page(), page(words('Dear Ada', changed)));
    expect(measures.words).toMatchObject({ lost: 0, restyled: 2, firstRestyled: [{ styles }, { styles }] });
  });

  test('two PDFs with another font', () => {
    const { measures } = measure(page(), edited(page(), '/BaseFont /Helvetica', '/BaseFont /Times-Roman'));
    expect(measures).toMatchObject({
      fontsLost: ['Helvetica (not embedded)'],
      fontsAdded: ['Times-Roman (not embedded)'],
      words: { restyled: 3, lost: 0 },
    });
  });

  test('two PDFs with another picture, whose difference is drawn', () => {
    const { measures, pictures } = measure(page(), page(undefined, 255));
    // The picture is 40 points wide and high.
    expect(measures.pixelShare).toBeCloseTo((40 * 40) / (300 * 200), 3);
    expect(measures.words).toMatchObject({ lost: 0, added: 0, restyled: 0 });
    expect(Object.keys(pictures)).toEqual(['old-1.png', 'new-1.png', 'difference-1.png']);
    const [old, current, difference] = Object.values(pictures).map((png) => PNG.sync.read(Buffer.from(png)));
    const pixel = (picture: PNG | undefined): number[] => [...(picture?.data.subarray(260 * 4 + 160 * 300 * 4) ?? [])];
    expect(pixel(old).slice(0, 4)).toEqual([0, 0, 0, 255]);
    expect(pixel(current).slice(0, 4)).toEqual([255, 255, 255, 255]);
    expect(pixel(difference).slice(0, 4)).toEqual([255, 0, 0, 255]);
  });

  test('two PDFs with different numbers of pages', () => {
    const { measures, pictures } = measure(plainPdf({ pages: ['Total', 'more'] }), plainPdf({ pages: ['Total'] }));
    expect(measures).toMatchObject({ oldPages: 2, newPages: 1, comparedPages: 2, pixelShare: 1, words: { lost: 1 } });
    expect(measures.pages).toMatchObject([{ page: 2, pixelShare: 1, pictures: { old: 'old-2.png' } }]);
    expect(Object.keys(pictures)).toEqual(['old-2.png']);
  });

  test('two PDFs with another link', () => {
    const [before, after] = ['one', 'two'].map((name) =>
      edited(page('BT /F1 9 Tf 20 40 Td (Terms) Tj ET'), '/Dest [6 0 R /Fit]', `/A <</S /URI /URI (https://${name})>>`),
    );
    const { measures } = measure(before ?? page(), after ?? page());
    expect(measures).toMatchObject({ linksLost: ['https://one'], linksAdded: ['https://two'], pixelShare: 0 });
    expect(measures.words).toMatchObject({ lost: 0, firstRestyled: [{ text: 'Terms', page: 1, styles: 'link' }] });
  });

  test('two PDFs with another page size, which are compared at the larger size', () => {
    const { measures } = measure(page(), edited(page(), '300 200', '310 200'));
    expect(measures).toMatchObject({ pageSizePt: 10, pixelShare: 0, words: { lost: 0, moved: 0 } });
  });
});

test('a mask hides differences on its own page only', () => {
  const [before, after] = [page(), page(words('Dear Eve'), 255)];
  const masks = [
    { page: 1, x: 238, y: 138, width: 44, height: 44 },
    { x: 40, y: 30, width: 60, height: 30 },
  ];
  for (const dpi of [72, 144]) {
    const { measures } = measure(before, after, { masks, dpi });
    expect(measures).toMatchObject({ pixelShare: 0, words: { lost: 0, added: 0 }, pages: [] });
  }
  const elsewhere = masks.map((mask) => ({ ...mask, page: 2 }));
  expect(measure(before, after, { masks: elsewhere }).measures).toMatchObject({ words: { lost: 1, added: 1 } });
  expect(measure(before, after, { masks: elsewhere }).measures.pixelShare).toBeGreaterThan(0.02);
});

test('pictures are kept of the twelve pages with the largest differences', () => {
  const pages = Array.from({ length: 20 }, (_, index) => `Old${index}`);
  const { measures, pictures } = measure(
    plainPdf({ pages }),
    plainPdf({ pages: pages.map((text) => text.replace('Old', 'New')) }),
  );
  expect(measures.words.lost).toBe(20);
  expect(measures.pages).toHaveLength(12);
  const names = measures.pages.flatMap((one) => Object.values(one.pictures));
  expect(Object.keys(pictures).sort()).toEqual(names.sort());
});

describe('tab leaders', () => {
  const texts = (line: string): { readonly old: number; readonly lost: number } => {
    const found = measure(page(words(line)), page(words('x'))).measures.words;
    return { old: found.oldWords, lost: found.lost };
  };

  test('are not words, alone or beside one, however many dots or lines they have', () => {
    const [long, short] = ['Total ......... 500 ____ b 7-----2', 'Total ..... 500 ______ b 7----2'];
    const { measures } = measure(page(words(long, { size: 5 })), page(words(short, { size: 5 })));
    expect(measures.words).toMatchObject({ oldWords: 5, lost: 0, added: 0 });
    expect(texts('..........')).toEqual({ old: 1, lost: 0 });
  });

  test('do not include ellipses and dashes', () => {
    expect(texts('and... -- ...')).toEqual({ old: 4, lost: 3 });
  });
});

test('a page that is too large for the resolution is compared at a lower one', () => {
  const large = edited(page(), '300 200', '1500 1500');
  expect(measure(large, large, { dpi: 300 }).measures).toMatchObject({ comparedPages: 1, pixelShare: 0, pages: [] });
});

test('a file that is not a PDF cannot be measured', () => {
  expect(() => measure(page(), Buffer.from('nothing'))).toThrow('cannot be read');
});
