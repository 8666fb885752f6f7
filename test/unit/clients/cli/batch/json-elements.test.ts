import { describe, expect, test } from 'vitest';
import { readElements, readJsonLines } from '../../../../../clients/cli/src/batch/json-elements.ts';

/** The bytes of a text in chunks of this length, so that the cuts fall everywhere. */
async function* chunksOf(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += length) yield bytes.slice(start, start + length);
}

async function all(rows: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

async function elements(text: string, length: number): Promise<string[]> {
  return await all(readElements(chunksOf(text, length), 'rows.json'));
}

describe('a JSON array', () => {
  const rows = ['{"a":"],}[{\\"\\\\","b":[1,[2]]}', '{"n":12345678901234567890.10}', '"ä€😀"', '[]', 'null'];

  test.each([1, 2, 3, 7, 1_000])('keeps its elements as they are written, in chunks of %d bytes', async (length) => {
    expect(await elements(`\ufeff [ ${rows.join(' ,\n ')} ] \n`, length)).toEqual(rows);
    expect(await elements('[ ]', length)).toEqual([]);
    expect(await elements('[{}]', length)).toEqual(['{}']);
  });

  test.each([
    ['', 'not complete'],
    ['[1', 'not complete'],
    ['{"a":1}', 'not one JSON array'],
    ['[1] [2]', 'not one JSON array'],
    ['[1,]', 'row 2 is not valid JSON'],
    ['[,1]', 'row 1 is not valid JSON'],
    ['[{"a":1},{"a":}]', 'row 2 is not valid JSON'],
    ['[1}]', 'row 1 is not valid JSON'],
  ])('%j is refused: %s', async (text, problem) => {
    await expect(elements(text, 2)).rejects.toThrow(problem);
  });

  test('bytes that are not UTF-8 are refused', async () => {
    const bytes = async function* () {
      yield new Uint8Array([0x5b, 0x22, 0xff, 0x22, 0x5d]);
    };
    await expect(all(readElements(bytes(), 'rows.json'))).rejects.toThrow('row 1 is not valid UTF-8');
  });
});

describe('lines of JSON', () => {
  test.each([1, 3, 1_000])('are kept without empty ones, in chunks of %d bytes', async (length) => {
    const lines = readJsonLines(chunksOf('\ufeff{"a":1}\r\n\n{"b":"\u2028"}\n{"c":3}', length), 'rows.ndjson');
    expect(await all(lines)).toEqual(['{"a":1}', '{"b":"\u2028"}', '{"c":3}']);
  });

  test('are named by their number if they are broken', async () => {
    const lines = readJsonLines(chunksOf('{"a":1}\n{"a":\n', 4), 'rows.ndjson');
    await expect(all(lines)).rejects.toThrow('rows.ndjson: row 2 is not valid JSON');
  });
});
