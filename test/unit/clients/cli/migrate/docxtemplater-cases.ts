import { paragraph, table } from '../../../../support/documents/docx-builder.ts';
import type { MigrationCase } from './migration-case.ts';

const people = {
  people: [
    { name: 'Ada', age: 36 },
    { name: 'Alan', age: 17 },
  ],
};

/** Features of docxtemplater without its paid modules, with its expression parser where the tag is an expression. */
export const docxtemplaterCases: readonly MigrationCase[] = [
  { feature: 'value', outcome: 'works', template: 'Dear {name},', data: { name: 'Ada' } },
  { feature: 'name with blanks', outcome: 'works', template: 'Dear {first name},', data: { 'first name': 'Ada' } },
  { feature: 'path', outcome: 'works', template: 'In {customer.city}', data: { customer: { city: 'Bern' } } },
  { feature: 'text list', outcome: 'works', template: '{#people}{name}; {/people}', data: people },
  { feature: 'list of paragraphs', outcome: 'works', template: '{#people}\n{name} is {age}\n{/people}', data: people },
  {
    feature: 'list of rows',
    outcome: 'works',
    template: {
      body: table([
        ['Name', 'Age'],
        ['{#people}{name}', '{age}{/people}'],
      ]),
    },
    data: people,
  },
  { feature: 'list of texts', outcome: 'works', template: '{#tags}{.}, {/tags}', data: { tags: ['a', 'b'] } },
  { feature: 'condition', outcome: 'works', template: '{#vip}Thank you!{/vip}{^vip}Hello{/}', data: { vip: false } },
  {
    feature: 'nested lists',
    outcome: 'works',
    template: '{#teams}\n{team}:\n{#people}\n{name} of {team}\n{/people}\n{/teams}',
    data: {
      teams: [
        { team: 'A', people: [{ name: 'Ada' }] },
        { team: 'B', people: [{ name: 'Bo' }, { name: 'Cy' }] },
      ],
    },
  },
  {
    feature: 'paragraph loop',
    outcome: 'rewritten',
    template: 'People:\n{-w:p people}{name}, {age}{/people}\nEnd',
    data: people,
  },
  {
    feature: 'row loop',
    outcome: 'rewritten',
    template: {
      body:
        table([
          ['Name', 'Age'],
          ['{-w:tr people}{name}', '{age}'],
          ['End {/people}', ''],
        ]) + paragraph('x'),
    },
    data: people,
  },
  {
    feature: 'other delimiters',
    outcome: 'rewritten',
    template: '{=[[ ]]=}Dear [[name]], [[#vip]]hello[[/vip]]',
    data: { name: 'Ada', vip: true },
  },
  { feature: 'calculation', outcome: 'works', template: '{price * qty + 1}', data: { price: 2, qty: 3 } },
  { feature: 'comparison', outcome: 'works', template: '{#age > 18 && vip}Welcome{/}', data: { age: 20, vip: true } },
  { feature: 'choice', outcome: 'works', template: '{vip ? "friend" : "customer"}', data: { vip: true } },
  {
    feature: 'calculated section',
    outcome: 'rewritten',
    template: '{#people.length > 1}{people.length} people{/}',
    data: people,
    isTaken: false,
  },
  { feature: 'this', outcome: 'rewritten', template: '{#tags}{this} {/tags}', data: { tags: ['a', 'b'] } },
  { feature: 'filter', outcome: 'works', template: '{name | upper}', data: { name: 'Ada' } },
  { feature: 'filter with another name', outcome: 'rewritten', template: '{name | uppercase}', data: { name: 'Ada' } },
  { feature: 'sorted list', outcome: 'rewritten', template: "{#people | sortBy:'age'}{name} {/}", data: people },
  {
    feature: 'header and footnote',
    outcome: 'works',
    template: { body: paragraph('{a}'), headers: [paragraph('{b}')], footnotes: [paragraph('{c}')] },
    data: { a: 1, b: 2, c: 3 },
  },
  {
    feature: 'tag in several runs',
    outcome: 'works',
    template: { body: paragraph(['Dear {na', 'me', '}, {#vip', '}hello{', '/vip}']) },
    data: { name: 'Ada', vip: true },
  },
  { feature: 'characters of XML', outcome: 'works', template: '{text}', data: { text: '<a> & "b"' } },
  { feature: 'accents', outcome: 'works', template: '{prénom}', data: { prénom: 'Zoé' } },
  { feature: 'line breaks in data', outcome: 'works', template: '{text}', data: { text: 'one\ntwo\n\nfour' } },
  { feature: 'blanks in tags', outcome: 'works', template: '{# people }{ name } {/ people }', data: people },
  { feature: 'empty list', outcome: 'works', template: 'a{#list}x{/list}{^list}none{/list}', data: { list: [] } },
  { feature: 'object as section', outcome: 'works', template: '{#o}{name}{/o}', data: { o: { name: 'Ada' } } },
  {
    feature: 'number as condition',
    outcome: 'works',
    template: '{#n}yes{/n}{#zero}no{/zero}',
    data: { n: 3, zero: 0 },
  },
  { feature: 'text as condition', outcome: 'works', template: '{#a}yes{/a}{^b}no{/b}', data: { a: 'x', b: '' } },
  {
    feature: 'nested conditions',
    outcome: 'works',
    template: '{#a}{^b}{#c}deep{/c}{/b}{/a}{^a}flat{/a}',
    data: { a: true, b: false, c: true },
  },
  {
    feature: 'values from around',
    outcome: 'works',
    template: '{#people}{name} of {company}; {/people}',
    data: { ...people, company: 'Acme' },
  },
  {
    feature: 'lists in lists',
    outcome: 'works',
    template: '{#rows}{# . }-{ . }-{/}{/}',
    data: {
      rows: [
        [1, 2],
        [3, 4],
      ],
    },
  },
  {
    feature: 'list around a table',
    outcome: 'works',
    template: { body: `${paragraph('{#people}')}${table([['{name}', '{age}']])}${paragraph('{/people}')}` },
    data: people,
  },
  {
    feature: 'table loop',
    outcome: 'works',
    template: { body: table([['{-w:tbl people}{name}', '{age}{/people}']]) + paragraph('x') },
    data: people,
  },
  {
    feature: 'condition on a row',
    outcome: 'rewritten',
    template: {
      body:
        table([
          ['{-w:tr vip}a', 'b{/}'],
          ['{-w:tr poor}c', 'd{/}'],
        ]) + paragraph('x'),
    },
    data: { vip: true, poor: false },
  },
  {
    feature: 'paragraph loop in a row loop',
    outcome: 'rewritten',
    template: { body: table([['{-w:tr teams}{team}', '{-w:p people}{name}{/people}{/teams}']]) + paragraph('x') },
    data: {
      teams: [
        { team: 'A', people: [{ name: 'Ada' }] },
        { team: 'B', people: [{ name: 'Bo' }, { name: 'Cy' }] },
      ],
    },
  },
  {
    feature: 'cell loop',
    outcome: 'reported',
    template: { body: table([['{-w:tc people}{name}{/people}']]) + paragraph('x') },
  },
  { feature: 'position in a list', outcome: 'works', template: '{#people}{$index}: {name} {/people}', data: people },
  { feature: 'item of a list', outcome: 'works', template: '{people[1].name}', data: people },
  { feature: 'key in quotes', outcome: 'works', template: '{o["first name"]}', data: { o: { 'first name': 'Ada' } } },
  { feature: 'default', outcome: 'works', template: '{nobody || "none"}', data: {} },
  { feature: 'negation', outcome: 'works', template: '{#!vip}Hello{/}', data: { vip: false } },
  { feature: 'texts joined', outcome: 'works', template: '{"Dear " + name}', data: { name: 'Ada' } },
  { feature: 'equality', outcome: 'works', template: '{#name === "Ada"}yes{/}', data: { name: 'Ada' } },
  { feature: 'key of this', outcome: 'rewritten', template: '{#people}{this.name} {/people}', data: people },
  {
    feature: 'this in an expression',
    outcome: 'rewritten',
    template: '{#tags}{this | upper}{/tags}',
    data: { tags: ['a'] },
  },
  { feature: 'unknown filter', outcome: 'reported', template: '{name | soundex}' },
  { feature: 'method', outcome: 'reported', template: '{name.charAt(0)}' },
  { feature: 'assignment', outcome: 'reported', template: '{total = a + b}' },
  { feature: 'raw XML', outcome: 'reported', template: '{@table}' },
  { feature: 'sub-template', outcome: 'reported', template: '{:include terms}' },
];
