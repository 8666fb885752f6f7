import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PdfOptions } from '../../../../src/shared/output-options.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { normalizePdf } from '../../../../src/worker/pdf/normalize/normalize-pdf.ts';
import { buildDocx, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { field, fieldStyles, styled } from '../../../support/documents/field-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { type TestPool, textOf } from './office-fixture.ts';
import { engines, useOffice } from './pool-for-test.ts';

const documentDate = new Date('2026-03-31T22:30:05Z');
const localDate = '2026-04-01T00:30:05';

const dated = (code: string) => `<w:p>${field(code, run('old'))}</w:p>`;
const text = (font: string, style: string) => word.paragraph(word.run(`Some text in ${font}`, word.font(font) + style));
const change = (author: string) =>
  `<w:p><w:ins w:id="1" w:author="${author}" w:date="2026-01-01T00:00:00Z">${run('added')}</w:ins></w:p>`;

const fonts = ['Calibri', 'Cambria', 'Arial', 'Times New Roman', 'Courier New'];
const dates = [
  'TOC \\o "1-3"',
  'DATE \\@ "yyyy-MM-dd HH:mm"',
  'SAVEDATE \\@ "yyyy-MM-dd"',
  'CREATEDATE \\@ "yyyy"',
  'PRINTDATE',
  'EDITTIME',
  'TIME \\@ "HH:mm:ss"',
];

const rich = fill(
  buildDocx({
    body: [
      ...dates.map(dated),
      styled('Heading1', 'First {name}'),
      ...fonts.flatMap((font) => ['', '<w:b/>', '<w:i/>'].map((style) => text(font, style))),
      ...[change('Zoe'), change('Bob'), styled('Heading1', 'Second'), table([['{#rows}{sku}', '{%qr sku}{/rows}']])],
      paragraph('{~rich}'),
      // LibreOffice embeds these as Type 1 fonts.
      paragraph('漢字 かな 한국어 中文 😀'),
      text('Noto Serif CJK JP', '<w:b/>'),
    ].join(''),
    parts: { 'word/styles.xml': fieldStyles },
  }),
);
const other = fill(
  buildDocx({ body: `${change('Carl')}${change('Bob')}${text('Cambria', '<w:i/>')}${paragraph('{name}')}` }),
);

function fill(template: Uint8Array): Uint8Array {
  const data = {
    name: 'Ada',
    rich: '<p>Bold <b>text</b></p><ul><li>one</li></ul>',
    rows: [{ sku: 'A-1' }, { sku: 'B-2' }],
  };
  const options = { documentDate: documentDate.toISOString() };
  return renderTemplate(prepareTemplate(template, 'pdf'), Buffer.from(JSON.stringify(data)), options).file;
}

async function convert({ pool }: TestPool, docx: Uint8Array, pdf: PdfOptions = {}): Promise<Uint8Array> {
  return normalizePdf((await pool.convert({ docx, pdf, localDate })).pdf, documentDate);
}
const digestOf = async (...request: Parameters<typeof convert>): Promise<string> =>
  hash('sha256', await convert(...request), 'hex');

describe.each(engines)('a document, with $name,', ({ sofficePath }) => {
  const [first, second] = [useOffice({ sofficePath }), useOffice({ sofficePath })];

  test('has the same bytes from any LibreOffice, with the colours of its own authors, whatever it converted before', async () => {
    const alone = await digestOf(first, other);
    await convert(second, rich);
    expect(await digestOf(second, other)).toBe(alone);
    const choices: PdfOptions[] = [
      {},
      { archive: 'PDF/A-2b' },
      { accessible: true },
      { watermark: 'DRAFT', imageQuality: 50 },
    ];
    for (const options of choices)
      expect(await digestOf(second, rich, options), JSON.stringify(options)).toBe(await digestOf(first, rich, options));
    for (let round = 0; round < 6; round++) await convert(first, round % 2 === 0 ? other : rich);
    expect(await digestOf(first, rich)).toBe(await digestOf(second, rich));
  });

  test('shows its date in every field of a date or time', async () => {
    const shown = await textOf(await convert(first, rich));
    for (const date of ['2026-04-01 00:30', '2026-04-01\n', '2026\n', '4/1/2026', '00:30:05'])
      expect(shown).toContain(date);
  });
});
