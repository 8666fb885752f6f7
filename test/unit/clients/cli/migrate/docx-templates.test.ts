import { createReport } from 'docx-templates';
import { paragraph } from '../../../../support/documents/docx-builder.ts';
import { type MigrationCase, reported, rewritten, rowsAndX, testMigrations } from './migration-case.ts';

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

/** The commands of docx-templates. */
const cases: readonly MigrationCase[] = [
  rewritten('value', 'Dear +++name+++,', { name: 'Ada' }),
  rewritten('INS and =', '+++INS project.name+++ +++= project.details.year+++', project),
  rewritten('optional path', '+++project?.details?.year+++', project),
  rewritten('item of a list', '+++project.people[1].name+++', project),
  rewritten('calculation', '+++(a + b) * 2 - 1+++', { a: 1, b: 2 }),
  rewritten('choice', "+++= vip ? 'friend' : 'customer'+++", { vip: true }),
  rewritten('template literal', '+++`Mr ${name} (${age})`+++', { name: 'Bo', age: 7 }),
  rewritten('text methods', '+++name.trim().toUpperCase()+++', { name: ' Ada ' }),
  rewritten(
    'list of paragraphs',
    '+++FOR person IN project.people+++\n+++INS $person.name+++ (since +++$person.since+++)\n+++END-FOR person+++\nEnd',
    project,
  ),
  rewritten('list in a text', '+++FOR t IN tags+++ +++$t+++;+++END-FOR t+++', { tags: ['a', 'b'] }),
  rewritten(
    'list of rows',
    rowsAndX(
      'Name | Since',
      '+++FOR person IN project.people+++ | ',
      '+++$person.name+++ | +++$person.since+++',
      '+++END-FOR person+++ | ',
    ),
    project,
  ),
  rewritten(
    'nested lists',
    '+++FOR c IN companies+++\n+++$c.name+++\n+++FOR p IN $c.people+++\n+++$p.first+++ of +++$c.name+++\n+++FOR s IN $p.skills+++\n- +++$s+++\n+++END-FOR s+++\n+++END-FOR p+++\n+++END-FOR c+++',
    companies,
  ),
  rewritten('position in the list', '+++FOR t IN tags+++\n+++$idx+++: +++$t+++\n+++END-FOR t+++', { tags: ['a', 'b'] }),
  rewritten(
    'filtered list',
    '+++FOR p IN project.people.filter(p => p.since > 2013)+++\n+++$p.name+++\n+++END-FOR p+++',
    project,
  ),
  rewritten(
    'sorted list',
    '+++FOR p IN project.people.sort((a, b) => a.since - b.since)+++\n+++$p.name+++\n+++END-FOR p+++',
    project,
  ),
  rewritten('condition', "+++IF name === 'Ada'+++Hello +++name+++!+++END-IF+++", { name: 'Ada' }),
  rewritten('condition of paragraphs', '+++IF !vip && total > 10+++\nPlease pay\n+++END-IF+++\nEnd', {
    vip: false,
    total: 20,
  }),
  rewritten('condition on a list', '+++IF tags+++Tags: +++tags.length+++ +++tags.join(", ")++++++END-IF+++', {
    tags: ['a', 'b'],
  }),
  rewritten(
    'values of a list',
    "+++project.people.map(p => p.name).join(' and ')+++, +++project.people.reduce((sum, p) => sum + p.since, 0)+++",
    project,
  ),
  rewritten(
    'alias',
    '+++ALIAS since INS $person.since+++Since:+++FOR person IN project.people+++ +++*since++++++END-FOR person+++',
    project,
  ),
  rewritten('link', '+++LINK ({ url: project.url, label: project.name })+++', project),
  rewritten('header', { body: paragraph('x'), headers: [paragraph('+++name+++')] }, { name: 'Ada' }),
  reported('JavaScript', '+++EXEC total = 3+++'),
  reported('query', '+++QUERY query { people }+++'),
  reported('function', '+++IMAGE qrCode(project.url)+++'),
  reported('columns', rowsAndX('+++FOR c IN columns+++ | +++$c+++ | +++END-FOR c+++')),
  reported('braces that are text', 'Use {braces} here'),
];

testMigrations({
  ...{ engine: 'docx-templates', name: 'docx-templates', cases },
  render: (template, data) => createReport({ template, data }),
});
