import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { prepareTemplate, type RenderTarget, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { pdfText } from '../../support/documents/document-text.ts';
import {
  buildDocx,
  type DocxInput,
  footnoteReference,
  paragraph,
  run,
  table,
} from '../../support/documents/docx-builder.ts';
import { useLibreOffice } from './use-libreoffice.ts';

const toPdf = await useLibreOffice();

/** The text of the PDF that LibreOffice produces from a filled template; white space is collapsed. */
async function seenText(template: Buffer, data: unknown, target: RenderTarget): Promise<string> {
  const { file } = renderTemplate(prepareTemplate(template, target), Buffer.from(JSON.stringify(data)));
  return (await pdfText(await toPdf(file))).replace(/\s+/g, ' ').trim();
}

const build = (input: DocxInput) => buildDocx(input);
const repeated: DocxInput = {
  body:
    `<w:p>${run('Dear {customer.name}')}${footnoteReference(1)}</w:p>` +
    paragraph('{#orders}') +
    paragraph('Order {id}') +
    table([
      ['Article', 'Sizes', 'Price'],
      ['{#items}{sku}', '{#sizes}{.} {/sizes}{^sizes}one size{/sizes}', '{price}{/items}'],
    ]) +
    table([['{#gifts}{.}', 'gift{/gifts}']]) +
    paragraph('{/orders}') +
    table([[paragraph('{#secret}') + paragraph('hidden') + paragraph('{/secret}'), 'kept']]) +
    paragraph('{note}'),
  headers: [paragraph('Header {customer.name}')],
  footers: [table([['{#contacts}{.}', 'contact{/contacts}']])],
  footnotes: [paragraph('Terms for {customer.name}')],
};
const repeatedData = {
  customer: { name: 'Ada & <Byron>' },
  orders: [
    {
      id: 1,
      items: [
        { sku: 'A1', sizes: ['small', 'large'], price: 12.5 },
        { sku: 'B2', sizes: [], price: 0 },
      ],
      gifts: [],
    },
    { id: 2, items: [], gifts: ['cup'] },
  ],
  note: 'first line\nsecond\tline',
  contacts: [],
};

describe.each(['docx', 'pdf'] as const)('a template filled for %s', (target) => {
  it('opens in LibreOffice with everything in its place', async () => {
    const text = await seenText(build(repeated), repeatedData, target);
    expect(text).toBe(
      'Header Ada & <Byron> Dear Ada & <Byron>1 ' +
        'Order 1 Article Sizes Price A1 small large 12.5 B2 one size 0 ' +
        'Order 2 Article Sizes Price cup gift kept first line second line 1Terms for Ada & <Byron>',
    );
  });

  it.each(['invoice', 'contract', 'letter', 'report', 'certificate'])(
    'opens as the %s of the examples',
    async (name) => {
      const example = (ending: string) => new URL(`../../../examples/${name}.${ending}`, import.meta.url);
      const data = JSON.parse(await readFile(example('json'), 'utf8')) as unknown;
      const text = await seenText(await readFile(example('docx')), data, target);
      expect(text.length).toBeGreaterThan(200);
      expect(text).not.toMatch(/[{}]|undefined|\[object/);
    },
  );
});
