import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PdfOptions } from '../../../../src/shared/output-options.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { drawing, png } from './hostile-docx.ts';
import { failureOf, imagesOf, infoOf, textOf } from './office-fixture.ts';
import { engines, useOffice } from './pool-for-test.ts';

const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
const fivePages = buildDocx({ body: [1, 2, 3, 4, 5].map((number) => paragraph(`page ${number}`)).join(pageBreak) });

const sourceOf = (pdf: Uint8Array): string => Buffer.from(pdf).toString('latin1');

describe.each(engines)('with $name, the option', ({ sofficePath }) => {
  const office = useOffice({ sofficePath });
  const convert = (pdf: PdfOptions, docx = fivePages) => office.pool.convert({ docx, pdf });

  test.each([
    ['PDF/A-1b', '1', '1\\.4'],
    ['PDF/A-2b', '2', '1\\.[67]'],
    ['PDF/A-3b', '3', '1\\.[67]'],
  ] as const)('archive %s is what the metadata declares', async (archive, part, version) => {
    const { pdf } = await convert({ archive });
    expect(sourceOf(pdf)).toContain(`<pdfaid:part>${part}</pdfaid:part>`);
    // LibreOffice 7.4 declares part 1 at level A, which includes level B.
    expect(sourceOf(pdf)).toMatch(part === '1' ? /<pdfaid:conformance>[AB]</ : /<pdfaid:conformance>B</);
    expect(await infoOf(pdf)).toMatch(new RegExp(`PDF version:\\s+${version}\\n`));
  });

  test('accessible produces a tagged PDF/UA', async () => {
    const { pdf } = await convert({ accessible: true });
    expect(sourceOf(pdf)).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(await infoOf(pdf)).toMatch(/Tagged:\s+yes/);
    expect(await infoOf((await convert({})).pdf)).toMatch(/Tagged:\s+no/);
  });

  test('watermark is on every page', async () => {
    const { pdf } = await convert({ watermark: 'DRAFT Ä' });
    const pages = (await textOf(pdf)).split('\f').slice(0, 5);
    expect(pages.map((page) => page.includes('DRAFT Ä'))).toEqual([true, true, true, true, true]);
  });

  test('pages exports the pages of the range, in order', async () => {
    const { pdf, pages } = await convert({ pages: '2-3,5' });
    expect(pages).toBe(3);
    expect((await textOf(pdf)).match(/page \d/g)).toEqual(['page 2', 'page 3', 'page 5']);
  });

  test('pages may exceed the document', async () => {
    expect((await convert({ pages: '4-9' })).pages).toBe(2);
  });

  test('pages that the document does not have is rejected', async () => {
    const error = await failureOf(convert({ pages: '6-9,12' }));
    expect(error).toMatchObject({
      code: 'invalid_request',
      slotLost: false,
      details: [
        {
          type: 'Field',
          path: 'output.pdf.pages',
          message: 'The document has 5 page(s), and 6-9,12 contains none of them.',
        },
      ],
    });
  });

  const noise = (width: number, height: number): Buffer =>
    buildDocx({
      body: drawing('<a:blip r:embed="rIdX"/>'),
      rels: [{ id: 'rIdX', type: 'image', target: 'media/noise.png' }],
      parts: { 'word/media/noise.png': png(width, height, randomBytes(width * height * 3)) },
    });

  test('imageQuality reduces the size of the file with the quality', async () => {
    const docx = noise(300, 200);
    const [low, high] = [await convert({ imageQuality: 10 }, docx), await convert({ imageQuality: 95 }, docx)];
    expect(low.pdf.length).toBeLessThan(high.pdf.length / 3);
    expect((await imagesOf(low.pdf))[0]).toMatch(/jpeg/);
  });

  test('imageQuality reduces the resolution of pictures, which is otherwise unchanged', async () => {
    const docx = noise(2_000, 1_000);
    const [plain, reduced] = [await convert({}, docx), await convert({ imageQuality: 90 }, docx)];
    expect((await imagesOf(plain.pdf))[0]).toMatch(/ 2000 +1000 /);
    expect((await imagesOf(reduced.pdf))[0]).not.toMatch(/ 2000 +1000 /);
  });
});
