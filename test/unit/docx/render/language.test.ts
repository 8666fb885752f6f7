import { describe, expect, it } from 'vitest';
import { paragraph, table } from '../../../support/documents/docx-builder.ts';
import { fillText, fillXml, render, rows } from './fill.ts';

const items = [
  { sku: 'A1', price: 3, options: [{ label: 'red' }, { label: 'big' }] },
  { sku: 'B2', price: 0, options: [] },
];

describe('values', () => {
  it.each([
    ['{name}', { name: 'Ada' }, 'Ada'],
    ['{ name }', { name: 'Ada' }, 'Ada'],
    ['{a}{b}{c}{d}', { a: 0, b: false, c: 1.5, d: -2e-7 }, '0false1.5-2e-7'],
    ['[{gone}][{nothing}][{empty}]', { nothing: null, empty: '' }, '[][][]'],
    ['{customer.name}', { customer: { name: 'Ada' } }, 'Ada'],
    ['{customer.address.city}', { customer: { address: { city: 'Bern' } } }, 'Bern'],
    ['[{customer.name.first}]', { customer: { name: 'Ada' } }, '[]'],
    ['{first-name} {first name}', { 'first-name': 'Ada', 'first name': 'Byron' }, 'Ada Byron'],
    ['{a.b}', { 'a.b': 'literal', a: { b: 'path' } }, 'literal'],
    ['[{a.b}]', { 'a.b': null, a: { b: 'path' } }, '[]'],
    ['{rows.1.x} [{rows.length}]', { rows: [{ x: 1 }, { x: 2 }] }, '2 []'],
    ['{tags}', { tags: ['red', 2, null, true] }, 'red, 2, true'],
    ['[{tags}]', { tags: [] }, '[]'],
    ['{x}', { x: '<w:t>&"\']]>' }, '<w:t>&"\']]>'],
    ['{x}', { x: 'one\ntwo\r\nthree\rfour' }, 'one\vtwo\vthree\vfour'],
    ['{x}', { x: 'a\tb' }, 'a\tb'],
    ['{x}', { x: '👩‍👩‍👧 שלום \u2028 漢字' }, '👩‍👩‍👧 שלום \u2028 漢字'],
    ['{x}', { x: '{y}', y: 'no' }, '{y}'],
  ])('%s with %j prints %j', (template, data, expected) => {
    expect(fillText(template, data)).toBe(expected);
  });

  it('replaces a lone surrogate, which XML cannot represent', () => {
    expect(fillText('{x}', { x: 'a\ud83db' })).toBe('a\ufffdb');
  });

  it('reads tags that Word has split over runs', () => {
    const body = paragraph(['{cust', 'omer.', 'name', '}', ' {#v', 'ip}yes{', '/vip}']);
    expect(fillText({ body }, { customer: { name: 'Ada' }, vip: 1 })).toBe('Ada yes');
  });

  it('are formatted like the first character of their tag', () => {
    const body = '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{na</w:t></w:r><w:r><w:t>me}</w:t></w:r></w:p>';
    expect(fillXml({ body }, { name: 'Ada' })).toMatch(/<w:rPr><w:b\/><\/w:rPr><w:t[^>]*>Ada</);
  });
});

describe('sections', () => {
  it.each([
    ['{#items}{sku},{/items}', { items }, 'A1,B2,'],
    ['{#items}{sku},{/}', { items }, 'A1,B2,'],
    ['{# items }{sku},{/ items }', { items }, 'A1,B2,'],
    ['{#items}{sku}({#options}{label} {/options}){/items}', { items }, 'A1(red big )B2()'],
    ['{#customer}{name}{/customer}', { customer: { name: 'Ada' } }, 'Ada'],
    ['{#customer.orders}{id} {/customer.orders}', { customer: { orders: [{ id: 1 }, { id: 2 }] } }, '1 2 '],
    ['{#tags}<{.}>{/tags}', { tags: ['a', 0, null, 'b'] }, '<a><0><><b>'],
    ['{#rows}{#.}{.};{/.}|{/rows}', { rows: [[1, 2], [3]] }, '1;2;|3;|'],
    ['{#items}{sku}:{currency} {/items}', { items, currency: 'EUR' }, 'A1:EUR B2:EUR '],
    ['{#items}{#price}{sku} costs {price} {/price}{/items}', { items }, 'A1 costs 3 '],
    ['{#items}[{note}]{/items}', { items: [{ note: null }, {}, { note: 'own' }], note: 'outer' }, '[][outer][own]'],
    ['{#note}Note for {name}{/note}', { note: 'yes', name: 'Ada' }, 'Note for Ada'],
    ['{#a}{#a}{#.}{b}{/.}{/a};{/a}', { a: [{ a: [{ b: 1 }, { b: 2 }] }, { a: [] }] }, '12;;'],
    ['{#flag}{.}{/flag}', { flag: 'text' }, { path: 'data' }],
  ] as const)('%s with %j prints %j', (template, data, expected) => {
    if (typeof expected === 'string') expect(fillText(template, data)).toBe(expected);
    else expect(() => fillText(template, data)).toThrow('The data does not fit the template');
  });

  it.each([[false], [0], [''], [[]], [null], [undefined]])('%j is false', (x) => {
    expect(fillText('{#x}yes{/x}{^x}no{/x}', { x })).toBe('no');
  });

  it.each([[true], [-1], ['0'], ['false'], [{}], [[0]]])('%j is true', (x) => {
    expect(fillText('{#x}yes{/x}{^x}no{/x}', { x })).toBe('yes');
  });

  it('true is a condition, and does not hide that names inside are missing', () => {
    const { text, warnings } = render('a{#vip}b{title}{/vip}', { vip: true });
    expect([text, warnings.map(({ code }) => code)]).toEqual(['ab', ['missing_value']]);
  });

  it('repeats table rows, paragraphs and nested sections, and leaves no blank paragraph behind', () => {
    const body =
      paragraph('{#orders}') +
      paragraph('Order {id}') +
      table(rows('Sku;Options', '{#items}{sku};{#options}{label} {/options}{/items}')) +
      paragraph('{/orders}') +
      paragraph('End');
    const orders = [
      { id: 1, items },
      { id: 2, items: [] },
    ];
    expect(fillText({ body }, { orders }).replaceAll('\n', '/')).toBe(
      'Order 1/|Sku/|Options/|A1/|red big /|B2/|/Order 2/|Sku/|Options/End',
    );
  });
});

describe('names that every object inherits', () => {
  const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'text.length'];
  it.each([...inherited, 'a.__proto__.x', 'a.constructor.name'])('%s is missing', (name) => {
    expect(fillText(`[{${name}}]{#${name}}loop{/${name}}{^${name}}none{/${name}}`, { a: {}, text: 'abc' })).toBe(
      '[]none',
    );
  });

  it('are printed if the data really has such a key, and no prototype changes', () => {
    const data = JSON.parse('{"__proto__":{"x":"own"},"constructor":"C"}');
    expect(fillText('{#__proto__}{x}{/__proto__} {constructor} [{x}]', data)).toBe('own C []');
    expect({}).not.toHaveProperty('x');
  });
});
