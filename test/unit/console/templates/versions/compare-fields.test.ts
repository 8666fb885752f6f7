import { expect, test } from 'vitest';
import { compareFields } from '../../../../../src/console/templates/versions/compare-fields.ts';
import { mergeExamples } from '../../../../../src/console/templates/versions/merge-examples.ts';

const object = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

test('new, removed, retyped, required and optional fields are listed by their paths', () => {
  const before = object(
    {
      customer: object({ name: text, city: text }),
      total: { type: 'number' },
      items: { type: 'array', items: object({ price: text }) },
    },
    ['total'],
  );
  const after = object(
    {
      customer: object({ name: text, vat: text }, ['name']),
      total: { type: 'string', format: 'date' },
      items: { type: 'array', items: object({ price: text, sku: text }) },
      note: text,
    },
    ['total'],
  );
  expect(compareFields(before, after)).toEqual([
    { kind: 'removed', path: 'customer.city' },
    { kind: 'required', path: 'customer.name' },
    { kind: 'added', path: 'customer.vat' },
    { kind: 'added', path: 'items[].sku' },
    { kind: 'added', path: 'note' },
    { kind: 'retyped', path: 'total', before: 'number', after: 'string (date)' },
  ]);
  expect(compareFields(after, after)).toEqual([]);
});

test('a new object is one change, however many fields it has; names with a common beginning are separate', () => {
  const after = object({ seller: object({ name: text, address: object({ city: text }) }), sellerName: text });
  expect(compareFields(object({}), after).map(({ path }) => path)).toEqual(['seller', 'sellerName']);
});

test('a section that may be a list or an object has each field once', () => {
  const section = (fields: Record<string, unknown>) =>
    object({ lines: { type: ['array', 'object', 'boolean'], items: object(fields), properties: fields } });
  expect(compareFields(section({}), section({ sku: text }))).toEqual([{ kind: 'added', path: 'lines[].sku' }]);
});

test('a field named like an inherited property is an ordinary field', () => {
  const after = object(JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}'));
  expect(compareFields(object({}), after).map(({ path }) => path)).toEqual(['__proto__', 'constructor']);
});

test("the examples of two versions are merged, and the first version's values win", () => {
  const first = { name: 'Ada', items: [{ price: 1 }], tags: ['a'] };
  const second = { name: 'Bob', city: 'Bern', items: [{ sku: 'x' }, { sku: 'y' }], tags: 'none' };
  expect(mergeExamples(first, second)).toEqual({
    name: 'Ada',
    city: 'Bern',
    items: [{ price: 1, sku: 'x' }, { sku: 'y' }],
    tags: ['a'],
  });
});
