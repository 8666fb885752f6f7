import { paragraph, table } from '../../../../support/documents/docx-builder.ts';
import type { MigrationCase } from './migration-case.ts';

const project = {
  project: {
    name: 'docx-templates',
    url: 'https://example.com/p',
    details: { year: '2016' },
    people: [
      { name: 'John', since: 2015 },
      { name: 'Robert', since: 2010 },
    ],
  },
};
const companies = {
  companies: [
    { name: 'A', people: [{ first: 'Ada', skills: ['x', 'y'] }] },
    {
      name: 'B',
      people: [
        { first: 'Bo', skills: [] },
        { first: 'Cy', skills: ['z'] },
      ],
    },
  ],
};

/** Commands of docx-templates. */
export const docxTemplatesCases: readonly MigrationCase[] = [
  { feature: 'value', outcome: 'rewritten', template: 'Dear +++name+++,', data: { name: 'Ada' } },
  {
    feature: 'INS and =',
    outcome: 'rewritten',
    template: '+++INS project.name+++ +++= project.details.year+++',
    data: project,
  },
  { feature: 'optional path', outcome: 'rewritten', template: '+++project?.details?.year+++', data: project },
  { feature: 'item of a list', outcome: 'rewritten', template: '+++project.people[1].name+++', data: project },
  { feature: 'calculation', outcome: 'rewritten', template: '+++(a + b) * 2 - 1+++', data: { a: 1, b: 2 } },
  { feature: 'choice', outcome: 'rewritten', template: "+++= vip ? 'friend' : 'customer'+++", data: { vip: true } },
  {
    feature: 'template literal',
    outcome: 'rewritten',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template literal of the template
    template: '+++`Mr ${name} (${age})`+++',
    data: { name: 'Bo', age: 7 },
  },
  {
    feature: 'text methods',
    outcome: 'rewritten',
    template: '+++name.trim().toUpperCase()+++',
    data: { name: ' Ada ' },
  },
  {
    feature: 'list of paragraphs',
    outcome: 'rewritten',
    template:
      '+++FOR person IN project.people+++\n+++INS $person.name+++ (since +++$person.since+++)\n+++END-FOR person+++\nEnd',
    data: project,
  },
  {
    feature: 'list in a text',
    outcome: 'rewritten',
    template: '+++FOR t IN tags+++ +++$t+++;+++END-FOR t+++',
    data: { tags: ['a', 'b'] },
  },
  {
    feature: 'list of rows',
    outcome: 'rewritten',
    template: {
      body:
        table([
          ['Name', 'Since'],
          ['+++FOR person IN project.people+++', ''],
          ['+++$person.name+++', '+++$person.since+++'],
          ['+++END-FOR person+++', ''],
        ]) + paragraph('x'),
    },
    data: project,
  },
  {
    feature: 'nested lists',
    outcome: 'rewritten',
    template:
      '+++FOR c IN companies+++\n+++$c.name+++\n+++FOR p IN $c.people+++\n+++$p.first+++ of +++$c.name+++\n+++FOR s IN $p.skills+++\n- +++$s+++\n+++END-FOR s+++\n+++END-FOR p+++\n+++END-FOR c+++',
    data: companies,
  },
  {
    feature: 'position in the list',
    outcome: 'rewritten',
    template: '+++FOR t IN tags+++\n+++$idx+++: +++$t+++\n+++END-FOR t+++',
    data: { tags: ['a', 'b'] },
  },
  {
    feature: 'filtered list',
    outcome: 'rewritten',
    template: '+++FOR p IN project.people.filter(p => p.since > 2013)+++\n+++$p.name+++\n+++END-FOR p+++',
    data: project,
  },
  {
    feature: 'sorted list',
    outcome: 'rewritten',
    template: '+++FOR p IN project.people.sort((a, b) => a.since - b.since)+++\n+++$p.name+++\n+++END-FOR p+++',
    data: project,
  },
  {
    feature: 'condition',
    outcome: 'rewritten',
    template: "+++IF name === 'Ada'+++Hello +++name+++!+++END-IF+++",
    data: { name: 'Ada' },
  },
  {
    feature: 'condition of paragraphs',
    outcome: 'rewritten',
    template: '+++IF !vip && total > 10+++\nPlease pay\n+++END-IF+++\nEnd',
    data: { vip: false, total: 20 },
  },
  {
    feature: 'condition on a list',
    outcome: 'rewritten',
    template: '+++IF tags+++Tags: +++tags.length+++ +++tags.join(", ")++++++END-IF+++',
    data: { tags: ['a', 'b'] },
  },
  {
    feature: 'values of a list',
    outcome: 'rewritten',
    template:
      "+++project.people.map(p => p.name).join(' and ')+++, +++project.people.reduce((sum, p) => sum + p.since, 0)+++",
    data: project,
  },
  {
    feature: 'alias',
    outcome: 'rewritten',
    template:
      '+++ALIAS since INS $person.since+++Since:+++FOR person IN project.people+++ +++*since++++++END-FOR person+++',
    data: project,
  },
  {
    feature: 'link',
    outcome: 'rewritten',
    template: '+++LINK ({ url: project.url, label: project.name })+++',
    data: project,
  },
  {
    feature: 'header',
    outcome: 'rewritten',
    template: { body: paragraph('x'), headers: [paragraph('+++name+++')] },
    data: { name: 'Ada' },
  },
  { feature: 'JavaScript', outcome: 'reported', template: '+++EXEC total = 3+++' },
  { feature: 'query', outcome: 'reported', template: '+++QUERY query { people }+++' },
  { feature: 'function', outcome: 'reported', template: '+++IMAGE qrCode(project.url)+++' },
  {
    feature: 'columns',
    outcome: 'reported',
    template: { body: table([['+++FOR c IN columns+++', '+++$c+++', '+++END-FOR c+++']]) + paragraph('x') },
  },
  { feature: 'braces that are text', outcome: 'reported', template: 'Use {braces} here' },
];
