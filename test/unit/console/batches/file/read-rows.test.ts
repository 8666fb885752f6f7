import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCsvScanner } from '../../../../../src/console/batches/file/csv-scanner.ts';
import { extractRows } from '../../../../../src/console/batches/file/extract-rows.ts';
import { EncodingError, FileError } from '../../../../../src/console/batches/file/file-error.ts';
import { inspectFile } from '../../../../../src/console/batches/file/inspect-file.ts';
import { createListScanner } from '../../../../../src/console/batches/file/list-scanner.ts';
import { readRows } from '../../../../../src/console/batches/file/read-rows.ts';
import { readText, sampleOf } from '../../../../../src/console/batches/file/read-text.ts';
import type { Scanner } from '../../../../../src/console/batches/file/source-row.ts';

const fileOf = (content: string | Blob | Uint8Array<ArrayBuffer>, name = 'people.csv') => new File([content], name);

const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;

/** All rows of a text that arrives in pieces of these lengths. */
function scanInPieces(scanner: Scanner, text: string, lengths: readonly number[]) {
  const rows = [];
  let at = 0;
  for (let piece = 0; at < text.length; piece++) {
    const length = lengths[piece % lengths.length] ?? 1;
    rows.push(...scanner.feed(text.slice(at, at + length)));
    at += length;
  }
  return [...rows, ...scanner.end()];
}

const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const field = fc.oneof(
  fc.string(),
  fc.stringMatching(/^["',;\t\r\n a€]{0,8}$/),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);

describe('CSV', () => {
  test('has the fields as written, with any delimiter, line ending or pieces', () => {
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) =>
        fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        pieces,
        (rows, delimiter, newline, lengths) => {
          const text = rows.map((row) => row.map(quoted).join(delimiter)).join(newline);
          const read = scanInPieces(createCsvScanner(delimiter), text, lengths);
          expect(read.map(({ fields }) => fields)).toEqual(rows);
        },
      ),
    );
  });

  test('keeps each row as written, so that it can be written again', () => {
    const text = 'a,b\r\n"x ""1""\r\n2", y\nplain,5" pipe\r"last",';
    const rows = scanInPieces(createCsvScanner(','), text, [3]);
    expect(rows.map((row) => row.text)).toEqual(['a,b', '"x ""1""\r\n2", y', 'plain,5" pipe', '"last",']);
    expect(rows.map((row) => row.fields)).toEqual([
      ['a', 'b'],
      ['x "1"\r\n2', ' y'],
      ['plain', '5" pipe'],
      ['last', ''],
    ]);
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 4, 5]);
  });

  test.each([
    ['a,b\n1,"never', 'unclosedQuote', 2],
    ['a,b\n\n"x" y,2\n', 'textAfterQuote', 3],
  ])('%j is refused with the number of its line', (text, problem, place) => {
    expect(() => scanInPieces(createCsvScanner(','), text, [4])).toThrow(expect.objectContaining({ problem, place }));
  });
});

test('a JSON list keeps its elements as written, in any pieces', () => {
  const value = fc.record({ name: fc.string(), list: fc.array(fc.jsonValue(), { maxLength: 3 }) });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), fc.constantFrom(undefined, 2), pieces, (values, indent, lengths) => {
      const rows = scanInPieces(createListScanner(), ` ${JSON.stringify(values, null, indent)}\n`, lengths);
      expect(rows.map(({ text }) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
    }),
  );
  const [row] = scanInPieces(createListScanner(), '[{"n": 12345678901234567890.10}]', [5]);
  expect(row?.text).toBe('{"n": 12345678901234567890.10}');
});

test.each([
  ['{"items": []}', 'notAList'],
  ['[{"a": 1}', 'endsEarly'],
  ['[{"a": 1},,{}]', 'notJson'],
  ['[{"a": 1}] more', 'notJson'],
])('%j is not a list', (text, problem) => {
  expect(() => scanInPieces(createListScanner(), text, [3])).toThrow(expect.objectContaining({ problem }));
});

