import { afterAll, describe, expect, it } from 'vitest';
import { convertWithPages } from '../../../src/worker/documents/convert-with-pages.ts';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { buildDocx, type DocxInput, paragraph, run } from '../../support/documents/docx-builder.ts';
import { field, fieldMark, pageBreak } from '../../support/documents/field-builder.ts';
import { inspect, textOf } from './office/office-fixture.ts';
import { newDocxPool, useOffice } from './office/pool-for-test.ts';

const office = useOffice();
const docx = newDocxPool();
afterAll(() => docx.close());

/** The pages of the PDF of a filled template, their white space collapsed. */
async function pagesOf(
  input: DocxInput,
  data: unknown,
  options: Parameters<typeof convert>[2] = {},
): Promise<string[]> {
  const texts = (await textOf(await convert(input, data, options), '-layout')).split('\f').slice(0, -1);
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
}

async function convert(
  input: DocxInput,
  data: unknown,
  { locale, accessible, pages }: { locale?: string; accessible?: boolean; pages?: string } = {},
): Promise<Uint8Array> {
  const { file, hasPageFields } = renderTemplate(
    prepareTemplate(buildDocx(input), 'pdf'),
    Buffer.from(JSON.stringify(data)),
    { locale },
  );
  const pdfOptions = { accessible, pages };
  const once = (bytes: Uint8Array) => office.pool.convert({ docx: bytes, pdf: pdfOptions });
  if (!hasPageFields) return (await once(file)).pdf;
  const document = { accountId: 'a', pdfOptions, renderOptions: { locale }, docx: file };
  const { pdf, warnings } = await convertWithPages({ docx }, {}, document, once);
  expect(warnings).toEqual([]);
  return pdf;
}

const saved = run('saved');
const code = (text: string): string =>
  `<w:r><w:instrText xml:space="preserve">${text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</w:instrText></w:r>`;
const around = (...pieces: string[]): string =>
  `${fieldMark('begin')}${pieces.join('')}${fieldMark('separate')}${saved}${fieldMark('end')}`;
const ifField = (operand: string, rest: string): string => around(code(' IF '), field(operand, saved), code(rest));
const threePages = paragraph('{x} one') + pageBreak + paragraph('two') + pageBreak + paragraph('three');

describe('a field that depends on its page', () => {
  it('shows its own result on each page, with fields inside', async () => {
    const headers = [`<w:p>${ifField('PAGE', ' > 1 "Continued" "First"')}</w:p>`];
    const footers = [
      `<w:p>${around(code(' IF '), field('PAGE', saved), code(' = '), field('NUMPAGES', saved), code(' "last" "page '), field('PAGE', saved), code('"'))}</w:p>`,
    ];
    const template = { body: threePages, headers, footers };
    const expected = ['First 1 one page 1', 'Continued two page 2', 'Continued three last'];
    expect(await pagesOf(template, { x: 1 })).toEqual(expected);
    expect(await pagesOf(template, { x: 1 }, { accessible: true })).toEqual(expected);
    expect(await pagesOf(template, { x: 1 }, { pages: '2-3' })).toEqual(expected.slice(1));
  });

  it('counts the pages of its section, in digits', async () => {
    const footers = [
      `<w:p>${run('Page ')}${field('PAGE', saved)}${run(' of ')}${field('SECTIONPAGES', saved)}${run(' / ')}${field('NUMPAGES', saved)}</w:p>`,
    ];
    const page =
      '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1000" w:right="1000" w:bottom="1000" w:left="1000" w:header="500" w:footer="500" w:gutter="0"/>';
    const first = `<w:p><w:pPr><w:sectPr>${page}</w:sectPr></w:pPr></w:p>`;
    const body = paragraph('{x}') + first + paragraph('b') + pageBreak + paragraph('c');
    const section = `${page}<w:pgNumType w:fmt="lowerRoman" w:start="1"/>`;
    const pages = await pagesOf({ body, footers, section }, { x: 1 });
    expect(pages.slice(-2)).toEqual(['b Page i of 2 / 3', 'c Page ii of 2 / 3']);
  });

  it('knows the pages of the PDF without the blank ones before right-hand pages', async () => {
    const footers = [
      `<w:p>${run('Page ')}${field('PAGE', saved)}${run(' of ')}${field('SECTIONPAGES', saved)}${run(' / ')}${field('NUMPAGES', saved)}${run(' ')}${ifField('PAGE', ' > 1 "Continued" "First"')}</w:p>`,
    ];
    const reference = '<w:footerReference w:type="default" r:id="rIdF1"/>';
    const size = '<w:pgSz w:w="11906" w:h="16838"/>';
    const restart = `${size}<w:pgNumType w:start="1"/>`;
    const sectionEnd = `<w:p><w:pPr><w:sectPr>${reference}${restart}</w:sectPr></w:pPr></w:p>`;
    const last = `<w:p>${field('NUMPAGES', saved)}${run(' pages ')}${around(code(' = '), field('PAGE', saved), code(' * 10 '))}</w:p>`;
    const letters = paragraph('{x}') + sectionEnd + threePages + sectionEnd + last;
    const expected = [
      '1 Page 1 of 1 / 5 First',
      '1 one Page 1 of 3 / 5 First',
      'two Page 2 of 3 / 5 Continued',
      'three Page 3 of 3 / 5 Continued',
      '5 pages 10 Page 1 of 1 / 5 First',
    ];
    const template = { body: letters, footers, section: restart };
    expect(await pagesOf(template, { x: 1 })).toEqual(expected);
    expect(await pagesOf(template, { x: 1 }, { pages: '2-3' })).toEqual(expected.slice(1, 3));
    const oddPage = { ...template, section: `<w:type w:val="oddPage"/>${size}` };
    expect((await pagesOf(oddPage, { x: 1 })).at(-1)).toBe('6 pages 50 Page 5 of 1 / 6 Continued');
  });

  it('is computed in text, on the page where it is', async () => {
    const body = `${threePages}<w:p>${around(code(' = '), field('PAGE', saved), code(' * 10 '))}</w:p>`;
    expect((await pagesOf({ body }, { x: 1 })).at(-1)).toBe('three 30');
  });
});

it('decimal tabs align at the separator of the language', async () => {
  const settings = '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"></w:settings>';
  const line =
    '<w:p><w:pPr><w:tabs><w:tab w:val="decimal" w:pos="5000"/></w:tabs></w:pPr><w:r><w:tab/><w:t>{. | number:2}</w:t></w:r></w:p>';
  const template = { body: paragraph('{#a}') + line + paragraph('{/a}'), parts: { 'word/settings.xml': settings } };
  for (const locale of ['de', 'en']) {
    const words = (
      await inspect('pdftotext', await convert(template, { a: [6500, -87.2, 12345678.9] }, { locale }), ['-bbox'], '-')
    ).toString();
    const ends = [...words.matchAll(/xMax="([\d.]+)"[^>]*>[^<]*\d{2}<\/word>/g)].map(([, end]) =>
      Math.round(Number(end)),
    );
    expect(new Set(ends).size, `${locale}: ${ends}`).toBe(1);
  }
});

it('formulas are printed', async () => {
  const math = 'http://schemas.openxmlformats.org/officeDocument/2006/math';
  const formula = `<w:p><m:oMath xmlns:m="${math}"><m:f><m:num><m:r><m:t>{force}</m:t></m:r></m:num><m:den><m:r><m:t>30</m:t></m:r></m:den></m:f></m:oMath></w:p>`;
  expect(await pagesOf({ body: formula }, { force: 1200 })).toEqual(['1200 30']);
});
