import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { ClaimedFont } from '../../../../src/shared/domain/documents/document-record.ts';
import type { PdfOptions } from '../../../../src/shared/output-options.ts';
import { embedFonts, groupFonts } from '../../../../src/worker/documents/account-fonts.ts';
import { Comparer } from '../../../../src/worker/pdf/compare/comparer.ts';
import { createDirectPool, type DirectPool } from '../../../../src/worker/pdf/direct-process/direct-pool.ts';
import { protectPdf } from '../../../../src/worker/pdf/protect/protect-pdf.ts';
import { watermarkPdf } from '../../../../src/worker/pdf/watermark/watermark-pdf.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { png } from '../office/hostile-docx.ts';
import { failureOf, imagesOf, infoOf, logger, textOf } from '../office/office-fixture.ts';
import { newDocxPool, useOffice } from '../office/pool-for-test.ts';

/** Direct layout and LibreOffice give the same result for the same options. */

const limits = { timeLimitMs: 240_000, logger, processes: 1 };
const direct: DirectPool = await createDirectPool(limits);
const comparer = new Comparer();
const templates = newDocxPool();
afterAll(() => Promise.all([direct.close(), comparer.close(), templates.close()]));
const office = useOffice();

async function layOut(docx: Uint8Array, options: PdfOptions = {}) {
  const made = await direct.convert({ docx, options });
  if (made.kind !== 'made') throw new Error(made.reasons.join());
  return made;
}

const reasonsOf = async (docx: Uint8Array, options: PdfOptions): Promise<readonly string[]> => {
  const made = await direct.convert({ docx, options });
  return made.kind === 'made' ? [] : made.reasons;
};

const sizes = (width: number, height: number): string =>
  `<w:pgSz w:w="${width}" w:h="${height}"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="700" w:footer="700" w:gutter="0"/>`;
const pageBreak = `<w:p>${word.pageBreak}</w:p>`;
const fivePages: DocxInput = {
  body: [1, 2, 3, 4, 5].map((number) => paragraph(`page ${number} of the document`)).join(pageBreak),
};
const landscape = { ...fivePages, section: sizes(16_838, 11_906) };
/** Two squares, drawn so large that each pixel is larger than 1/300 inch. */
const squares = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => (Math.floor(at / 3) % 64 < 32 ? 250 : 20)));
const extent = word.extent(1_440, 1_440);
const picture = (bytes: Buffer): DocxInput => ({
  body: `${paragraph('Before')}<w:p><w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${extent}/><wp:docPr id="1" name="p"/>${word.graphic('rIdPicture', extent)}</wp:inline></w:drawing></w:r></w:p>`,
  rels: [{ id: 'rIdPicture', type: 'image', target: 'media/picture.png' }],
  parts: { 'word/media/picture.png': bytes },
});

test.each<[string, DocxInput, PdfOptions]>([
  ['a watermark', fivePages, { watermark: 'DRAFT Ä' }],
  ['a watermark on wide pages', landscape, { watermark: 'Not for distribution' }],
  ['a watermark of one letter', fivePages, { watermark: 'X' }],
  ['a watermark of a sentence', fivePages, { watermark: 'For the eyes of Ada, Grace & Barbara only — 2026' }],
  ['some pages', fivePages, { pages: '2-3,5' }],
  ['pages beyond the last', fivePages, { pages: '4-9' }],
  ['some pages with a watermark', landscape, { pages: '1,4', watermark: 'COPY' }],
  ['a picture of reduced quality', picture(png(64, 64, squares)), { imageQuality: 95 }],
])('%s: the pages are those of LibreOffice', async (_title, input, options) => {
  const docx = buildDocx(input);
  const [made, expected] = [await layOut(docx, options), await office.pool.convert({ docx, pdf: options })];
  expect(made.pages).toBe(expected.pages);
  expect((await comparer.compare(expected.pdf, made.pdf)).differences).toEqual([]);
  expect(await textOf(made.pdf)).toContain(options.watermark ?? '');
});

