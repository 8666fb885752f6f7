import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { normalizePdf } from '../../../../src/worker/pdf/normalize/normalize-pdf.ts';
import type { OfficePool, PdfOptions } from '../../../../src/worker/pdf/office/office-pool.ts';
import { buildDocx, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { olderOffice } from '../../../support/older-office.ts';
import { textOf } from './office-fixture.ts';
import { poolForTest } from './pool-for-test.ts';

const documentDate = new Date('2026-03-31T22:30:05Z');
const localDate = '2026-04-01T00:30:05';

const field = (instruction: string) =>
  `<w:p><w:fldSimple w:instr=" ${instruction.replaceAll('"', '&quot;')} "><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>`;
const styled = (font: string, style: string) =>
  `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/>${style}</w:rPr><w:t>Some text in ${font}</w:t></w:r></w:p>`;
const change = (author: string) =>
  `<w:p><w:ins w:id="1" w:author="${author}" w:date="2026-01-01T00:00:00Z"><w:r><w:t>added</w:t></w:r></w:ins></w:p>`;
const heading = (text: string) => `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const contents =
  '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> TOC \\o "1-3" </w:instrText></w:r>' +
  '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>old</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>';

const fonts = ['Calibri', 'Cambria', 'Arial', 'Times New Roman', 'Courier New'];
const dates = [
  'DATE \\@ "yyyy-MM-dd HH:mm"',
  'SAVEDATE \\@ "yyyy-MM-dd"',
  'CREATEDATE \\@ "yyyy"',
  'PRINTDATE',
  'EDITTIME',
];

const rich = buildDocx({
  body: [
    ...[contents, heading('First {name}'), ...dates.map(field), field('TIME \\@ "HH:mm:ss"')],
    ...fonts.flatMap((font) => ['', '<w:b/>', '<w:i/>'].map((style) => styled(font, style))),
    ...[change('Zoe'), change('Bob'), heading('Second'), table([['{#rows}{sku}', '{%qr sku}{/rows}']])],
    paragraph('{~rich}'),
    // LibreOffice embeds these as Type 1 fonts.
    paragraph('漢字 かな 한국어 中文 😀'),
    styled('Noto Serif CJK JP', '<w:b/>'),
  ].join(''),
});
const other = buildDocx({
  body: `${change('Carl')}${change('Bob')}${styled('Cambria', '<w:i/>')}${paragraph('{name}')}`,
});

const data = {
  name: 'Ada',
  rich: '<p>Bold <b>text</b></p><ul><li>one</li></ul>',
  rows: [{ sku: 'A-1' }, { sku: 'B-2' }],
};

function fill(template: Uint8Array): Uint8Array {
  const options = { documentDate: documentDate.toISOString() };
  return renderTemplate(prepareTemplate(template, 'pdf'), Buffer.from(JSON.stringify(data)), options).file;
}

async function convert(pool: OfficePool, docx: Uint8Array, pdf: PdfOptions = {}): Promise<Uint8Array> {
  return normalizePdf((await pool.convert({ docx, pdf, localDate })).pdf, documentDate);
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const engines = [
  ['LibreOffice of the system', undefined],
  ['LibreOffice 7.4', olderOffice()],
] as const;

describe.each(engines)('the same document, with %s', (name, sofficePath) => {
  const isMissing = name === 'LibreOffice 7.4' && sofficePath === undefined;
  const startPool = () => poolForTest({ sofficePath });

  test.skipIf(isMissing)(
    'has the same bytes from any LibreOffice, whatever it converted before',
    async () => {
      const docx = fill(rich);
      const choices: PdfOptions[] = [
        {},
        { archive: 'PDF/A-2b' },
        { accessible: true },
        { watermark: 'DRAFT', imageQuality: 50 },
      ];
      const [first, second] = [await startPool(), await startPool()];
      await convert(second.pool, fill(other));
      for (const options of choices) {
        const [one, two] = [await convert(first.pool, docx, options), await convert(second.pool, docx, options)];
        expect(digest(two), JSON.stringify(options)).toBe(digest(one));
      }
      for (let round = 0; round < 20; round++) await convert(first.pool, fill(round % 2 === 0 ? other : rich));
      expect(digest(await convert(first.pool, docx))).toBe(digest(await convert(second.pool, docx)));
    },
    240_000,
  );

  test.skipIf(isMissing)(
    'shows its date in every field of a date or time',
    async () => {
      const { pool } = await startPool();
      const text = await textOf(await convert(pool, fill(rich)));
      for (const shown of ['2026-04-01 00:30', '2026-04-01\n', '2026\n', '4/1/2026', '00:30:05'])
        expect(text).toContain(shown);
    },
    120_000,
  );

  test.skipIf(isMissing)(
    'shows the colours of its own authors',
    async () => {
      const [first, second] = [await startPool(), await startPool()];
      const alone = await convert(first.pool, fill(other));
      await convert(second.pool, fill(rich));
      expect(digest(await convert(second.pool, fill(other)))).toBe(digest(alone));
    },
    120_000,
  );
});
