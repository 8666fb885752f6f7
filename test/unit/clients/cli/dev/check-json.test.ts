import { describe, expect, test } from 'vitest';
import { checkJsonObject } from '../../../../../clients/cli/src/dev/check-json.ts';

describe('the check of a data file', () => {
  test.each(['{}', ' {"a": [1, null]}\n', '{"a": 12345678901234567890}'])('%j is an object', (text) => {
    expect(checkJsonObject(text)).toBeUndefined();
  });

  test.each(['[]', '"text"', 'null', '7'])('%j is JSON, but not an object', (text) => {
    expect(checkJsonObject(text)).toMatchObject({ message: expect.stringContaining('JSON object'), line: 1 });
  });

  test.each([
    ['{\n  "name": "Ada",\n  "city" "London"\n}', 3, 10],
    ['{"a": 1,}', 1, 9],
    ['{"a": \n\n tru}', 3, 2],
    ["{'a': 1}", 1, 2],
    ['{"a": 1} {"b": 2}', 1, 10],
    ['{"a": "x\n"}', 1, 7],
    ['// a comment\n{}', 1, 1],
  ])('%j has an error in line %i, column %i', (text, line, column) => {
    const problem = checkJsonObject(text);
    expect(problem).toMatchObject({ line, column });
    expect(problem?.message).toMatch(/^The data is not valid JSON: /);
    expect(problem?.message).not.toMatch(/position|line/);
  });

  test('a truncated text has its error at the end', () => {
    expect(checkJsonObject('{"a":\n')).toMatchObject({ line: 2, column: 1 });
    expect(checkJsonObject('')).toMatchObject({ line: 1, column: 1 });
  });
});
