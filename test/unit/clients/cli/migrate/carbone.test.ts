import { expect, test } from 'vitest';
import { paragraph } from '../../../../support/documents/docx-builder.ts';
import { type MigrationCase, migrate, reported, rewritten, rows, testMigrations, works } from './migration-case.ts';

const cars = { cars: ['Toyota', 'Hyundai', 'BMW'].map((brand, index) => ({ brand, id: index + 1 })) };
const ages = { John: 20, Eva: 18, Bob: 25, Charly: 30 };
const people = { people: Object.entries(ages).map(([name, age]) => ({ name, age })) };
const brands = [
  { brand: 'Toyota', models: [{ size: 'Prius 4' }, { size: 'Prius 5' }] },
  { brand: 'Kia', models: [{ size: 'EV4' }, { size: 'EV6' }] },
];

/**
 * Carbone's features. The expected output comes from the examples in its documentation (carbone.io, read in November
 * 2026).
 */
const cases: readonly MigrationCase[] = [
  rewritten('value', 'Hello {d.firstname}!', { firstname: 'John' }, { prints: 'Hello John!' }),
  rewritten('path', 'a {d.type.name}', { type: { name: 'human' } }, { prints: 'a human' }),
  works('complement', '{c.company}', undefined, { newData: { c: { company: 'Acme' } }, prints: 'Acme' }),
  rewritten('item of a list', '{d.cars[1].brand}', cars, { prints: 'Hyundai' }),
  rewritten('list of rows', rows('Cars | id', '{d.cars[i].brand} | {d.cars[i].id}', '{d.cars[i+1].brand} | '), cars, {
    prints: 'Cars\nid\nToyota\n1\nHyundai\n2\nBMW\n3',
  }),
  rewritten('list of paragraphs', 'Cars\n{d.cars[i].brand}\nNumber {d.cars[i].id}\n{d.cars[i+1].brand}\nEnd', cars, {
    prints: 'Cars\nToyota\nNumber 1\nHyundai\nNumber 2\nBMW\nNumber 3\nEnd',
  }),
  rewritten('list in a text', '{d.cars[i].brand}, {d.cars[i+1].brand}', cars, { prints: 'Toyota, Hyundai, BMW, ' }),
  rewritten(
    'nested lists; the data is a list',
    '{d[i].brand}\nModels\n{d[i].models[i].size}\n{d[i].models[i+1].size}\n{d[i+1].brand}',
    undefined,
    { newData: { d: brands }, prints: 'Toyota\nModels\nPrius 4\nPrius 5\nKia\nModels\nEV4\nEV6' },
  ),
  rewritten(
    'lists in one row',
    rows('{d.b[i].brand} | {d.b[i].models[i].size}', '{d.b[i+1].brand} | {d.b[i+1].models[i+1].size}'),
    { b: brands },
    { prints: 'Toyota\nPrius 4\nToyota\nPrius 5\nKia\nEV4\nKia\nEV6' },
  ),
  rewritten(
    'filtered list',
    '{d.people[i, age > 19, age < 30].name} \n{d.people[i+1, age > 19, age < 30].name}',
    people,
    { prints: 'John \nBob ' },
  ),
  rewritten('search', "{d.people[name='Eva'].age}", people, { prints: '18' }),
  rewritten('sorted list', '{d.people[age, i].name}\n{d.people[age+1, i+1].name}', people, {
    prints: 'Eva\nJohn\nBob\nCharly',
  }),
  rewritten(
    'distinct items',
    '{d.v[type].brand}\n{d.v[type+1].brand}',
    {
      v: ['car Hyundai', 'plane Airbus', 'plane Boeing', 'car Toyota'].map((one) => {
        const [type, brand] = one.split(' ');
        return { type, brand };
      }),
    },
    { prints: 'Hyundai\nAirbus' },
  ),
  rewritten(
    'alias',
    '{#wheels = d.wheels}{d.name} need {$wheels} wheels!',
    { name: 'Cars', wheels: 4 },
    { prints: 'Cars need 4 wheels!' },
  ),
  rewritten('condition', "{d.val:ifGT(3):show('high')}", { val: 2 }, { prints: '2' }),
  rewritten('condition with else', '{d.v:ifEQ(1):show(A):ifEQ(2):show(B):elseShow(C)}', { v: 2 }, { prints: 'B' }),
  rewritten(
    'combined conditions',
    "{d.age:ifGTE(18):and(.vip):ifEQ(true):show('yes'):elseShow('no')}",
    { age: 20, vip: true },
    { prints: 'yes' },
  ),
  rewritten(
    'empty value',
    "{d.name:ifEM:show('none')} {d.zero:ifEM:show('none')} {d.name:ifEmpty('nobody')}",
    { name: '', zero: 0 },
    { prints: 'none 0 nobody' },
  ),
  rewritten(
    'shown block',
    'Banana {d.toBuy:ifEQ(true):showBegin}Apple {d.toBuy:showEnd}Grapes',
    { toBuy: true },
    { prints: 'Banana Apple Grapes' },
  ),
  rewritten(
    'hidden block',
    'Banana {d.toBuy:ifEQ(true):hideBegin}Apple {d.toBuy:hideEnd}Grapes',
    { toBuy: true },
    { prints: 'Banana Grapes' },
  ),
  rewritten('text formatters', '{d.name:lowerCase:ucFirst}', { name: 'JOHN' }, { prints: 'John' }),
  rewritten(
    'date formatter',
    '{d.day:formatD(LL)}, {d.day:formatD(DD/MM/YYYY)}',
    { day: '2000-01-31' },
    { prints: 'January 31, 2000, 31/01/2000' },
  ),
  rewritten('number formatter', '{d.n:formatN(2)}', { n: 1000.456 }, { prints: '1,000.46' }),
  rewritten('money', "{d.n:formatC(2, 'EUR')}", { n: 1000.456 }, { prints: '€1,000.46' }),
  rewritten(
    'calculation with values beside it',
    '{d.sub.b:add(..a):add(.c):mul(2)}',
    { a: 20, sub: { b: 5, c: 3 } },
    { prints: '56' },
  ),
  rewritten('number of the item', '{d.cars[i].id:count()} {d.cars[i+1].id}', cars, { prints: '1 2 3 ' }),
  rewritten('joined list', "{d.tags:arrayJoin('; ')}", { tags: ['a', 'b'] }, { prints: 'a; b' }),
  rewritten('sum of a list', '{d.cars[].id:aggSum}', cars, { prints: '6' }),
  rewritten('header', { body: paragraph('x'), headers: [paragraph('{d.a}')] }, { a: 1 }, { prints: 'x\n1' }),
  reported('condition for a row', '{d.a:ifEQ(1):drop(row)}'),
  reported('translation', '{t(Hello)}'),
  reported('enumeration', "{d.state:convEnum('STATES')}"),
  reported('part of a text', '{d.name:substr(0, 3)}'),
  reported('list without an end', '{d.cars[i].brand}'),
  reported('braces that are text', 'Use {braces} here'),
];

// Carbone's licence (CCL) does not let a document service run it, so the expected output comes from its documentation.
testMigrations({ engine: 'carbone', name: 'Carbone', cases });

test('data that needs another structure is reported', () => {
  const dataOf = (feature: string) => {
    const one = cases.find((known) => known.feature === feature);
    return one === undefined ? [] : migrate(one, 'carbone').report.data;
  };
  expect(dataOf('complement')).toEqual([expect.stringContaining('{"c": { … }}')]);
  expect(dataOf('nested lists; the data is a list')).toEqual([expect.stringContaining('{"d": [ … ]}')]);
});
