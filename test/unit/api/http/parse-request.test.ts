import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainIssue } from '../../../../src/api/http/parse-request.ts';

const cases: [string, z.ZodType, unknown, string][] = [
  [
    'a number too small',
    z.coerce.number('must be a number').int('must be a whole number').min(1),
    0,
    'must be at least 1',
  ],
  ['no number', z.coerce.number('must be a number').min(1), 'x', 'must be a number'],
  ['no whole number', z.coerce.number().int('must be a whole number'), '1.5', 'must be a whole number'],
  ['a number too large', z.int().max(100_000), 100_001, 'must be at most 100,000'],
  ['a text too short', z.string().min(3), 'ab', 'must have at least 3 characters'],
  ['too many elements', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 elements'],
  ['a text of its own', z.array(z.string()).min(1, 'must name an event'), [], 'must name an event'],
  ['a value that is missing', z.strictObject({ a: z.string() }), {}, 'is missing'],
  ['a value of another kind', z.boolean(), 1, 'must be true or false'],
  ['no object', z.strictObject({}), [], 'must be an object'],
  ['none of the words', z.enum(['a', 'b', 'c']), 'x', 'must be a, b or c'],
  ['none of several kinds', z.union([z.string(), z.number()]), true, 'is not valid'],
];

test.each(cases)('%s', (_what, schema, value, message) => {
  const { error } = schema.safeParse(value);
  expect(error?.issues.map(plainIssue)).toEqual([message]);
});
