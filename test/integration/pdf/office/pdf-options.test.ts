import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PdfOptions } from '../../../../src/worker/pdf/office/office-pool.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { drawing, png } from './hostile-docx.ts';
import { failureOf, imagesOf, infoOf, startTestPool, type TestPool, textOf } from './office-fixture.ts';

let office: TestPool;

beforeAll(async () => {
  office = await startTestPool();
});

afterAll(async () => {
  await office.close();
});

const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
const fivePages = buildDocx({ body: [1, 2, 3, 4, 5].map((number) => paragraph(`page ${number}`)).join(pageBreak) });

async function convert(pdf: PdfOptions, docx = fivePages): Promise<{ pdf: Uint8Array; pages: number }> {
  return office.pool.convert({ docx, pdf });
}

const sourceOf = (pdf: Uint8Array): string => Buffer.from(pdf).toString('latin1');

describe('archive', () => {
  test.each([
    ['PDF/A-1b', '1', '1\\.4'],
    ['PDF/A-2b', '2', '1\\.[67]'],
    ['PDF/A-3b', '3', '1\\.[67]'],
  ] as const)('%s is what the metadata declares', async (archive, part, version) => {
    const { pdf } = await convert({ archive });
    expect(sourceOf(pdf)).toContain(`<pdfaid:part>${part}</pdfaid:part>`);
    // LibreOffice 7.4 declares part 1 at level A, which includes level B.
    expect(sourceOf(pdf)).toMatch(part === '1' ? /<pdfaid:conformance>[AB]</ : /<pdfaid:conformance>B</);
    expect(await infoOf(pdf)).toMatch(new RegExp(`PDF version:\\s+${version}\\n`));
  });

  test('cannot be combined with encryption', async () => {
    for (const secret of [{ password: 'x' }, { permissions: {} }]) {
      const error = await failureOf(convert({ archive: 'PDF/A-2b', ...secret }));
      expect(error).toMatchObject({ code: 'invalid_request', details: [{ type: 'Field' }] });
    }
  });
});

describe('accessible', () => {
  test('produces a tagged PDF/UA', async () => {
    const { pdf } = await convert({ accessible: true });
    expect(sourceOf(pdf)).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(await infoOf(pdf)).toMatch(/Tagged:\s+yes/);
    expect(await infoOf((await convert({})).pdf)).toMatch(/Tagged:\s+no/);
  });

  test('can be combined with an archive', async () => {
    const { pdf } = await convert({ accessible: true, archive: 'PDF/A-2b' });
    expect(sourceOf(pdf)).toContain('<pdfaid:part>2</pdfaid:part>');
    expect(sourceOf(pdf)).toContain('<pdfuaid:part>1</pdfuaid:part>');
  });
});

describe('watermark', () => {
  test('is on every page', async () => {
    const { pdf } = await convert({ watermark: 'DRAFT Ä' });
    const pages = (await textOf(pdf)).split('\f').slice(0, 5);
    expect(pages.map((page) => page.includes('DRAFT Ä'))).toEqual([true, true, true, true, true]);
  });
});

describe('pages', () => {
  test('exports the pages of the range, in order', async () => {
    const { pdf, pages } = await convert({ pages: '2-3,5' });
    expect(pages).toBe(3);
    expect((await textOf(pdf)).match(/page \d/g)).toEqual(['page 2', 'page 3', 'page 5']);
  });

  test('may exceed the document', async () => {
    expect((await convert({ pages: '4-9' })).pages).toBe(2);
  });

  test.each(['7', '0', '6-9,12'])('%s contains no page and is rejected', async (pages) => {
    const error = await failureOf(convert({ pages }));
    expect(error).toMatchObject({
      code: 'invalid_request',
      slotLost: false,
      details: [
        {
          type: 'Field',
          path: 'output.pdf.pages',
          message: `The document has 5 page(s), and ${pages} contains none of them.`,
        },
      ],
    });
  });
});

describe('imageQuality', () => {
  test('reduces the size of the file with the quality', async () => {
    const rels = [{ id: 'rIdX', type: 'image', target: 'media/noise.png' }];
    const parts = { 'word/media/noise.png': png(300, 200, randomBytes(300 * 200 * 3)) };
    const docx = buildDocx({ body: drawing('<a:blip r:embed="rIdX"/>'), rels, parts });
    const [low, high] = [await convert({ imageQuality: 10 }, docx), await convert({ imageQuality: 95 }, docx)];
    expect(low.pdf.length).toBeLessThan(high.pdf.length / 3);
    expect((await imagesOf(low.pdf))[0]).toMatch(/jpeg/);
  });
  test('reduces the resolution of pictures, which is otherwise unchanged', async () => {
    const rels = [{ id: 'rIdX', type: 'image', target: 'media/large.png' }];
    const parts = { 'word/media/large.png': png(2_000, 1_000, randomBytes(2_000 * 1_000 * 3)) };
    const docx = buildDocx({ body: drawing('<a:blip r:embed="rIdX"/>'), rels, parts });
    const [plain, reduced] = [await convert({}, docx), await convert({ imageQuality: 90 }, docx)];
    expect((await imagesOf(plain.pdf))[0]).toMatch(/ 2000 +1000 /);
    expect((await imagesOf(reduced.pdf))[0]).not.toMatch(/ 2000 +1000 /);
  });
});
