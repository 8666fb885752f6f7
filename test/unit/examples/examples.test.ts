import { readdirSync, readFileSync } from 'node:fs';
import PizZip from 'pizzip';
import { describe, expect, test } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { docxText } from '../../support/documents/document-text.ts';

const names = readdirSync('examples').flatMap((file) => /^(.*)\.docx$/.exec(file)?.[1] ?? []);
const fileOf = (name: string, ending: string): Buffer => readFileSync(`examples/${name}.${ending}`);
const dataOf = (name: string): unknown => JSON.parse(fileOf(name, 'json').toString('utf8'));

/** The text of body, headers, footers and footnotes, and the values that are missing in any element of any loop. */
function render(name: string, data: unknown) {
  const template = prepareTemplate(fileOf(name, 'docx'), 'docx');
  const { file, warnings } = renderTemplate(template, Buffer.from(JSON.stringify(data)));
  const stories = Object.keys(new PizZip(file).files).filter((path) =>
    /^word\/(document|header\d+|footer\d+|footnotes)\.xml$/.test(path),
  );
  return { text: stories.map((path) => docxText(file, path)).join('\n'), warnings };
}

/** Data for the conditional text that the example's own data leaves out. */
const notChosen: Readonly<Record<string, readonly string[]>> = { contract: ['€85.00'] };

const leaves = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
};

describe.each(names)('the %s example', (name) => {
  const zip = new PizZip(fileOf(name, 'docx'));
  const part = (path: string) => zip.file(path)?.asText() ?? '';

  test('has data for every tag, and prints every value', () => {
    const { text, warnings } = render(name, dataOf(name));
    expect(warnings).toEqual([]);
    expect(text).not.toMatch(/[{}]|undefined|\[object/);
    expect(leaves(dataOf(name)).filter((value) => !text.includes(value))).toEqual(notChosen[name] ?? []);
  });

  test('is an A4 document in English with a title, a subject and a creator', () => {
    expect(part('word/document.xml')).toMatch(
      /<w:pgSz w:w="(11906" w:h="16838"|16838" w:h="11906" w:orient="landscape")/,
    );
    expect(part('word/styles.xml')).toContain('<w:lang w:val="en-GB"');
    expect(part('docProps/core.xml')).toMatch(/<dc:title>[^<]+<.*<dc:subject>[^<]+<.*<dc:creator>Linden Works</);
  });

  test('uses only styles that it defines', () => {
    const defined = new Set([...part('word/styles.xml').matchAll(/w:styleId="(\w+)"/g)].map(([, id]) => id));
    const stories = Object.keys(zip.files).filter((path) => /^word\/(document|header|footer|footnotes)/.test(path));
    const used = stories.flatMap((path) =>
      [...part(path).matchAll(/<w:(?:p|r|tbl)Style w:val="(\w+)"/g)].map(([, id]) => id),
    );
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((id) => !defined.has(id))).toEqual([]);
  });
});

interface Invoice {
  readonly items: readonly { readonly quantity: string; readonly unitPrice: string; readonly amount: string }[];
  readonly subtotal: string;
  readonly discount: false | { readonly amount: string };
  readonly taxes: readonly { readonly rate: string; readonly base: string; readonly amount: string }[];
  readonly total: string;
}

const cents = (shown: string): number => Math.round(Number(shown.replace(/[€,]/g, '').replace('−', '-')) * 100);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('the invoice has correct totals', () => {
  const { items, subtotal, discount, taxes, total } = dataOf('invoice') as Invoice;
  for (const { amount, quantity, unitPrice } of items)
    expect(cents(amount)).toBe(Math.round(Number(quantity) * cents(unitPrice)));
  const net = cents(subtotal) + (discount === false ? 0 : cents(discount.amount));
  expect(cents(subtotal)).toBe(sum(items.map(({ amount }) => cents(amount))));
  expect(sum(taxes.map(({ base }) => cents(base)))).toBe(net);
  for (const { amount, base, rate } of taxes)
    expect(cents(amount)).toBe(Math.round((cents(base) * Number.parseFloat(rate)) / 100));
  expect(cents(total)).toBe(net + sum(taxes.map(({ amount }) => cents(amount))));
});

test.each([1, 1_000])('the invoice prints %i rows', (rows) => {
  const invoice = dataOf('invoice') as Invoice;
  const items = Array.from({ length: rows }, (_, row) => ({ ...invoice.items[0], description: `Article ${row + 1}.` }));
  const { text, warnings } = render('invoice', { ...invoice, items });
  expect(warnings).toEqual([]);
  expect(text.match(/Article \d+\./g)).toEqual(items.map(({ description }) => description));
});
