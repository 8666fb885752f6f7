import fc from 'fast-check';
import { expect, it } from 'vitest';
import { locateJsonError } from '../../../../src/api/http/locate-json-error.ts';
import { volume } from '../../../support/extended.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it.each([
  ['{"a":tru}', 8],
  ['{"a":1,}', 7],
  ['{"a":1', 6],
  ['[1 2]', 3],
  ['{"a":01}', 6],
  ['"a\nb"', 2],
  ['"é\\x"', 4],
  ['"\\u12g4"', 5],
  ['[1.]', 3],
  ['[-]', 2],
  ['[1e+]', 4],
  ['{"a" 1}', 5],
  ['{1:2}', 1],
  ['[]]', 2],
  ['[}', 1],
  ['', 0],
  ['nul', 3],
])('%s is invalid at byte %i', (text, offset) => {
  expect(locateJsonError(Buffer.from(text))).toBe(offset);
});

it('finds an error exactly where JSON.parse does', () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', '-', '.5', '0', 'e', 'true', 'nul', ' ', 'é'];
  const nearJson = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(nearJson, fc.json(), fc.string()), (text) => {
      expect(locateJsonError(Buffer.from(text)) === undefined).toBe(isJson(text.toWellFormed()));
    }),
    { numRuns: volume(600, 5_000) },
  );
});

it('a prefix of valid JSON is reported as truncated, and an invalid byte after it by its offset', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, seed) => {
      const bytes = Buffer.from(text);
      const cut = bytes.subarray(0, seed % bytes.length);
      const fault = locateJsonError(cut);
      expect(fault === undefined || fault === cut.length).toBe(true);
      const broken = Buffer.concat([cut, Buffer.from([1])]);
      expect(locateJsonError(broken)).toBe(cut.length);
    }),
    { numRuns: volume(300, 2_500) },
  );
});
