import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { DataSchema } from '../../../../src/shared/data-schema.ts';
import { paragraph, table } from '../../../support/documents/docx-builder.ts';
import { inspect, render, rows } from '../render/fill.ts';

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

/** A section whose names may be those of an object or of each object of a list. */
const section = (properties: object) => ({
  ...list(object(properties)),
  type: ['array', 'object', 'boolean'],
  properties,
});
/** The types of a section whose name is no plural. */
const one = ['object', 'array', 'boolean'];
/** A section without names of its own. */
const shown = { type: ['boolean', 'object', 'array'] };

const keyed = (values: object) => ({ type: 'object', additionalProperties: values });

const cases: [template: string, properties: object, required?: string[]][] = [
  ['{name}', { name: text }, ['name']],
  ['{name | default:"-"}', { name: text }],
  ['{a.b.c}', { a: object({ b: object({ c: text }, ['c']) }, ['b']) }, ['a']],
  ['{first-name} {first name}', { 'first-name': text, 'first name': text }, ['first-name', 'first name']],
  ['{rates[code] | number:2}', { rates: keyed(number), code: text }, ['rates', 'code']],
  ['{rates[code].value}', { rates: keyed(object({ value: text })), code: text }, ['rates', 'code']],
  ['{texts[a][b]}', { texts: keyed(keyed(text)), a: text, b: text }, ['texts', 'a', 'b']],
  ['{#prices[sku]}{from}{/}', { prices: keyed({ ...section({ from: text }), type: one }), sku: text }],
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
  ['{#vip}yes{/vip}', { vip: shown }],
  ['{^vip}no{/vip}', { vip: shown }],
  ['{#a and not b}x{/}', { a: shown, b: truth }],
  ['{#total > 100}x{/}', { total: number }],
  ['{#status == "open"}x{/}', { status: text }],
  ['{#paid == true}x{/}', { paid: truth }],
  ['{name}{#vip}Dear {name}{/vip}', { name: text, vip: shown }, ['name']],
  ['{#vip}Dear {name}{/vip}{^vip}Hello {name}{/vip}', { vip: shown, name: text }],
  ['{#note}Note: {note}{/note}', { note: text }],
  ['{#discount}{discount | currency:"EUR"}{/discount}', { discount: number }],
  ['{#items}{sku} {price | number:2}{/items}', { items: section({ sku: text, price: number }) }],
  ['{#items}{sku}{/items}{^items}none{/items}', { items: section({ sku: text }) }],
  ['{#items}{sku}{/items}{#items}yes{/items}', { items: section({ sku: text }) }],
  ['{#orders}{#items}{sku}{/items}{/orders}', { orders: section({ items: section({ sku: text }) }) }],
  ['{#orders}{#urgent}!{/urgent}{id}{/orders}', { orders: section({ id: text, urgent: shown }) }],
  ['{#tags}{.}{/tags}', { tags: list(text) }],
  ['{#rows}{#.}{. | number:2}{/.}{/rows}', { rows: list(list(number)) }],
  ['{#rows}{$number}{/rows}', { rows: list() }],
  ['{name}{#names}{name}{/names}', { name: text, names: section({ name: text }) }, ['name']],
  ['{who.name}{#who}{city}{/who}', { who: object({ name: text, city: text }, ['name']) }, ['who']],
  ['{#prize}for {prize.work}{/prize}', { prize: { ...object({ work: text }), type: ['object', 'boolean'] } }],
  ['{#paid}on {day}{/paid}{^paid}due{/paid}', { paid: { ...section({ day: text }), type: one } }],
  ['{#hasNotes}{#notes}{text}{/notes}{/hasNotes}', { hasNotes: shown, notes: section({ text }) }],
  ['{#passed}yes{/passed}{#passed == x}{x}{/}', { passed: shown, x: text }],
  ['{status}{#status}{label}{/status}', { status: text, label: text }, ['status']],
  ['{#items}{sku}{/items}{items | count}', { items: list(object({ sku: text })) }, ['items']],
  ['{#items}{$number}. {sku}{/items}', { items: list(object({ sku: text })) }],
  ['{rows.0.total} {rows[1].total}', { rows: list(object({ total: text })) }, ['rows']],
  ['{items | sum:"price"}', { items: list(object({ price: number })) }, ['items']],
  ['{items | sum:"price * qty"}', { items: list(object({ price: number, qty: number })) }, ['items']],
  ['{#items | filter:"qty > 5"}{name}{/}', { items: list(object({ name: text, qty: number })) }],
  ['{items | count}', { items: list() }, ['items']],
  ['{tags | join:", "}', { tags: list() }, ['tags']],
  ['{#l | where:"open":true | sort:"due"}{due | date}{/l}', { l: list(object({ open: truth, due: date })) }],
  ['{#lines | where:"a.b":"x"}{c}{/}', { lines: list(object({ a: object({ b: text }), c: text })) }],
  ['{["unit price"] * 2}', { 'unit price': number }, ['unit price']],
  [
    '{constructor} {a.__proto__}',
    { constructor: text, a: object(Object.fromEntries([['__proto__', text]]), ['__proto__']) },
    ['constructor', 'a'],
  ],
];

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

