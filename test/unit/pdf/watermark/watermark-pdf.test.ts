import { expect, test } from 'vitest';
import { readPdfFile } from '../../../../src/worker/pdf/pdf-file.ts';
import { watermarkPdf } from '../../../../src/worker/pdf/watermark/watermark-pdf.ts';

interface Page {
  readonly box: string;
  readonly contents: string;
}

/** A PDF in the form in which LibreOffice writes it. */
function officePdf(pages: readonly Page[], more = ''): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, i) => `${i + 4} 0 R`).join(' ')}]>>`,
    '<</Length 3>>\nstream\nq Q\nendstream',
    ...pages.map(({ box, contents }) => `<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Contents ${contents}>>`),
    ...(more === '' ? [] : [more]),
  ];
  let text = '%PDF-1.7\n';
  const entries = objects.map((object, i) => {
    const entry = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${i + 1} 0 obj\n${object}\nendobj\n\n`;
    return entry;
  });
  const start = text.length;
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
}

const markTest = (pdf: Buffer, pages: number) => watermarkPdf(pdf, pages, 'TEST');

const a4 = '0 0 595 842';
const objectsOf = (pdf: Uint8Array): Map<number, string> =>
  new Map(readPdfFile(pdf)?.objects.map(({ number, bytes }) => [number, bytes.toString('latin1')]));

test('every page gets the word below and above its content, and pages of the same size share it', () => {
  const pages = [a4, a4, '0 0 842 595'].map((box) => ({ box, contents: '3 0 R' }));
  const marked = markTest(officePdf(pages), 3);
  const objects = objectsOf(marked);
  expect(objects.size).toBe(6 + 4);
  expect(objects.get(4)).toContain('/Contents[7 0 R 3 0 R 8 0 R]');
  expect(objects.get(5)).toContain('/Contents[7 0 R 3 0 R 8 0 R]');
  expect(objects.get(6)).toContain('/Contents[9 0 R 3 0 R 10 0 R]');
  for (const number of [7, 8, 9, 10]) expect(objects.get(number)).toContain('/Artifact<</Type/Pagination');
  expect(marked.toString('latin1')).toContain('/Size 11');
});

type Point = readonly [x: number, y: number];

const pointsOf = (drawn: string): Point[] =>
  [...drawn.matchAll(/(-?[\d.]+) (-?[\d.]+) [ml]/g)].map(([, x, y]) => [Number(x), Number(y)]);

test('the letters stay on the page, whatever its size and origin', () => {
  for (const box of [a4, '0 0 842 595', '0 0 100 2000', '-50 -50 250 150', '0 0 14400 72', '0 0 72 72']) {
    const [left = 0, bottom = 0, right = 0, top = 0] = box.split(' ').map(Number);
    const objects = objectsOf(markTest(officePdf([{ box, contents: '3 0 R' }]), 1));
    for (const [number, contours] of [
      [5, 1],
      [6, 2],
    ] as const) {
      const points = pointsOf(objects.get(number) ?? '');
      expect(points).toHaveLength(contours * (8 + 12 + 12 + 8));
      for (const [x, y] of points) {
        expect(x).toBeGreaterThanOrEqual(left);
        expect(x).toBeLessThanOrEqual(right);
        expect(y).toBeGreaterThanOrEqual(bottom);
        expect(y).toBeLessThanOrEqual(top);
      }
    }
  }
});

test('above the content, the word is in the margin only: nothing crosses the text', () => {
  for (const word of ['TEST', 'PREVIEW'] as const) {
    const objects = objectsOf(watermarkPdf(officePdf([{ box: a4, contents: '3 0 R' }]), 1, word));
    const above = pointsOf(objects.get(6) ?? '');
    // A margin of 1 cm, less than Word's narrowest.
    for (const [x] of above) expect(x).toBeGreaterThan(595 - 28);
    const across = pointsOf(objects.get(5) ?? '').map(([x]) => x);
    expect(Math.max(...across) - Math.min(...across)).toBeGreaterThan(595 / 2);
    expect(objects.get(5)).toContain(' 0.94 g\n');
  }
});

test('a page with several content streams keeps their order', () => {
  const marked = markTest(officePdf([{ box: a4, contents: '[3 0 R 3 0 R]' }]), 1);
  expect(objectsOf(marked).get(4)).toContain('/Contents[5 0 R 3 0 R 3 0 R 6 0 R]');
});

test('text in the file that looks like a page is left alone', () => {
  const link = '<</Type/Annot/A<</URI(http://x/Type/Page/MediaBox[0 0 1 1]/Contents 3 0 R)>>>>';
  const objects = objectsOf(markTest(officePdf([{ box: a4, contents: '3 0 R' }], link), 1));
  expect(objects.get(5)).toContain(link);
});

test('a file whose pages cannot be marked is never returned', () => {
  expect(() => markTest(officePdf([{ box: a4, contents: '3 0 R' }]), 2)).toThrow('1 of 2 pages');
  expect(() => markTest(officePdf([{ box: 'x', contents: '3 0 R' }]), 1)).toThrow('0 of 1 pages');
  expect(() => markTest(Buffer.from('%PDF-1.7\nnothing'), 1)).toThrow('table of objects');
});

test('the word PREVIEW has all its letters, with holes in P and R', () => {
  const marked = watermarkPdf(officePdf([{ box: a4, contents: '3 0 R' }]), 1, 'PREVIEW');
  const drawn = objectsOf(marked).get(5) ?? '';
  expect(drawn.match(/ h$/gm)).toHaveLength('PREVIEW'.length + 2);
});