describe('a file', () => {
  test('has its delimiter shown, and its byte order mark does not belong to the first name', async () => {
    const { columns, format, rowCount } = await inspectFile(fileOf('\uFEFFname;town, county\r\nÅsa;"a;b"\r\n'));
    expect(format).toEqual({ kind: 'csv', encoding: 'utf-8', delimiter: ';' });
    expect(columns.map(({ name, example }) => [name, example])).toEqual([
      ['name', 'Åsa'],
      ['town, county', 'a;b'],
    ]);
    expect(rowCount).toBe(1);
  });

  test('makes the page ask for its encoding if it is not UTF-8, and the page shows the effect of each choice', async () => {
    const file = fileOf(new Uint8Array([...Buffer.from('name\n'), 0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x0a]));
    await expect(inspectFile(file)).rejects.toThrow(EncodingError);
    expect(await sampleOf(file, 'windows-1252')).toBe('name Müller');
    expect(await sampleOf(file, 'macintosh')).toBe('name M¸ller');
    const { columns } = await inspectFile(file, { encoding: 'windows-1252' });
    expect(columns[0]?.example).toBe('Müller');
  });

  test('makes the page ask even if only its end is not UTF-8', async () => {
    const file = fileOf(new Blob(['name\n', `${'x'.repeat(99)}\n`.repeat(20_000), new Uint8Array([0xe9, 0x0a])]));
    await expect(inspectFile(file)).rejects.toThrow(EncodingError);
  });

  test('is read in UTF-16, as Excel saves Unicode text', async () => {
    const { columns, format } = await inspectFile(
      fileOf(Buffer.from('\uFEFFname\ttown\r\nZoë\tKøge\r\n', 'utf16le'), 'x.txt'),
    );
    expect(format).toMatchObject({ encoding: 'utf-16le', delimiter: '\t' });
    expect(columns.map(({ example }) => example)).toEqual(['Zoë', 'Køge']);
  });

  test('is counted without rows that have no data, and the page says why', async () => {
    const csv = await inspectFile(fileOf('a,b\n1,2\n1\n1,2,3\n'));
    expect(csv).toMatchObject({ rowCount: 3, problemCount: 2 });
    expect(csv.problems).toEqual([
      { row: 2, line: 3, kind: 'fieldCount', found: 1 },
      { row: 3, line: 4, kind: 'fieldCount', found: 3 },
    ]);
    const lines = await inspectFile(fileOf('{"a":{"b":1}}\n\n[1]\n{"a":\n', 'x.ndjson'));
    expect(lines.problems.map(({ row, kind }) => [row, kind])).toEqual([
      [2, 'notAnObject'],
      [3, 'notJson'],
    ]);
    expect(lines.columns.map(({ name }) => name)).toEqual(['a.b']);
  });

  test.each([
    ['', 'x.csv', 'noHeader'],
    ['a,b\n', 'x.csv', 'empty'],
    ['[]', 'x.json', 'empty'],
    ['"text"', 'x.json', 'notAList'],
    [`a\n${'1\n'.repeat(100_001)}`, 'x.csv', 'tooManyRows'],
    [`${'a,'.repeat(1_001)}\n`, 'x.csv', 'tooManyColumns'],
  ])('%# is refused', async (text, name, problem) => {
    await expect(inspectFile(fileOf(text, name))).rejects.toThrow(expect.objectContaining({ problem }));
  });

  test('can be reduced to chosen rows, in the same format', async () => {
    const file = fileOf('name;note\r\nAda;"one\r\ntwo"\r\nBob;\r\nCyd;x', 'people.csv');
    const { format } = await inspectFile(file);
    const chosen = await extractRows(file, format, new Set([1, 3]));
    expect(chosen.name).toBe('people-rows.csv');
    expect(Buffer.from(await chosen.arrayBuffer()).toString()).toBe('\uFEFFname;note\r\nAda;"one\r\ntwo"\r\nCyd;x\r\n');
    const list = fileOf('[{"a":1.50},\n{"a":2},{"a":3}]', 'x.json');
    const rows = await extractRows(list, (await inspectFile(list)).format, new Set([1, 3]));
    expect(await rows.text()).toBe('[\n{"a":1.50},\n{"a":3}\n]\n');
  });
});

test('is reported in a sentence if it disappears meanwhile', async () => {
  const file = fileOf('a\n1\n');
  Object.defineProperty(file, 'stream', {
    value: () =>
      new ReadableStream({ pull: (controller) => controller.error(new DOMException('gone', 'NotReadableError')) }),
  });
  const read = async () => {
    for await (const _ of readRows(file, { kind: 'csv', encoding: 'utf-8', delimiter: ',' }));
  };
  await expect(read()).rejects.toThrow(FileError);
});

test('leaves the browser time to draw between its pieces, even if all of them are available', async () => {
  const file = fileOf('');
  const piece = new TextEncoder().encode('x\n');
  let given = 0;
  const stream = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        given += 1;
        if (given > 20) controller.close();
        else controller.enqueue(piece);
      },
    });
  Object.defineProperty(file, 'stream', { value: stream });
  let others = 0;
  const other = setInterval(() => {
    others += 1;
  }, 1);
  for await (const _ of readText(file, 'utf-8')) {
    const startedAt = performance.now();
    while (performance.now() - startedAt < 20);
  }
  clearInterval(other);
  expect(others).toBeGreaterThan(3);
});
