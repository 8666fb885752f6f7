import { paragraph, table } from '../../../../support/documents/docx-builder.ts';
import type { MigrationCase } from './migration-case.ts';

const cars = {
  cars: [
    { brand: 'Toyota', id: 1 },
    { brand: 'Hyundai', id: 2 },
    { brand: 'BMW', id: 3 },
  ],
};
const people = {
  people: [
    { name: 'John', age: 20 },
    { name: 'Eva', age: 18 },
    { name: 'Bob', age: 25 },
    { name: 'Charly', age: 30 },
  ],
};
const brands = [
  { brand: 'Toyota', models: [{ size: 'Prius 4' }, { size: 'Prius 5' }] },
  { brand: 'Kia', models: [{ size: 'EV4' }, { size: 'EV6' }] },
];

/** Features of Carbone. What they print is as in the examples of its documentation (carbone.io, read in November 2026). */
export const carboneCases: readonly MigrationCase[] = [
  {
    feature: 'value',
    outcome: 'rewritten',
    template: 'Hello {d.firstname}!',
    data: { firstname: 'John' },
    prints: 'Hello John!',
  },
  {
    feature: 'path',
    outcome: 'rewritten',
    template: 'a {d.type.name}',
    data: { type: { name: 'human' } },
    prints: 'a human',
  },
  {
    feature: 'complement',
    outcome: 'works',
    template: '{c.company}',
    newData: { c: { company: 'Acme' } },
    prints: 'Acme',
  },
  { feature: 'item of a list', outcome: 'rewritten', template: '{d.cars[1].brand}', data: cars, prints: 'Hyundai' },
  {
    feature: 'list of rows',
    outcome: 'rewritten',
    template: {
      body: table([
        ['Cars', 'id'],
        ['{d.cars[i].brand}', '{d.cars[i].id}'],
        ['{d.cars[i+1].brand}', ''],
      ]),
    },
    data: cars,
    prints: 'Cars\nid\nToyota\n1\nHyundai\n2\nBMW\n3',
  },
  {
    feature: 'list of paragraphs',
    outcome: 'rewritten',
    template: 'Cars\n{d.cars[i].brand}\nNumber {d.cars[i].id}\n{d.cars[i+1].brand}\nEnd',
    data: cars,
    prints: 'Cars\nToyota\nNumber 1\nHyundai\nNumber 2\nBMW\nNumber 3\nEnd',
  },
  {
    feature: 'list in a text',
    outcome: 'rewritten',
    template: '{d.cars[i].brand}, {d.cars[i+1].brand}',
    data: cars,
    prints: 'Toyota, Hyundai, BMW, ',
  },
  {
    feature: 'nested lists; the data is a list',
    outcome: 'rewritten',
    template: '{d[i].brand}\nModels\n{d[i].models[i].size}\n{d[i].models[i+1].size}\n{d[i+1].brand}',
    newData: { d: brands },
    prints: 'Toyota\nModels\nPrius 4\nPrius 5\nKia\nModels\nEV4\nEV6',
  },
  {
    feature: 'lists in one row',
    outcome: 'rewritten',
    template: {
      body: table([
        ['{d.b[i].brand}', '{d.b[i].models[i].size}'],
        ['{d.b[i+1].brand}', '{d.b[i+1].models[i+1].size}'],
      ]),
    },
    data: { b: brands },
    prints: 'Toyota\nPrius 4\nToyota\nPrius 5\nKia\nEV4\nKia\nEV6',
  },
  {
    feature: 'filtered list',
    outcome: 'rewritten',
    template: '{d.people[i, age > 19, age < 30].name} \n{d.people[i+1, age > 19, age < 30].name}',
    data: people,
    prints: 'John \nBob ',
  },
  { feature: 'search', outcome: 'rewritten', template: "{d.people[name='Eva'].age}", data: people, prints: '18' },
  {
    feature: 'sorted list',
    outcome: 'rewritten',
    template: '{d.people[age, i].name}\n{d.people[age+1, i+1].name}',
    data: people,
    prints: 'Eva\nJohn\nBob\nCharly',
  },
  {
    feature: 'distinct items',
    outcome: 'rewritten',
    template: '{d.v[type].brand}\n{d.v[type+1].brand}',
    data: {
      v: [
        { type: 'car', brand: 'Hyundai' },
        { type: 'plane', brand: 'Airbus' },
        { type: 'plane', brand: 'Boeing' },
        { type: 'car', brand: 'Toyota' },
      ],
    },
    prints: 'Hyundai\nAirbus',
  },
  {
    feature: 'alias',
    outcome: 'rewritten',
    template: '{#wheels = d.wheels}{d.name} need {$wheels} wheels!',
    data: { name: 'Cars', wheels: 4 },
    prints: 'Cars need 4 wheels!',
  },
  {
    feature: 'condition',
    outcome: 'rewritten',
    template: "{d.val:ifGT(3):show('high')}",
    data: { val: 2 },
    prints: '2',
  },
  {
    feature: 'condition with else',
    outcome: 'rewritten',
    template: '{d.v:ifEQ(1):show(A):ifEQ(2):show(B):elseShow(C)}',
    data: { v: 2 },
    prints: 'B',
  },
  {
    feature: 'combined conditions',
    outcome: 'rewritten',
    template: "{d.age:ifGTE(18):and(.vip):ifEQ(true):show('yes'):elseShow('no')}",
    data: { age: 20, vip: true },
    prints: 'yes',
  },
  {
    feature: 'empty value',
    outcome: 'rewritten',
    template: "{d.name:ifEM:show('none')} {d.zero:ifEM:show('none')} {d.name:ifEmpty('nobody')}",
    data: { name: '', zero: 0 },
    prints: 'none 0 nobody',
  },
  {
    feature: 'shown block',
    outcome: 'rewritten',
    template: 'Banana {d.toBuy:ifEQ(true):showBegin}Apple {d.toBuy:showEnd}Grapes',
    data: { toBuy: true },
    prints: 'Banana Apple Grapes',
  },
  {
    feature: 'hidden block',
    outcome: 'rewritten',
    template: 'Banana {d.toBuy:ifEQ(true):hideBegin}Apple {d.toBuy:hideEnd}Grapes',
    data: { toBuy: true },
    prints: 'Banana Grapes',
  },
  {
    feature: 'text formatters',
    outcome: 'rewritten',
    template: '{d.name:lowerCase:ucFirst}',
    data: { name: 'JOHN' },
    prints: 'John',
  },
  {
    feature: 'date formatter',
    outcome: 'rewritten',
    template: '{d.day:formatD(LL)}, {d.day:formatD(DD/MM/YYYY)}',
    data: { day: '2000-01-31' },
    prints: 'January 31, 2000, 31/01/2000',
  },
  {
    feature: 'number formatter',
    outcome: 'rewritten',
    template: '{d.n:formatN(2)}',
    data: { n: 1000.456 },
    prints: '1,000.46',
  },
  {
    feature: 'money',
    outcome: 'rewritten',
    template: "{d.n:formatC(2, 'EUR')}",
    data: { n: 1000.456 },
    prints: '€1,000.46',
  },
  {
    feature: 'calculation with values beside it',
    outcome: 'rewritten',
    template: '{d.sub.b:add(..a):add(.c):mul(2)}',
    data: { a: 20, sub: { b: 5, c: 3 } },
    prints: '56',
  },
  {
    feature: 'number of the item',
    outcome: 'rewritten',
    template: '{d.cars[i].id:count()} {d.cars[i+1].id}',
    data: cars,
    prints: '1 2 3 ',
  },
  {
    feature: 'joined list',
    outcome: 'rewritten',
    template: "{d.tags:arrayJoin('; ')}",
    data: { tags: ['a', 'b'] },
    prints: 'a; b',
  },
  { feature: 'sum of a list', outcome: 'rewritten', template: '{d.cars[].id:aggSum}', data: cars, prints: '6' },
  {
    feature: 'header',
    outcome: 'rewritten',
    template: { body: paragraph('x'), headers: [paragraph('{d.a}')] },
    data: { a: 1 },
    prints: 'x\n1',
  },
  { feature: 'condition for a row', outcome: 'reported', template: '{d.a:ifEQ(1):drop(row)}' },
  { feature: 'translation', outcome: 'reported', template: '{t(Hello)}' },
  { feature: 'enumeration', outcome: 'reported', template: "{d.state:convEnum('STATES')}" },
  { feature: 'part of a text', outcome: 'reported', template: '{d.name:substr(0, 3)}' },
  { feature: 'list without an end', outcome: 'reported', template: '{d.cars[i].brand}' },
  { feature: 'braces that are text', outcome: 'reported', template: 'Use {braces} here' },
];
