import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanJson } from '../../../../src/api/http/scan-json.ts';

const scan = (text: string, maxDepth = 64) => scanJson(Buffer.from(text), maxDepth);
const member = (text: string, key: string) => scan(text).members.get(key)?.toString().trim();

describe('scanJson', () => {
  it.each([
    ['{"data":{"a":1},"output":{}}', 'data', '{"a":1}'],
    ['{ "data" : [1, 2] }', 'data', '[1, 2]'],
    ['{"a":"x,}\\"]","data":"y"}', 'data', '"y"'],
    ['{"a\\\\":1,"data":2}', 'data', '2'],
    ['{"d\\u0061ta":3}', 'data', '3'],
    ['{"data":1,"data":{"b":2}}', 'data', '{"b":2}'],
    ['{"x":{"data":1}}', 'data', undefined],
    ['{"data":"data"}', 'data', '"data"'],
  ])('finds the value in %s', (text, key, expected) => {
    expect(member(text, key)).toBe(expected);
  });

  it('counts nesting only outside strings, and stops at the limit', () => {
    expect(scan('[[["[[[["]]]').depth).toBe(3);
    expect(scan('['.repeat(1_000_000), 64).depth).toBe(65);
  });

  it('finds exactly the values that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, 3), (value, indent) => {
        const { members } = scan(JSON.stringify(value, null, indent), 1_000);
        for (const [key, item] of Object.entries(JSON.parse(JSON.stringify(value)))) {
          expect(JSON.parse(members.get(key)?.toString() ?? 'null')).toEqual(item);
        }
      }),
    );
  });

  it('never throws or hangs on bytes that are not JSON', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void scanJson(Buffer.from(bytes), 64)));
  });
});