describe('the schema of a template', () => {
  it.each(cases)('%s, and its example fills the template', (template, properties, required) => {
    const { schema, example } = inspect(template);
    expect(schema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...object(properties, required),
    });
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
    const { warnings, text } = render(template, example, { onMissing: 'error' });
    expect(warnings).toEqual([]);
    expect(text.trim() === '').toBe(template.startsWith('{^'));
  });

  it('names its properties in the order of the template', () => {
    const { schema } = inspect(
      '{number}{#rows}{quantity}{#parts}{id}{/parts}{name}{/rows}{no}{customer.street}{customer.city}',
    );
    const namesOf = ({ properties = {}, items }: DataSchema): unknown[] =>
      items === undefined
        ? Object.entries(properties).map(([name, inner]) => [name, ...namesOf(inner)])
        : namesOf(items);
    expect(namesOf(schema)).toEqual([
      ['number'],
      ['rows', ['quantity'], ['parts', ['id']], ['name']],
      ['no'],
      ['customer', ['street'], ['city']],
    ]);
  });

  it('covers tables, headers and nested sections, and is the same each time', () => {
    const template = {
      body:
        paragraph('Invoice {number}') +
        table(
          rows('Article;Price', '{#lines}{article};{price * qty | currency:"EUR"}{#options}{label}{/options}{/lines}'),
        ) +
        paragraph('{lines | sum:"price" | currency:"EUR"} {due | date:"long"}'),
      headers: [paragraph('{company.name}')],
      footers: [paragraph('{company.phone}')],
    };
    const { schema, example } = inspect(template);
    const options = [{ label: 'Label 1' }, { label: 'Label 2' }];
    expect(example).toEqual({
      number: 'Number',
      lines: [
        { price: 12, article: 'Article 1', qty: 13, options },
        { price: 14, article: 'Article 2', qty: 15, options },
      ],
      due: '2026-03-31',
      company: { name: 'Name', phone: 'Phone' },
    });
    expect(ajv.validate(schema, example)).toBe(true);
    const again = inspect(template);
    expect(JSON.stringify([again.schema, again.example])).toBe(JSON.stringify([schema, example]));
  });

  it.each([
    ['items', [{ sku: 1 }]],
    ['items', { sku: 1 }],
    ['items', 'x'],
    ['lines', { sku: 'x' }],
    ['total', 'twelve'],
    ['day', '31.03.2026'],
    ['vip', 'yes'],
  ])('refuses %s as %j', (key, value) => {
    const { schema, example } = inspect(
      '{#items}{sku}{/items}{#lines}{$number}{sku}{/lines}{total | number:2}{day | date}{#vip}!{/vip}',
    );
    expect(ajv.validate(schema, example)).toBe(true);
    expect(ajv.validate(schema, { ...example, [key]: value })).toBe(false);
  });
});

describe('a template with more names than a schema lists', () => {
  const many = (count: number, write: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => write(i)).join('');

  it.each([
    ['5000 names', many(5_000, (i) => `{name${i}}`)],
    ['long names', many(2000, (i) => `{${'n'.repeat(1000)}${i}}`)],
    ['long paths', `{${Array(500).fill('a').join('.')}}{${Array(1000).fill('b').join('.')}}`],
    ['many paths', many(1000, (i) => `{${Array(20).fill(`p${i}`).join('.')}}`)],
    ['lists in lists', `${'{#a}'.repeat(8)}${many(1900, (i) => `{x${i}}`)}${'{/a}'.repeat(8)}`],
    ['2000 sections of one name', '{#a}{b}{/a}'.repeat(2_000)],
  ])('%s: the schema stays within its limit', (_name, template) => {
    const { schema, example } = inspect(template);
    expect(JSON.stringify({ schema, example }).length).toBeLessThan(2_000_000);
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
  });
});