test.each<[string, PdfOptions, string]>([
  ['pages in another order', { pages: '3,1' }, 'pages in another order'],
  ['pages that the document does not have', { pages: '7' }, 'pages that the document does not have'],
  ['a watermark in Arabic', { watermark: 'مسودة' }, 'a watermark in another script'],
  ['a watermark with a character that the font lacks', { watermark: '☃ winter' }, 'a character that the font lacks'],
])('%s are left to LibreOffice', async (_title, options, reason) => {
  expect(await reasonsOf(buildDocx(fivePages), options)).toEqual([reason]);
});

test('imageQuality makes files smaller with the quality, and reduces pictures to 300 dpi', async () => {
  const docx = buildDocx(picture(png(600, 600, randomBytes(600 * 600 * 3))));
  const [plain, high, low] = [
    await layOut(docx),
    await layOut(docx, { imageQuality: 90 }),
    await layOut(docx, { imageQuality: 20 }),
  ];
  expect(high.pdf.length).toBeLessThan(plain.pdf.length / 2);
  expect(low.pdf.length).toBeLessThan(high.pdf.length / 2);
  // One inch wide.
  expect((await imagesOf(low.pdf))[0]).toMatch(/\s300\s+300\s.*jpeg/);
  const small = buildDocx(picture(png(8, 8)));
  expect((await layOut(small, { imageQuality: 90 })).pdf.length).toBeLessThan((await layOut(small)).pdf.length * 2);
});

test('a file that is laid out directly opens with its password only, and has the watermark of test keys', async () => {
  const { pdf, pages } = await layOut(buildDocx(fivePages), { watermark: 'COPY' });
  const marked = watermarkPdf(pdf, pages, 'TEST');
  const text = await textOf(marked);
  expect(text.match(/COPY/g)).toHaveLength(5);
  expect(text).toContain('page 5 of the document');
  const options = { timeoutMs: 240_000 };
  const secret = await protectPdf(marked, { password: 'sésame', permissions: { copying: false } }, options);
  expect(await textOf(secret, '-upw', 'sésame')).toBe(text);
  expect(await infoOf(secret, '-upw', 'sésame')).toMatch(/copy:no/);
  for (const wrong of [[], ['-upw', 'sesame']])
    expect(await failureOf(textOf(secret, ...wrong))).toMatchObject({
      message: expect.stringMatching(/Incorrect password/),
    });
});

/** A font of an account: an installed font under another family name. */
async function accountFont(family: string, installed: string): Promise<{ font: ClaimedFont; file: Uint8Array }> {
  const path = execFileSync('fc-match', ['--format', '%{file}', installed], { encoding: 'utf8' });
  const { report, file } = await templates.inspectFont(readFileSync(path));
  const { fullName, style } = report;
  const checksum = hash('sha256', file, 'hex');
  const font = { id: family, familyNames: [family], fullName, style, objectKey: `fonts/${family}`, checksum };
  return { font: { ...font, uploadedChecksum: checksum, sizeBytes: file.length }, file };
}

test('a font of the account is used in the styles that it has', async () => {
  const { font, file } = await accountFont('Corporate', 'Caladea:bold');
  const { families, ...fonts } = groupFonts({ accountId: 'acc', accountFonts: [font] });
  const fill = async (format: string) => {
    const body = `<w:p>${word.run('Corporate text with {name}. '.repeat(20), `${word.font('Corporate')}${format}`)}</w:p>`;
    const request = { templateKey: format, template: buildDocx({ body: paragraph('Plain') + body }) };
    const data = Buffer.from('{"name": "Ada"}');
    const filled = await templates.render({ ...request, data, target: 'pdf', accountFonts: families });
    return await embedFonts(async () => file, { families, ...fonts }, filled);
  };
  const bold = await fill('<w:b/>');
  const [made, expected] = [await layOut(bold.docx), await office.pool.convert(bold)];
  expect((await comparer.compare(expected.pdf, made.pdf)).differences).toEqual([]);
  expect(await reasonsOf((await fill('')).docx, {})).toEqual(['a font that is not plain']);
});
