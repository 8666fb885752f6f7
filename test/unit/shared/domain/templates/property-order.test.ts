import { expect, test } from 'vitest';
import type { DataSchema } from '../../../../../src/shared/data-schema.ts';
import {
  inOrderOf,
  inPropertyOrder,
  withPropertyOrder,
} from '../../../../../src/shared/domain/templates/property-order.ts';
import type { JsonObject } from '../../../../../src/shared/json.ts';

/** A copy whose keys are in the order in which PostgreSQL returns those of `jsonb`: by length, then by letters. */
function stored<T>(value: T): T {
  if (Array.isArray(value)) return value.map(stored) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, stored(inner)])) as T;
}

const text = { type: 'string' } as const;
const row = { type: 'object', properties: { quantity: text, name: text, id: text } } as const;
const schema: DataSchema = {
  type: 'object',
  properties: {
    customer: { type: 'object', properties: { street: text, city: text } },
    items: { type: 'array', items: row },
    no: { anyOf: [row, text] },
  },
  additionalProperties: row,
};

test('a schema and its example come back in the order of the template', () => {
  const back = inPropertyOrder(stored(withPropertyOrder(schema)));
  expect(back).toEqual(schema);
  expect(Object.keys(back.properties ?? {})).toEqual(['customer', 'items', 'no']);
  for (const inner of [back.properties?.items?.items, back.properties?.no?.anyOf?.[0], back.additionalProperties])
    expect(Object.keys(inner?.properties ?? {})).toEqual(['quantity', 'name', 'id']);

  const example: JsonObject = { customer: { street: 'a', city: 'b' }, items: [{ quantity: 1, name: 'x', id: 'y' }] };
  expect(JSON.stringify(inOrderOf(back, stored(example)))).toBe(JSON.stringify(example));
});

test('a schema that was stored without an order keeps its own', () => {
  expect(JSON.stringify(inPropertyOrder(stored(schema)))).toBe(JSON.stringify(stored(schema)));
});
