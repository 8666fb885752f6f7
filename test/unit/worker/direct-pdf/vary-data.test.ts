import { expect, test } from 'vitest';
import type { DataSchema } from '../../../../src/shared/data-schema.ts';
import { varyData } from '../../../../src/worker/direct-pdf/vary-data.ts';

const schema: DataSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    issued: { type: 'string', format: 'date' },
    total: { type: 'number' },
    isPaid: { type: 'boolean' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { label: { type: 'string' }, parts: { type: 'array', items: { type: 'string' } } },
      },
    },
  },
  required: ['name'],
};
const example = {
  name: 'Name',
  issued: '2026-03-31',
  total: 12,
  isPaid: true,
  items: [
    { label: 'Label 1', parts: ['a', 'b'] },
    { label: 'Label 2', parts: ['c'] },
  ],
};
type Data = Partial<typeof example>;
const cases = varyData(schema, example);
const dataOf = (name: string): Data => cases.find((one) => one.name === name)?.data as Data;

test('values with a description, and whole numbers, are varied too; those of a list of values are not', () => {
  const stated: DataSchema = {
    type: 'object',
    properties: {
      note: { type: 'string', description: 'Free text' },
      mayBeNull: { type: ['string', 'null'] },
      quantity: { type: 'integer', title: 'Quantity' },
      currency: { type: 'string', enum: ['EUR', 'USD'] },
    },
  };
  const values = { note: 'Note', mayBeNull: 'Text', quantity: 3, currency: 'EUR' };
  const named = (name: string) => varyData(stated, values).find((one) => one.name === name)?.data as typeof values;
  expect(named('empty texts')).toMatchObject({ note: '', mayBeNull: '', currency: 'EUR' });
  expect(named('large numbers').quantity).toBe(3_000_009);
});

test('the example data comes first, followed by the variants that change pages', () => {
  expect(cases[0]).toEqual({ name: 'the example data', data: example });
  expect(dataOf('empty texts').name).toBe('');
  expect(dataOf('no rows').items).toEqual([]);
  expect(dataOf('one row').items).toHaveLength(1);
  expect(dataOf('many rows').items?.length).toBeGreaterThan(50);
  expect(dataOf('long texts').name?.split(' ')).toHaveLength(120);
  expect(dataOf('long words').name).toMatch(/\S{50}/);
  expect(dataOf('false values')).toMatchObject({ isPaid: false, total: 0 });
  expect(Object.keys(dataOf('optional values left out'))).toEqual(['name']);
});

test('a string with a format keeps its value', () => {
  const dates = cases.flatMap(({ data }) => (data as Data).issued ?? []);
  expect(new Set(dates)).toEqual(new Set(['2026-03-31']));
});

test('the same template always gives the same data, and no case occurs twice', () => {
  expect(varyData(schema, example)).toEqual(cases);
  expect(new Set(cases.map(({ data }) => JSON.stringify(data))).size).toBe(cases.length);
});

test('nested lists do not make an endless document', () => {
  const nested: DataSchema = {
    type: 'array',
    items: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
  };
  const deep = varyData({ type: 'object', properties: { nested } }, { nested: [[['x'], ['y']], [['z']]] });
  for (const { data } of deep) expect(JSON.stringify(data).length).toBeLessThan(500_000);
});

test('a template without values has a single document', () => {
  expect(varyData({ type: 'object' }, {})).toEqual([{ name: 'the example data', data: {} }]);
});
