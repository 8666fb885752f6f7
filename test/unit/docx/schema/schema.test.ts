import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { fillText } from '../render/fill.ts';
import { inferred } from './inferred.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const truth = { type: 'boolean' };
const date = { type: 'string', format: 'date' };
const dateTime = { type: 'string', format: 'date-time' };
const object = (properties: object, required?: string[]) => ({
  type: 'object',
  properties,
  ...(required === undefined ? {} : { required }),
});
const list = (items?: object) => (items === undefined ? { type: 'array' } : { type: 'array', items });

const keyed = (values: object) => ({ type: 'object', additionalProperties: values });

const cases: [template: string, properties: object, required?: string[]][] = [
  ['{name}', { name: text }, ['name']],
  ['{name | default:"-"}', { name: text }],
  [
    '{customer.address.city}',
    { customer: object({ address: object({ city: text }, ['city']) }, ['address']) },
    ['customer'],
  ],
  ['{first-name} {first name}', { 'first-name': text, 'first name': text }, ['first-name', 'first name']],
  ['{rates[code] | number:2}', { rates: keyed(number), code: text }, ['rates', 'code']],
  ['{rates[code].value}', { rates: keyed(object({ value: text })), code: text }, ['rates', 'code']],
  ['{texts[a][b]}', { texts: keyed(keyed(text)), a: text, b: text }, ['texts', 'a', 'b']],
  ['{#prices[sku]}{from}{/}', { prices: keyed(list(object({ from: text }))), sku: text }],
  ['{#items}{names[$index]}{qty}{/items}', { items: list(object({ names: list(text), qty: text })) }],
  ['{price * qty}', { price: number, qty: number }, ['price', 'qty']],
  ['{total | currency:"EUR"}', { total: number }, ['total']],
  ['{total | currency:code}', { total: number, code: text }, ['total', 'code']],
  ['{total | number:places}', { total: number, places: number }, ['total', 'places']],
  ['{total} {total | number:2}', { total: number }, ['total']],
  ['{first + " " + last}', { first: text, last: text }, ['first', 'last']],
  ['{a + b}', { a: number, b: number }, ['a', 'b']],
  ['{d | date}', { d: date }, ['d']],
  ['{d | date:"dd.MM.yyyy"}', { d: date }, ['d']],
  ['{d | date:"dd.MM. HH:mm"}', { d: dateTime }, ['d']],
  ['{d | time}', { d: dateTime }, ['d']],
  ['{name | upper | truncate:20}', { name: text }, ['name']],
  ['{vip ? "yes" : "no"}', { vip: truth }],
  ['{vip | yesno:"yes":"no"}', { vip: truth }],
  ['{vip ? name : company}', { vip: truth, name: text, company: text }],
  ['{#vip}yes{/vip}', { vip: truth }],
  ['{^vip}no{/vip}', { vip: truth }],
  ['{#a and not b}x{/}', { a: truth, b: truth }],
  ['{#total > 100}x{/}', { total: number }],
  ['{#status == "open"}x{/}', { status: text }],
  ['{#paid == true}x{/}', { paid: truth }],
  ['{name}{#vip}Dear {name}{/vip}', { name: text, vip: truth }, ['name']],
  ['{#vip}Dear {name}{/vip}{^vip}Hello {name}{/vip}', { vip: truth, name: text }],
  ['{#note}Note: {note}{/note}', { note: text }],
  ['{#discount}{discount | currency:"EUR"}{/discount}', { discount: number }],
  ['{#items}{sku} {price | number:2}{/items}', { items: list(object({ sku: text, price: number })) }],
  ['{#items}{sku}{/items}{^items}none{/items}', { items: list(object({ sku: text })) }],
  ['{#items}{sku}{/items}{#items}yes{/items}', { items: list(object({ sku: text })) }],
  ['{#orders}{#items}{sku}{/items}{/orders}', { orders: list(object({ items: list(object({ sku: text })) })) }],
  ['{#orders}{#urgent}!{/urgent}{id}{/orders}', { orders: list(object({ id: text, urgent: truth })) }],
  ['{#tags}{.}{/tags}', { tags: list(text) }],
  ['{#rows}{#.}{. | number:2}{/.}{/rows}', { rows: list(list(number)) }],
  ['{#rows}{$number}{/rows}', { rows: list() }],
  ['{name}{#names}{name}{/names}', { name: text, names: list(object({ name: text })) }, ['name']],
  [
    '{customer.name}{#customer}{city}{/customer}',
    { customer: object({ name: text, city: text }, ['name']) },
    ['customer'],
  ],
  ['{rows.0.total} {rows[1].total}', { rows: list(object({ total: text })) }, ['rows']],
  ['{items | sum:"price"}', { items: list(object({ price: number })) }, ['items']],
  ['{items | sum:"price * qty"}', { items: list(object({ price: number, qty: number })) }, ['items']],
  ['{#items | filter:"qty > 5"}{name}{/}', { items: list(object({ name: text, qty: number })) }],
  ['{items | count}', { items: list() }, ['items']],
  ['{tags | join:", "}', { tags: list() }, ['tags']],
  [
    '{#items | where:"open":true | sort:"due"}{due | date}{/items}',
    { items: list(object({ open: truth, due: date })) },
  ],
  ['{#lines | where:"a.b":"x"}{c}{/}', { lines: list(object({ a: object({ b: text }), c: text })) }],
  ['{["unit price"] * 2}', { 'unit price': number }, ['unit price']],
  [
    '{constructor} {a.__proto__}',
    { constructor: text, a: object(Object.fromEntries([['__proto__', text]]), ['__proto__']) },
    ['constructor', 'a'],
  ],
];

