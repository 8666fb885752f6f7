import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import PizZip from 'pizzip';
import { describe, expect, test } from 'vitest';
import { mergeSchema } from '../../../src/api/stated-schema/merge-schema.ts';
import type { JsonObject } from '../../../src/shared/json.ts';
import { inspectTemplate } from '../../../src/worker/docx/inspect/inspect-template.ts';
import { defaultLocale } from '../../../src/worker/docx/language/render-context.ts';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { makeDocumentInvoice } from '../../../src/worker/einvoice/make-document-invoice.ts';
import { gallery, galleryParts } from '../../../tools/gallery/gallery.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { ooxmlProblems } from '../../support/documents/ooxml-check.ts';

const folder = 'examples/gallery/';
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const localeOf: Readonly<Record<string, string>> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR' };
const places = [...galleryParts().keys()].map((path) => path.replace('/template.docx', ''));
const fileOf = (place: string, name: string) => readFileSync(`${folder}${place}/${name}`);
const dataOf = (place: string) => JSON.parse(fileOf(place, 'data.json').toString()) as JsonObject;

const fill = (place: string, data: unknown) =>
  renderTemplate(prepareTemplate(fileOf(place, 'template.docx'), 'docx'), Buffer.from(JSON.stringify(data)));

/** The text of the body, the headers and the footers. */
function textOf(file: Buffer): string {
  const stories = Object.keys(new PizZip(file).files).filter((path) =>
    /^word\/(document|header\d|footer\d)/.test(path),
  );
  return stories.map((path) => docxText(file, path)).join('\n');
}

test('the gallery has ten kinds of templates in three languages, each with data and a picture', () => {
  expect(places).toHaveLength(30);
  for (const place of places)
    expect(readdirSync(folder + place)).toEqual(expect.arrayContaining(['data.json', 'page.webp', 'template.docx']));
  const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const committed = found.flatMap(({ name }) => readdirSync(folder + name).map((language) => `${name}/${language}`));
  expect(committed.toSorted()).toEqual(places.toSorted());
});

test('the committed list is the one that npm run gallery writes', () => {
  expect(readFileSync(`${folder}gallery.json`, 'utf8')).toBe(
    Buffer.from(gallery().get('gallery.json') ?? []).toString(),
  );
});

describe.each(places)('the template %s', (place) => {
  test('is the one that npm run gallery writes', () => {
    const zip = new PizZip(fileOf(place, 'template.docx'));
    const committed = Object.keys(zip.files).map((name) => [name, zip.file(name)?.asText()]);
    // The parts are compared, because versions of zlib compress them differently.
    expect(Object.fromEntries(committed)).toEqual(
      Object.fromEntries(galleryParts().get(`${place}/template.docx`) ?? []),
    );
  });

  test('is uploaded without warnings, and is accessible', () => {
    const { warnings, accessibility } = inspectTemplate(fileOf(place, 'template.docx'));
    expect(warnings).toEqual([]);
    // A sheet of labels has no heading row.
    expect(accessibility.map(({ code }) => code)).toEqual(place.startsWith('labels') ? ['table_heading_missing'] : []);
  });

  test('prints its data, all of it, to a valid document in its language', async () => {
    const { file, warnings } = fill(place, dataOf(place));
    expect(warnings).toEqual([]);
    expect(textOf(file)).not.toMatch(/[{}]|undefined|NaN|\[object/);
    expect(new PizZip(file).file('word/styles.xml')?.asText()).toContain(
      `<w:lang w:val="${localeOf[place.split('/')[1] ?? '']}"`,
    );
    expect(await ooxmlProblems(file)).toEqual([]);
  });

  test('has data that its schema accepts, and which becomes its example when it is copied', () => {
    const { schema, example } = inspectTemplate(fileOf(place, 'template.docx'));
    const data = dataOf(place);
    const validate = ajv.compile(schema);
    expect(validate(data), ajv.errorsText(validate.errors)).toBe(true);
    expect(mergeSchema({ schema, example }, { examples: [data] }).example).toEqual(data);
  });
});

interface Invoice {
  readonly items: readonly {
    readonly quantity: number;
    readonly price: number;
    readonly rate: number;
    readonly amount: number;
  }[];
  readonly net: number;
  readonly taxes: readonly { readonly rate: number; readonly base: number; readonly amount: number }[];
  readonly total: number;
}

const cents = (amount: number) => Math.round(amount * 100);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + cents(amount), 0);

