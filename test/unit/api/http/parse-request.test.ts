import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { parseRequest, pathId } from '../../../../src/api/http/parse-request.ts';
import type { AppError } from '../../../../src/shared/errors.ts';
import { plainIssue } from '../../../../src/shared/schema-issues.ts';

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

test('at most fifty invalid fields are reported, each with a path of at most 200 characters', () => {
  const refusal = (schema: z.ZodType, value: unknown) => {
    try {
      return parseRequest(schema, value);
    } catch (error) {
      return error as AppError;
    }
  };
  const texts = z.object({ items: z.array(z.object({ a: z.string() })) });
  const many = refusal(texts, { items: Array(60).fill({}) }) as AppError;
  expect(many).toMatchObject({ code: 'invalid_request', message: 'items[0].a: is missing' });
  expect(many.details).toHaveLength(50);
  const long = refusal(z.strictObject({}), { ['x'.repeat(300)]: 1 }) as AppError;
  expect(long.details).toEqual([{ type: 'Field', path: 'x'.repeat(200), message: 'is not a known field' }]);
  const either = z.object({ a: z.union([z.object({ b: z.string() }), z.null()]) });
  expect(refusal(either, { a: { b: 1 } })).toMatchObject({ message: 'a.b: must be a string' });
  expect(refusal(texts, { items: [] })).toEqual({ items: [] });
});

const id = `fnt_${'0'.repeat(25)}1`;

/** Sent exactly as written here, because no client normalizes them. */
const hostile: Readonly<Record<string, readonly string[]>> = {
  'paths that lead elsewhere': [
    ...['..%2f..%2fetc%2fpasswd', '%2E%2E%2Fetc', '..%5c..%5cwindows', '%c0%ae%c0%ae%c0%af', '%252e%252e%252f'],
    ...[`..%2ffonts%2f${id}`, `${id}%2f..`, `${id}%2f`, `%2f${id}`, `${id}%5c..%5c${id}`, 'file:%2f%2f%2fetc'],
  ],
  'control characters and broken encodings': [
    ...[
      '%00',
      `${id}%00`,
      `%00${id}`,
      `${id}%00.ttf`,
      `${id}%0d%0aX-Header:%20yes`,
      `${id}%0a`,
      `${id}%20`,
      `%09${id}`,
    ],
    ...['%ff%fe', '%', '%zz', `${id}%`, `${id}%e2%80`, '%ed%a0%80', `${id}%7f`, `${id}%c2%85`, '%E0%A4%A'],
  ],
  'ids that look alike': [
    ...[id.toUpperCase(), id.replace('fnt_', 'FNT_'), `${id}0`, id.slice(0, -1), id.slice(4), `${id};v=1`, `${id}.ttf`],
    ...[
      'fnt',
      '０',
      'ｆｎｔ_',
      'fnt＿',
      'fnt\u200b_',
      '\u202efnt_',
      '\ufefffnt_',
      'fոt_',
      'fnt_\u0301',
      'fntx_',
      'xfnt_',
    ].map((text) => encodeURIComponent(id.replace('fnt_', text))),
    encodeURIComponent(id.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))),
  ],
  'ids of another kind or size': [
    ...[
      '__proto__',
      'constructor',
      'installed',
      'null',
      '-1',
      '*',
      '%27%20or%201=1--',
      '%24%7Bjndi%7D',
      '%7B%7D',
      '%3F',
    ],
    ...['a'.repeat(10_000), encodeURIComponent('字'.repeat(1_000)), `${id},${id}`, `fnt_${'f'.repeat(5_000)}`],
  ],
};

test.each(Object.keys(hostile))('no resource has %s as its id', async (kind) => {
  const app = new Hono<ApiEnv>();
  app.get('/v1/fonts/:id', (c) => c.text(`id: ${pathId(c)}`));
  const read = async (target: string) => (await app.request(`http://localhost/v1/fonts/${target}`)).text();
  expect([await read(id), await read(id.replace('_', '%5F'))]).toEqual([`id: ${id}`, `id: ${id}`]);
  for (const target of hostile[kind] ?? []) expect(await read(target), target.slice(0, 80)).toBe('id: ');
});
