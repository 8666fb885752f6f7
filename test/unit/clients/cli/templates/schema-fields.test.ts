import { expect, test } from 'vitest';
import { compareFields } from '../../../../../clients/cli/src/templates/schema-fields.ts';

const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });

test('fields are compared at any depth, both by type and by whether they are required', () => {
  const before = object({
    name: { type: 'string' },
    day: { type: 'string', format: 'date' },
    items: { type: 'array', items: object({ price: { type: 'number' }, note: { type: 'string' } }, ['price']) },
  });
  const after = object(
    {
      name: { type: 'string' },
      day: { type: 'string' },
      items: { type: 'array', items: object({ price: { anyOf: [{ type: 'number' }, { type: 'string' }] } }) },
      customer: object({ name: {} }),
    },
    ['name'],
  );
  expect(compareFields(before, after)).toEqual([
    { name: 'customer', change: 'added', from: null, to: 'object, optional' },
    { name: 'customer.name', change: 'added', from: null, to: 'anything, optional' },
    { name: 'day', change: 'changed', from: 'string (date), optional', to: 'string, optional' },
    { name: 'items[].note', change: 'removed', from: 'string, optional', to: null },
    { name: 'items[].price', change: 'changed', from: 'number, required', to: 'number or string, optional' },
    { name: 'name', change: 'changed', from: 'string, optional', to: 'string, required' },
  ]);
  expect(compareFields(before, before)).toEqual([]);
});

test('a section that may be a list or an object has each field once', () => {
  const fields = { price: { type: 'number' } };
  const section = { type: ['array', 'object', 'boolean'], items: object(fields), properties: fields };
  expect(compareFields(object({}), object({ items: section }))).toEqual([
    { name: 'items', change: 'added', from: null, to: 'array or object or boolean, optional' },
    { name: 'items[].price', change: 'added', from: null, to: 'number, optional' },
  ]);
});

test.each([[undefined], [null], ['text'], [[]], [{ properties: 3, required: {}, items: [] }]])(
  '%j has no fields',
  (schema) => {
    expect(compareFields(schema, schema)).toEqual([]);
    expect(compareFields(schema, object({ ['__proto__']: { type: 'string' } }))).toHaveLength(1);
  },
);
