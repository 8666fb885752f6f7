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
  { feature: 'unknown filter', outcome: 'reported', template: '{name | soundex}' },
  { feature: 'method', outcome: 'reported', template: '{name.charAt(0)}' },
  { feature: 'assignment', outcome: 'reported', template: '{total = a + b}' },
  { feature: 'raw XML', outcome: 'reported', template: '{@table}' },
  { feature: 'sub-template', outcome: 'reported', template: '{:include terms}' },
];