const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);

describe('the schema of a template', () => {
  it.each(cases)('%s', (template, properties, required) => {
    const { schema, example } = inferred(template);
    const expected = required === undefined ? object(properties) : object(properties, required);
    expect(schema).toEqual({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...expected });
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
  });

  it.each(cases.filter(([template]) => !template.startsWith('{^')))('the example fills %s', (template) => {
    const { example } = inferred(template);
    const prepared = prepareTemplate(buildDocx({ body: paragraph(template) }), 'docx');
    const data = Buffer.from(JSON.stringify(example));
    const { warnings } = renderTemplate(prepared, data, { onMissing: 'error' });
    expect(warnings).toEqual([]);
    expect(fillText(template, example).trim()).not.toBe('');
  });

  it('covers tables, headers and nested sections, and is the same each time', () => {
    const template = {
      body:
        paragraph('Invoice {number}') +
        table([
          ['Article', 'Price'],
          ['{#lines}{article}', '{price * qty | currency:"EUR"}{#options}{label}{/options}{/lines}'],
        ]) +
        paragraph('{lines | sum:"price" | currency:"EUR"} {due | date:"long"}'),
      headers: [paragraph('{company.name}')],
      footers: [paragraph('{company.phone}')],
    };
    const { schema, example } = inferred(template);
    expect(example).toEqual({
      number: 'Number',
      lines: [
        { price: 12, article: 'Article 1', qty: 13, options: [{ label: 'Label 1' }, { label: 'Label 2' }] },
        { price: 14, article: 'Article 2', qty: 15, options: [{ label: 'Label 1' }, { label: 'Label 2' }] },
      ],
      due: '2026-03-31',
      company: { name: 'Name', phone: 'Phone' },
    });
    expect(ajv.validate(schema, example)).toBe(true);
    expect(JSON.stringify(inferred(template))).toBe(JSON.stringify({ schema, example }));
    expect(inspectTemplate(buildDocx(template))).toMatchObject({ schema, example });
  });

  it.each([
    ['items', [{ sku: 1 }]],
    ['items', { sku: 'x' }],
    ['total', 'twelve'],
    ['day', '31.03.2026'],
    ['vip', 'yes'],
  ])('refuses %s as %j', (key, value) => {
    const { schema, example } = inferred('{#items}{sku}{/items}{total | number:2}{day | date}{#vip}!{/vip}');
    expect(ajv.validate(schema, example)).toBe(true);
    expect(ajv.validate(schema, { ...example, [key]: value })).toBe(false);
  });
});

describe('templates with more names than a schema lists', () => {
  it.each([
    ['19 000 names', Array.from({ length: 19_000 }, (_, i) => `{name${i}}`).join('')],
    ['long names', Array.from({ length: 2000 }, (_, i) => `{${'n'.repeat(1000)}${i}}`).join('')],
    ['long paths', `{${Array(500).fill('a').join('.')}}{${Array(1000).fill('b').join('.')}}`],
    ['many paths', Array.from({ length: 1000 }, (_, i) => `{${Array(20).fill(`p${i}`).join('.')}}`).join('')],
    [
      'lists in lists',
      `${'{#a}'.repeat(8)}${Array.from({ length: 1900 }, (_, i) => `{x${i}}`).join('')}${'{/a}'.repeat(8)}`,
    ],
    ['8000 sections of one name', '{#a}{b}{/a}'.repeat(6000)],
  ])('%s: bounded', (_name, template) => {
    const { schema, example } = inferred(template);
    expect(JSON.stringify({ schema, example }).length).toBeLessThan(2_000_000);
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
  });
});
