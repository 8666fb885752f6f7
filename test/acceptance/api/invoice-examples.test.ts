import { readFileSync, writeFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { uploadForm } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { pdfText } from '../../support/documents/document-text.ts';

const { newClient } = await useService(inject('stack'));
const file = (name: string) => readFileSync(`examples/e-invoices/${name}`);
const hybrid = (profile: string) => ({ format: 'pdf', pdf: { invoice: { format: 'factur-x', profile } } });
const alone = (profile: string) => ({ format: 'xml', xml: { profile } });

interface Example {
  readonly template: Buffer;
  readonly map: string;
  readonly data: unknown;
}

async function expectValidInvoices(
  { template, map, data }: Example,
  locale: string,
  outputs: readonly { readonly format: string }[],
  total: string,
): Promise<void> {
  const client = await newClient();
  const body = uploadForm('invoice.docx', template);
  body.append('invoiceMap', map);
  const uploaded = await client.call('POST', '/v1/templates', { body });
  expect(uploaded.status, uploaded.bytes.toString()).toBe(201);
  expect(uploaded.json()).toMatchObject({ warnings: [] });
  const { id } = uploaded.json<{ id: string }>();
  for (const output of outputs) {
    const made = await client.generate(id, { data, output: { ...output, locale } });
    expect(made.status, made.bytes.toString('utf8').slice(0, 1_500)).toBe(200);
    const job = await client.call('GET', `/v1/jobs/${made.headers.get('document-id')}`);
    const warnings = job.json<{ warnings: readonly unknown[] }>().warnings;
    expect(warnings).toEqual([]);
    const verdict = await client.call('POST', '/v1/invoices/validate', { body: uploadForm('invoice', made.bytes) });
    expect(verdict.json()).toMatchObject({
      valid: true,
      findings: [],
      differences: output.format === 'pdf' ? [] : null,
    });
    if (output.format !== 'pdf') continue;
    if (process.env.EXAMPLE_FOLDER !== undefined)
      writeFileSync(`${process.env.EXAMPLE_FOLDER}/${locale}.pdf`, made.bytes);
    expect((await pdfText(made.bytes)).replace(/\s/g, ' ')).toContain(total);
  }
}

test.each([
  ['de', 'de-DE', [hybrid('xrechnung'), alone('xrechnung')], '1.556,08'],
  ['at', 'de-AT', [hybrid('en16931'), alone('en16931')], '1.940,00'],
  ['fr', 'fr-FR', [hybrid('extended'), hybrid('en16931')], '4 482,84'],
  ['be', 'nl-BE', [alone('peppol'), hybrid('en16931')], '7.374,50'],
  ['it', 'it-IT', [alone('peppol'), hybrid('en16931')], '1995,24'],
  ['es', 'es-ES', [alone('peppol'), hybrid('en16931')], '3540,24'],
])('the example for %s makes valid invoices', async (country, locale, outputs, total) => {
  const template = file(`${country}.docx`);
  const data: unknown = JSON.parse(file(`${country}.json`).toString());
  await expectValidInvoices({ template, map: file(`${country}.map.json`).toString(), data }, locale, outputs, total);
});

test.each([
  ['en', 'en-GB', [hybrid('en16931'), alone('en16931')], '21,804.00'],
  ['de', 'de-DE', [hybrid('xrechnung'), alone('xrechnung')], '20.678,94'],
  ['fr', 'fr-FR', [hybrid('extended'), hybrid('en16931')], '20 771,64'],
])('the invoice of the gallery in %s makes valid invoices', async (language, locale, outputs, total) => {
  const of = (name: string) => readFileSync(`examples/gallery/invoice/${language}/${name}`);
  const data: unknown = JSON.parse(of('data.json').toString());
  const example = { template: of('template.docx'), map: of('invoice.map.json').toString(), data };
  await expectValidInvoices(example, locale, outputs, total);
});
