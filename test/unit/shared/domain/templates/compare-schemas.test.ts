import { describe, expect, test } from 'vitest';
import type { DataSchema } from '../../../../../src/shared/data-schema.ts';
import { compareSchemas } from '../../../../../src/shared/domain/templates/compare-schemas.ts';
import { inferred } from '../../../docx/schema/inferred.ts';

const between = (current: string, next: string) =>
  compareSchemas(inferred(current).schema, inferred(next).schema)?.map(({ kind, name }) => `${kind} ${name}`);

describe('changes between two templates', () => {
  test.each([
    ['the same', '{a}{#items}{b.c}{/items}', '{a}{#items}{b.c}{/items}', []],
    ['a name fewer', '{a}{b}', '{a}', ['removed b']],
    ['a name in an object fewer', '{a.b}{a.c}', '{a.b}', ['removed a.c']],
    ['a name in a list fewer', '{#items}{b}{c}{/items}', '{#items}{b}{/items}', ['removed items[].c']],
    ['an object fewer is reported once', '{a}{b.c}{b.d.e}', '{a}', ['removed b']],
    ['a name more', '{a}', '{a}{b}', ['required b']],
    ['an object more is reported once', '{a}', '{a}{b.c.d}', ['required b']],
    ['a name more in a section', '{a}', '{a}{#b}{c}{/b}', []],
    ['a name more in a list', '{#items}{b}{/items}', '{#items}{b}{c}{/items}', []],
    ['a name that was optional', '{#a}{a}{/a}', '{a}', ['required a']],
    ['another name', '{name}', '{fullName}', ['required fullName', 'removed name']],
    ['a number for a text', '{a}', '{a | number:2}', ['retyped a']],
    ['a list for a text', '{a}', '{#a}{b}{/a}{#a}{c}{/a}', ['retyped a']],
    ['a date for a text', '{a}', '{a | date:"long"}', ['retyped a']],
    ['a text for a date', '{a | date:"long"}', '{a}', []],
    ['an object for a text', '{a}', '{a.b}', ['retyped a']],
    ['a picture for a text', '{a}', '{%a}', ['retyped a']],
    ['a picture for an object', '{a.b}', '{%a}', ['retyped a']],
    ['the same picture', '{%a}', '{%a}', []],
    ['keys of any name for known ones', '{k}{a.b}{a.c | number}', '{k}{a[k] | number}', ['retyped a.b']],
    ['keys of any name beside known ones', '{k}{a.b}{a.c}', '{k}{a.b}{a[k]}', []],
    ['known keys for those of any name', '{k}{a[k]}', '{k}{a.b}', ['removed a.*', 'required a.b']],
    ['another kind of value under any name', '{k}{a[k]}', '{k}{a[k] | number}', ['retyped a.*']],
    ['the same under any name', '{k}{#a[k]}{b}{/}', '{k}{#a[k]}{b}{/}', []],
    ['HTML for a text', '{a}', '{~a}', ['retyped a']],
    ['a number for a text in a list', '{#items}{b}{/items}', '{#items}{b | number}{/items}', ['retyped items[].b']],
  ])('%s', (_name, current, next, changes) => {
    expect(between(current, next)).toEqual(changes);
  });
});

describe('changes between two schemas', () => {
  const object = (properties: Readonly<Record<string, DataSchema>>, required: readonly string[] = []): DataSchema => ({
    type: 'object',
    properties,
    required,
  });
  const picture: DataSchema = { anyOf: [{ type: 'string', contentEncoding: 'base64' }, { type: 'object' }] };

  test('do not exist if one of them accepts anything', () => {
    expect(compareSchemas(object({ a: {} }), object({ a: { type: 'number' } }))).toEqual([]);
    expect(compareSchemas(object({ a: { type: 'number' } }), object({ a: {} }))).toEqual([]);
  });

  test('compare choices as sets', () => {
    const names = (current: DataSchema, next: DataSchema) =>
      compareSchemas(object({ a: current }), object({ a: next }))?.map(({ message }) => message);
    expect(names(picture, picture)).toEqual([]);
    expect(names({ type: 'string' }, { anyOf: [{ type: 'number' }, { type: 'string' }] })).toEqual([]);
    expect(names({ type: 'string' }, picture)).toEqual([
      '"a" is text in the current version and a picture or an object in the new one.',
    ]);
    expect(names({ type: 'string', contentMediaType: 'text/html' }, { type: 'string' })).toEqual([
      '"a" is HTML in the current version and text in the new one.',
    ]);
    const markdown: DataSchema = { type: 'string', contentMediaType: 'text/markdown' };
    expect(names({ type: 'string', contentMediaType: 'text/html' }, markdown)).toEqual([
      '"a" is HTML in the current version and Markdown in the new one.',
    ]);
  });

  test('are undefined if one of them is incomplete', () => {
    expect(compareSchemas({ ...object({}), $comment: 'cut' }, object({}))).toBeUndefined();
    expect(compareSchemas(object({}), { ...object({}), $comment: 'cut' })).toBeUndefined();
  });

  test('treat names that every object inherits as ordinary names', () => {
    const schema = object(Object.fromEntries([['constructor', { type: 'string' as const }]]));
    const proto = object(JSON.parse('{"__proto__": {"type": "string"}, "toString": {"type": "string"}}'));
    expect(compareSchemas(schema, object({}))).toMatchObject([{ kind: 'removed', name: 'constructor' }]);
    expect(compareSchemas(proto, object({}))?.map(({ name }) => name)).toEqual(['__proto__', 'toString']);
    expect(compareSchemas(object({}), proto)).toEqual([]);
  });

  test('are reported by name, at most fifty', () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`n${99 - i}`, { type: 'string' as const }]));
    const names = compareSchemas(object(many), object({}))?.map(({ name }) => name);
    expect(names).toHaveLength(50);
    expect(names).toEqual([...(names ?? [])].sort());
  });
});
