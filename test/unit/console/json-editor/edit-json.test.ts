import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moveInJson, removeFromJson, setInJson } from '../../../../src/console/json-editor/edit-json.ts';
import { placeOf, readPlaces } from '../../../../src/console/json-editor/json-text.ts';

const text = `{
  "total":   12345678901234567890.10,
  "customer": {"name": "Ada", "city": "London"},
  "items": [
    { "n": 1.0 },
    { "n": 2 }
  ]
}`;

describe('editing the JSON text through the form', () => {
  test('changes the value and keeps every other byte', () => {
    expect(setInJson(text, ['customer', 'name'], 'Grace "G"')).toBe(text.replace('"Ada"', '"Grace \\"G\\""'));
  });

  test('adds a property in the style of its object', () => {
    expect(setInJson(text, ['customer', 'vat'], true)).toContain('{"name": "Ada", "city": "London", "vat": true}');
    expect(setInJson('{}', ['a'], { b: 1 })).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
  });

  test('creates the objects along the path, replacing other values', () => {
    expect(JSON.parse(setInJson('{"a": null}', ['a', 'b', 'c'], 1))).toEqual({ a: { b: { c: 1 } } });
    expect(JSON.parse(setInJson('{}', ['rows', 0, 'x'], 1))).toEqual({ rows: [{ x: 1 }] });
  });

  test('adds, removes and moves items without changing their digits', () => {
    expect(JSON.parse(setInJson(text, ['items', 2], { n: 3 })).items).toHaveLength(3);
    const moved = moveInJson(text, ['items'], 0, 1);
    expect(moved.indexOf('"n": 2')).toBeLessThan(moved.indexOf('"n": 1.0'));
    expect(moved).toContain('12345678901234567890.10');
    expect(JSON.parse(removeFromJson(text, ['items', 0])).items).toEqual([{ n: 2 }]);
    expect(JSON.parse(setInJson(text, ['customer', 'name'], undefined)).customer).toEqual({ city: 'London' });
    expect(JSON.parse(removeFromJson(removeFromJson(text, ['items', 0]), ['items', 0])).items).toEqual([]);
  });

  test('changes only plain data, even with hostile keys', () => {
    const edited = setInJson('{}', ['__proto__', 'constructor'], '</script>');
    expect(Object.hasOwn(JSON.parse(edited), '__proto__')).toBe(true);
  });

  test('has the same result as editing the value, for any data', async () => {
    await fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (data, key, value) => {
        const edited: unknown = JSON.parse(setInJson(JSON.stringify(data, null, 2), [key], value));
        const expected = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
        Object.defineProperty(expected, key, { value, enumerable: true, configurable: true, writable: true });
        expect(edited).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });
});

test('places a missing value at the start of its parent', () => {
  const places = readPlaces(text);
  const at = (path: (string | number)[]) => text.slice(placeOf(places, path).from, placeOf(places, path).to);
  expect(at(['customer', 'name'])).toBe('"Ada"');
  expect(at(['customer', 'missing'])).toBe('{');
  expect(at(['items', 1, 'n'])).toBe('2');
  expect(placeOf(readPlaces('nonsense'), ['a'])).toEqual({ from: 0, to: 1 });
});
