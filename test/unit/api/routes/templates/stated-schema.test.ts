import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { mergeSchema } from '../../../../../src/api/stated-schema/merge-schema.ts';
import { parseStatedSchema } from '../../../../../src/api/stated-schema/parse-stated-schema.ts';
import type { DataSchema } from '../../../../../src/shared/data-schema.ts';
import { AppError } from '../../../../../src/shared/errors.ts';
import { inspect } from '../../../docx/render/fill.ts';

const parse = (text: string) => parseStatedSchema(Buffer.from(text));
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const template =
  '{name}{#paid}on {paidOn}{/paid}{#items}{sku}{price | number}{/items}{due}{#customer.vip}!{/}{rates[name]}';

const text = { type: 'string' };
const rates = { type: 'object', additionalProperties: { type: 'number' } };
const cases: [stated: object, at: string, schema: object][] = [
  [{ paid: { type: 'boolean' } }, 'paid', { type: 'boolean' }],
  [{ paidOn: { type: 'string', format: 'date' } }, 'paidOn', { type: 'string', format: 'date' }],
  [{ due: { type: 'string', format: 'date' } }, 'due', { type: 'string', format: 'date' }],
  [{ due: { type: ['integer', 'null'] } }, 'due', { type: ['integer', 'null'] }],
  [{ due: { enum: ['now', 'later'] } }, 'due', { enum: ['now', 'later'] }],
  [{ due: { anyOf: [{ type: 'number' }, text] } }, 'due', { anyOf: [{ type: 'number' }, text] }],
  [{ due: {} }, 'due', text],
  [{ due: { title: 'Due' } }, 'due', { ...text, title: 'Due' }],
  [{ due: { ...text, examples: ['in May'] } }, 'due', { ...text, examples: ['in May'] }],
  [
    { items: { type: 'array', items: { properties: { price: { type: 'integer' } } } } },
    'items',
    { type: 'array', items: { type: 'object', properties: { sku: text, price: { type: 'integer' } } } },
  ],
  [
    { paid: { properties: { paidOn: { type: 'string', format: 'date-time' } } } },
    'paid',
    { type: 'object', properties: { paidOn: { type: 'string', format: 'date-time' } } },
  ],
  [
    { customer: { properties: { vip: { type: 'boolean' } }, required: ['vip'] } },
    'customer',
    { type: 'object', properties: { vip: { type: 'boolean' } }, required: ['vip'] },
  ],
  [{ rates }, 'rates', rates],
];

describe('what an author states is merged over the schema of the tags', () => {
  const inferred = inspect(template);

  test.each(cases)('%j', (properties, name, expected) => {
    const stated = parse(JSON.stringify({ properties }));
    if (stated === undefined) throw new Error('nothing is stated');
    const { schema, example } = mergeSchema(inferred, stated);
    expect(schema.properties?.[name]).toEqual(expected);
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
    const others = Object.keys(inferred.schema.properties ?? {}).filter((one) => one !== name);
    for (const one of others) expect(schema.properties?.[one]).toEqual(inferred.schema.properties?.[one]);
    expect(schema.required).toEqual(inferred.schema.required);
  });

  test.each([{}, { description: 'whether it is paid' }, { examples: [true] }])(
    'a section keeps its types where only %j is stated, so that "no" is not text',
    (paid) => {
      const { schema } = mergeSchema(inferred, parse(JSON.stringify({ properties: { paid, due: {} } })) ?? {});
      expect(schema.properties?.paid).toEqual({ ...inferred.schema.properties?.paid, ...paid });
      expect(schema.properties?.paid?.type).toContain('boolean');
    },
  );

  test('lists in lists are merged in one pass', () => {
    const lists = (levels: number): object => (levels === 0 ? {} : { items: lists(levels - 1) });
    const stated = { properties: { x: lists(60) } } as DataSchema;
    expect(mergeSchema(inferred, stated).schema.properties?.x).toMatchObject({ type: 'array' });
    expect(() => parse(JSON.stringify(stated))).toThrow(AppError);
    expect(parse(JSON.stringify({ properties: { x: lists(14) } }))).toBeDefined();
  });

  test('names like those of the prototype are ordinary names', () => {
    const stated = parse('{"properties":{"constructor":{"type":"number"},"toString":{"properties":{"a":{}}}}}');
    const { schema, example } = mergeSchema(inferred, stated ?? {});
    expect(Object.keys(schema.properties ?? {})).toContain('constructor');
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
  });

  test('`required` of the author replaces that of the tags, and `examples` the example', () => {
    const examples = [{ name: 'Ada' }];
    const { schema, example } = mergeSchema(inferred, parse(JSON.stringify({ required: ['due'], examples })) ?? {});
    expect([schema.required, example]).toEqual([['due'], { name: 'Ada' }]);
  });
});

test.each(['{}', '{"$schema":"https://json-schema.org/draft/2020-12/schema"}'])('%s states nothing', (json) => {
  expect(parse(json)).toBeUndefined();
});

const nested = (levels: number) => `${'{"properties":{"a":'.repeat(levels)}{}${'}}'.repeat(levels)}`;

describe('a schema is refused', () => {
  test.each([
    ['', 'schema: is empty'],
    ['{', 'schema: is not valid JSON (at byte 1)'],
    ['[]', 'schema: must be an object'],
    ['true', 'schema: must be an object'],
    ['{"type":"array"}', 'schema: must describe an object, like data'],
    ['{"enum":[1]}', 'schema: must describe an object, like data'],
    ['{"examples":[1]}', 'schema: must describe an object, like data'],
    ['{"$ref":"#"}', 'schema: uses "$ref", which Docmill does not read'],
    ['{"properties":{"a":{"pattern":"(a+)+$"}}}', 'schema.properties.a: uses "pattern", which Docmill does not read'],
    ['{"properties":{"a":{"type":"text"}}}', /^schema\.properties\.a\.type: must be object, array, .* or null/],
    ['{"properties":{"a":true}}', 'schema.properties.a: must be an object'],
    ['{"properties":{"a":{"format":"email"}}}', 'schema.properties.a.format: must be date, date-time or uri'],
    ['{"additionalProperties":false}', 'schema.additionalProperties: must be an object'],
    ['{"required":"a"}', 'schema.required: must be a list'],
    ['{"properties":{"a\\u0000":{}}}', 'schema: has a null character or half of a surrogate pair'],
    ['{"title":"\\ud800"}', 'schema: has a null character or half of a surrogate pair'],
    [nested(40), 'schema: nests deeper than 64 levels'],
    [nested(16), 'schema: has more than 16 levels of objects and lists'],
  ])('%s', (json, message) => {
    const refused = () => parse(json);
    expect(refused).toThrow(AppError);
    try {
      refused();
    } catch (error) {
      expect(error).toMatchObject({ code: 'template_invalid', message: 'Template validation errors' });
      const wanted = typeof message === 'string' ? message : expect.stringMatching(message);
      expect((error as AppError).details).toEqual([{ type: 'Message', message: wanted }]);
    }
  });

  test('with at most fifty mistakes', () => {
    const names = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`n${index}`, { type: 'x' }]));
    try {
      parse(JSON.stringify({ properties: names }));
      expect.unreachable();
    } catch (error) {
      expect((error as AppError).details).toHaveLength(50);
    }
  });

  test('but not for fewer levels', () => {
    expect(parse(nested(15))).toBeDefined();
  });
});
