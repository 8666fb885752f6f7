import { describe, expect, test } from 'vitest';
import { commentText, propertyName, typeOfSchema } from '../../../../../clients/cli/src/types/type-of-schema.ts';
import { inferred } from '../../../docx/schema/inferred.ts';

/** Joins a type into one line, so that a table can show it. */
const flat = (text: string) => text.replace(/\s+/g, ' ');
const text = { type: 'string' };
const number = { type: 'number' };

describe('the type of a schema', () => {
  test.each<[schema: unknown, type: string]>([
    [true, 'unknown'],
    [false, 'never'],
    [{}, 'unknown'],
    [null, 'unknown'],
    [{ $ref: '#/$defs/a' }, 'unknown'],
    [{ type: 'text' }, 'unknown'],
    [text, 'string'],
    [{ type: 'string', format: 'date' }, 'string'],
    [number, 'number'],
    [{ type: 'integer', minimum: 1 }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'null' }, 'null'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'array' }, 'readonly unknown[]'],
    [{ type: 'array', items: text }, 'readonly string[]'],
    [{ type: 'array', items: { type: 'array', items: number } }, 'readonly readonly number[][]'],
    [{ type: 'array', items: { type: ['string', 'number'] } }, 'readonly (string | number)[]'],
    [{ type: 'object' }, 'object'],
    [{ type: 'object', properties: {} }, 'object'],
    [{ type: 'object', properties: { a: text, b: number }, required: ['b'] }, '{ a?: string | undefined; b: number; }'],
    [{ properties: { a: text } }, '{ a?: string | undefined; }'],
    [{ type: 'object', properties: { a: {} } }, '{ a?: unknown; }'],
    [{ type: 'object', required: ['a'] }, '{ a: unknown; }'],
    [{ type: 'object', additionalProperties: number }, '{ [name: string]: number; }'],
    [{ type: 'object', additionalProperties: true }, '{ [name: string]: unknown; }'],
    [{ type: 'object', additionalProperties: false }, 'object'],
    [
      { type: 'object', properties: { a: text, b: number }, additionalProperties: number },
      '{ a?: string | undefined; b?: number | undefined; [name: string]: number | string | undefined; }',
    ],
    [{ enum: ['contain', 'cover', 3, null, true] }, '"contain" | "cover" | 3 | null | true'],
    [{ enum: ['*/ "'] }, '"*/ \\""'],
    [{ enum: [{}] }, 'unknown'],
    [{ enum: [] }, 'never'],
    [{ const: 'a' }, '"a"'],
    [{ const: -0.5 }, '-0.5'],
    [{ anyOf: [text, number, text] }, 'string | number'],
    [{ oneOf: [text, {}] }, 'unknown'],
    [{ allOf: [{ properties: { a: text } }, { required: ['b'] }] }, '{ a?: string | undefined; } & { b: unknown; }'],
    [
      { type: 'object', properties: { a: text, b: number }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{ a?: string | undefined; b?: number | undefined; } & ({ a: string; } | { b: number; })',
    ],
  ])('%j', (schema, type) => {
    expect(flat(typeOfSchema(schema))).toBe(type);
  });

  test('properties keep their names, comments and formats', () => {
    const ofFormat = (format: string) => ({ ...text, format });
    const properties = {
      'unit price': { ...number, description: 'In euros.\n */ export const a = 1; @ts-ignore' },
      'a\u2028"\n`b': text,
      straße: text,
      due: ofFormat('date'),
      at: { type: 'array', items: ofFormat('date-time') },
      link: ofFormat('uri'),
      note: { ...text, contentMediaType: 'text/html' },
      note2: { ...text, contentMediaType: 'text/markdown' },
      odd: ofFormat('constructor'),
    };
    expect(typeOfSchema({ type: 'object', properties, required: Object.keys(properties) })).toBe(String.raw`{
  /** A date with a time, such as 2026-03-31T10:00:00Z. */
  at: readonly string[];
  "a\u2028\"\n${'`'}b": string;
  /** A date, such as 2026-03-31. */
  due: string;
  /** An address, such as https://example.com. */
  link: string;
  /** HTML. */
  note: string;
  /** Markdown. */
  note2: string;
  odd: string;
  "straße": string;
  /** In euros. *\/ export const a = 1; @ ts-ignore */
  "unit price": number;
}`);
  });

  test('names that every object inherits are ordinary property names', () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"number"}},"required":["toString"]}',
    );
    expect(flat(typeOfSchema(schema))).toBe('{ __proto__?: number | undefined; toString: unknown; }');
  });

  test('a schema that leaves out names allows other properties at every level', () => {
    const schema = { type: 'object', properties: { a: { type: 'object', properties: { b: text } } } };
    expect(flat(typeOfSchema(schema, true))).toBe(
      '{ a?: { b?: string | undefined; [name: string]: unknown; } | undefined; [name: string]: unknown; }',
    );
  });

  test('a schema of any depth is converted in bounded time', () => {
    let schema: unknown = text;
    for (let level = 0; level < 10_000; level += 1) schema = { type: 'object', properties: { a: schema } };
    expect(typeOfSchema(schema)).toContain('a?: unknown;');
  });

  test('every schema that a template can have is supported', () => {
    const { schema } = inferred(
      '{name}{#items}{sku} {price * qty | number:2}{#options}{.}{/}{/items}{#sent}{on}{/}{rates[code] | number}{d | date}{#vip}!{/}{%logo}',
    );
    const item = `{ options?: readonly string[] | undefined; price?: number | undefined; qty?: number | undefined;
      sku?: string | undefined; }`;
    expect(flat(typeOfSchema(schema).replace(/ *\/\*\*.*\*\/\n/g, ''))).toBe(
      flat(`{
        code: string;
        d: string;
        items?: readonly ${item}[] | ${item} | boolean | undefined;
        logo: string | { alt?: string | undefined; asset?: string | undefined; data?: string | undefined;
          fit?: "contain" | "cover" | "stretch" | undefined; height?: string | number | undefined;
          width?: string | number | undefined; } & ({ data: string; } | { asset: string; });
        name: string;
        rates: { [name: string]: number; };
        sent?: { on?: string | undefined; } | readonly { on?: string | undefined; }[] | boolean | undefined;
        vip?: boolean | object | readonly unknown[] | undefined;
        on?: string | undefined;
      }`),
    );
  });
});

test.each([
  ['a*/b', 'a*\\/b'],
  ['**//', '**\\//'],
  ['a\r\nb\u2028c\u0000d', 'a b c d'],
  ['// @TS-nocheck', '// @ TS-nocheck'],
])('the comment %j', (comment, safe) => {
  expect(commentText(comment)).toBe(safe);
});

test.each([
  ['name', 'name'],
  ['$a_1', '$a_1'],
  ['1a', '"1a"'],
  ['', '""'],
  ['\ud800', '"\\ud800"'],
])('the property %j', (name, written) => {
  expect(propertyName(name)).toBe(written);
});