test.each(['en', 'de', 'fr'])('the invoice in %s has correct totals', (language) => {
  const { items, net, taxes, total } = dataOf(`invoice/${language}`) as unknown as Invoice;
  for (const { quantity, price, amount } of items) expect(cents(amount)).toBe(cents(quantity * price));
  expect(cents(net)).toBe(sum(items.map(({ amount }) => amount)));
  for (const { rate, base, amount } of taxes) {
    expect(cents(base)).toBe(sum(items.filter((item) => item.rate === rate).map((item) => item.amount)));
    expect(cents(amount)).toBe(Math.round(base * rate));
  }
  expect(cents(total)).toBe(cents(net) + sum(taxes.map(({ amount }) => amount)));
});

test.each([
  ['en', 'en16931'],
  ['de', 'xrechnung'],
  ['fr', 'extended'],
] as const)('the mapping of the invoice in %s makes a valid electronic invoice', (language, profile) => {
  const mapping = fileOf(`invoice/${language}`, 'invoice.map.json').toString();
  const { warnings } = makeDocumentInvoice({
    source: { kind: 'mapping', bytes: fileOf(`invoice/${language}`, 'data.json'), mapping },
    profile,
    syntax: 'cii',
    path: 'output.pdf.invoice',
    locale: defaultLocale,
    isTest: false,
  });
  expect(warnings).toEqual([]);
});

test.each([
  ['en', '£10,830.00', '£2,166.00', '£12,996.00'],
  ['de', '10.830,00\u202f€', '2.057,70\u202f€', '12.887,70\u202f€'],
  ['fr', '10 830,00\u202f€', '2 166,00\u202f€', '12 996,00\u202f€'],
])('the quotation in %s adds up what is not optional', (language, ...amounts) => {
  const text = textOf(fill(`quotation/${language}`, dataOf(`quotation/${language}`)).file).replace(
    /[\u00a0\u202f]/g,
    ' ',
  );
  for (const amount of amounts) expect(text).toContain(amount.replace(/\u202f/g, ' '));
});

test.each([
  ['en', ['Payment reminder', 'Second payment reminder', 'Final notice before legal action']],
  ['de', ['Zahlungserinnerung', 'Mahnung', 'Letzte Mahnung']],
  ['fr', ['Relance', 'Deuxième relance', 'Mise en demeure de payer']],
])('the title of the reminder in %s follows from its level, and its sum from what is charged', (language, titles) => {
  const data = dataOf(`reminder/${language}`);
  const text = (level: number, charges: object = {}) =>
    textOf(fill(`reminder/${language}`, { ...data, level, ...charges }).file);
  for (const [at, title] of titles.entries()) expect(text(at + 1).split('\n')).toContain(title);
  expect(text(1, { fee: 0, interest: 0 }).replace(/[\s,.]/gu, '')).toContain(language === 'en' ? '£252660' : '252660€');
});

test('a clause that does not apply is left out of the contract', () => {
  const data = dataOf('contract/en');
  expect(textOf(fill('contract/en', data).file)).toContain('Confidentiality');
  const { file, warnings } = fill('contract/en', { ...data, isConfidential: false, expenseLimit: null, end: null });
  expect(warnings).toEqual([]);
  expect(textOf(file)).not.toContain('Confidentiality');
  expect(textOf(file)).toContain('begins on 4 January 2027 and continues until it is terminated.');
});

test('22 addresses make two sheets of labels', () => {
  const { recipients } = dataOf('labels/en') as { readonly recipients: readonly object[] };
  const { file } = fill('labels/en', { recipients: [...recipients, ...recipients] });
  expect(
    new PizZip(file)
      .file('word/document.xml')
      ?.asText()
      .match(/<w:tbl>/g),
  ).toHaveLength(2);
});
