import { createRequire } from 'node:module';
import Docxtemplater from 'docxtemplater';
import PizZip from 'pizzip';
import { paragraph, table } from '../../../../support/documents/docx-builder.ts';
import { type MigrationCase, reported, rewritten, rows, rowsAndX, testMigrations, works } from './migration-case.ts';

const people = {
  people: [
    { name: 'Ada', age: 36 },
    { name: 'Alan', age: 17 },
  ],
};

/** Features of docxtemplater without its paid modules. Its expression parser is used where the tag is an expression. */
const cases: readonly MigrationCase[] = [
  works('value', 'Dear {name},', { name: 'Ada' }),
  works('name with spaces', 'Dear {first name},', { 'first name': 'Ada' }),
  works('path', 'In {customer.city}', { customer: { city: 'Bern' } }),
  works('text list', '{#people}{name}; {/people}', people),
  works('list of paragraphs', '{#people}\n{name} is {age}\n{/people}', people),
  works('list of rows', rows('Name | Age', '{#people}{name} | {age}{/people}'), people),
  works('list of texts', '{#tags}{.}, {/tags}', { tags: ['a', 'b'] }),
  works('condition', '{#vip}Thank you!{/vip}{^vip}Hello{/}', { vip: false }),
  works('nested lists', '{#teams}\n{team}:\n{#people}\n{name} of {team}\n{/people}\n{/teams}', {
    teams: [
      { team: 'A', people: [{ name: 'Ada' }] },
      { team: 'B', people: [{ name: 'Bo' }, { name: 'Cy' }] },
    ],
  }),
  rewritten('paragraph loop', 'People:\n{-w:p people}{name}, {age}{/people}\nEnd', people),
  rewritten('row loop', rowsAndX('Name | Age', '{-w:tr people}{name} | {age}', 'End {/people} | '), people),
  rewritten('other delimiters', '{=[[ ]]=}Dear [[name]], [[#vip]]hello[[/vip]]', { name: 'Ada', vip: true }),
  works('calculation', '{price * qty + 1}', { price: 2, qty: 3 }),
  works('comparison', '{#age > 18 && vip}Welcome{/}', { age: 20, vip: true }),
  works('choice', '{vip ? "friend" : "customer"}', { vip: true }),
  rewritten('calculated section', '{#people.length > 1}{people.length} people{/}', people, { isTaken: false }),
  rewritten('this', '{#tags}{this} {/tags}', { tags: ['a', 'b'] }),
  works('filter', '{name | upper}', { name: 'Ada' }),
  rewritten('filter with another name', '{name | uppercase}', { name: 'Ada' }),
  rewritten('sorted list', "{#people | sortBy:'age'}{name} {/}", people),
  works(
    'header and footnote',
    { body: paragraph('{a}'), headers: [paragraph('{b}')], footnotes: [paragraph('{c}')] },
    { a: 1, b: 2, c: 3 },
  ),
  works(
    'tag in several runs',
    { body: paragraph(['Dear {na', 'me', '}, {#vip', '}hello{', '/vip}']) },
    { name: 'Ada', vip: true },
  ),
  works('characters of XML', '{text}', { text: '<a> & "b"' }),
  works('accents', '{prénom}', { prénom: 'Zoé' }),
  works('line breaks in data', '{text}', { text: 'one\ntwo\n\nfour' }),
  works('blanks in tags', '{# people }{ name } {/ people }', people),
  works('empty list', 'a{#list}x{/list}{^list}none{/list}', { list: [] }),
  works('object as section', '{#o}{name}{/o}', { o: { name: 'Ada' } }),
  works('number as condition', '{#n}yes{/n}{#zero}no{/zero}', { n: 3, zero: 0 }),
  works('text as condition', '{#a}yes{/a}{^b}no{/b}', { a: 'x', b: '' }),
  works('nested conditions', '{#a}{^b}{#c}deep{/c}{/b}{/a}{^a}flat{/a}', { a: true, b: false, c: true }),
  works('values from outside the section', '{#people}{name} of {company}; {/people}', { ...people, company: 'Acme' }),
  works('lists in lists', '{#rows}{# . }-{ . }-{/}{/}', {
    rows: [
      [1, 2],
      [3, 4],
    ],
  }),
  works(
    'list around a table',
    { body: `${paragraph('{#people}')}${table([['{name}', '{age}']])}${paragraph('{/people}')}` },
    people,
  ),
  works('table loop', rowsAndX('{-w:tbl people}{name} | {age}{/people}'), people),
  rewritten('condition on a row', rowsAndX('{-w:tr vip}a | b{/}', '{-w:tr poor}c | d{/}'), { vip: true, poor: false }),
  rewritten('paragraph loop in a row loop', rowsAndX('{-w:tr teams}{team} | {-w:p people}{name}{/people}{/teams}'), {
    teams: [
      { team: 'A', people: [{ name: 'Ada' }] },
      { team: 'B', people: [{ name: 'Bo' }, { name: 'Cy' }] },
    ],
  }),
  reported('cell loop', rowsAndX('{-w:tc people}{name}{/people}')),
  works('position in a list', '{#people}{$index}: {name} {/people}', people),
  works('item of a list', '{people[1].name}', people),
  works('key in quotes', '{o["first name"]}', { o: { 'first name': 'Ada' } }),
  works('default', '{nobody || "none"}', {}),
  works('negation', '{#!vip}Hello{/}', { vip: false }),
  works('texts joined', '{"Dear " + name}', { name: 'Ada' }),
  works('equality', '{#name === "Ada"}yes{/}', { name: 'Ada' }),
  rewritten('key of this', '{#people}{this.name} {/people}', people),
  rewritten('this in an expression', '{#tags}{this | upper}{/tags}', { tags: ['a'] }),
  reported('unknown filter', '{name | soundex}'),
  reported('method', '{name.charAt(0)}'),
  reported('assignment', '{total = a + b}'),
  reported('raw XML', '{@table}'),
  reported('sub-template', '{:include terms}'),
];

// The package declares its types for another module system.
const { configure } = createRequire(import.meta.url)('docxtemplater/expressions.js') as {
  readonly configure: (options: object) => (tag: string) => { get(scope: unknown): unknown };
};
const parser = configure({
  filters: {
    upper: (text: string) => text.toUpperCase(),
    uppercase: (text: string) => text.toUpperCase(),
    sortBy: (list: readonly Record<string, number>[], key: string) =>
      list.toSorted((a, b) => (a[key] ?? 0) - (b[key] ?? 0)),
  },
});

testMigrations({
  ...{ engine: 'docxtemplater', name: 'docxtemplater', cases, isUploadable: true },
  render(template, data, feature) {
    // Only its default parser reads names with spaces.
    const options = { paragraphLoop: true, linebreaks: true, ...(feature !== 'name with spaces' && { parser }) };
    const document = new Docxtemplater(new PizZip(template), options);
    document.render(data);
    return document.getZip().generate({ type: 'nodebuffer' });
  },
});
