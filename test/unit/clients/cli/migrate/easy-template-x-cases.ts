import { paragraph, table } from '../../../../support/documents/docx-builder.ts';
import type { MigrationCase } from './migration-case.ts';

const beers = {
  Beers: [
    { Brand: 'Carlsberg', Price: 1 },
    { Brand: 'Leaf Blonde', Price: 2 },
  ],
};

/** Features of easy-template-x with its own plugins. */
export const easyTemplateXCases: readonly MigrationCase[] = [
  { feature: 'value', outcome: 'works', template: 'Dear {name},', data: { name: 'Ada' } },
  {
    feature: 'name with blanks',
    outcome: 'works',
    template: '{First Tag} and { Second Tag }',
    data: { 'First Tag': 'a', 'Second Tag': 'b' },
  },
  { feature: 'name with punctuation', outcome: 'works', template: '{Total (EUR)}', data: { 'Total (EUR)': 5 } },
  { feature: 'name with dots', outcome: 'works', template: '{customer.city}', data: { 'customer.city': 'Bern' } },
  { feature: 'line breaks', outcome: 'works', template: '{text}', data: { text: 'a\nb' } },
  { feature: 'list in a text', outcome: 'works', template: '{#Beers}{Brand}; {/Beers}', data: beers },
  {
    feature: 'list of paragraphs',
    hasBlankLines: true,
    outcome: 'works',
    template: '{#Beers}\n{Brand} costs {Price}\n{/Beers}\nEnd',
    data: beers,
  },
  {
    feature: 'list of rows',
    outcome: 'works',
    template: {
      body:
        table([
          ['Brand', 'Price'],
          ['{#Beers}{Brand}', '{Price}{/Beers}'],
        ]) + paragraph('x'),
    },
    data: beers,
  },
  {
    feature: 'closing tag of any name',
    outcome: 'rewritten',
    template: '{#Beers}{Brand} {/something else}{#Beers}{Price} {/}',
    data: beers,
  },
  {
    feature: 'condition',
    outcome: 'works',
    template: '{#lines}{#visible}yes{/visible}{#invisible}no{/invisible} {/lines}',
    data: { lines: [{ visible: true }, { invisible: true }] },
  },
  {
    feature: 'nested conditions',
    hasBlankLines: true,
    outcome: 'works',
    template: '{#teams}\n{#show}\n{name}\n{#members}\n{name}\n{/members}\n{/show}\n{/teams}',
    data: {
      teams: [
        { show: true, name: 'A-Team', members: [{ name: 'Face' }] },
        { show: false, name: 'B-Team', members: [{ name: 'Bob' }] },
      ],
    },
  },
  {
    feature: 'values from around',
    hasBlankLines: true,
    outcome: 'works',
    template: '{#Employees}\n{Surname}, {Company}\n{/Employees}',
    data: { Company: 'Contoso', Employees: [{ Surname: 'Gates' }, { Surname: 'Nadella' }] },
  },
  {
    feature: 'tag in several runs',
    outcome: 'works',
    template: { body: paragraph(['Dear {na', 'me', '}']) },
    data: { name: 'Ada' },
  },
  { feature: 'characters of XML', outcome: 'works', template: '{text}', data: { text: '<a> & "b"' } },
  {
    feature: 'numbers, true and missing values',
    outcome: 'works',
    template: '{n} {yes} {no}',
    data: { n: 5, yes: true },
  },
  { feature: 'tab', outcome: 'works', template: '{text}', data: { text: 'a\tb' } },
  {
    feature: 'lists in lists',
    outcome: 'works',
    template: '{#teams}{name}: {#members}{name} {/members}{/teams}',
    data: { teams: [{ name: 'A', members: [{ name: 'Face' }, { name: 'Murdock' }] }] },
  },
  {
    feature: 'repeated content',
    outcome: 'rewritten',
    template: '{#Beers [loopOver: "content"]}{Brand} {/}',
    data: beers,
  },
  {
    feature: 'repeated row',
    outcome: 'rewritten',
    template: { body: table([['{#Beers [loopOver: "row"]}{Brand}{/}', '{Price}']]) + paragraph('x') },
    data: beers,
  },
  {
    feature: 'repeated paragraph',
    outcome: 'rewritten',
    template: '{#Beers [loopOver: "paragraph"]}{Brand}{/}\nEnd',
    data: beers,
  },
  {
    feature: 'header',
    outcome: 'works',
    template: { body: paragraph('{a}'), headers: [paragraph('{b}')], footers: [paragraph('{c}')] },
    data: { a: 1, b: 2, c: 3 },
  },
  {
    feature: 'repeated column',
    outcome: 'reported',
    template: { body: table([['{#Beers}{Brand}'], ['{Price}{/Beers}']]) + paragraph('x') },
  },
  {
    feature: 'repeated column, with the option',
    outcome: 'reported',
    template: { body: table([['{#Beers [loopOver: "column"]}{Brand}{/}', 'x']]) + paragraph('x') },
  },
  { feature: 'name that is an expression', outcome: 'reported', template: '{a|b}' },
];
