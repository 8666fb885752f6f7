import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseColumnFormats } from '../../../../src/api/batches/sources/column-formats.ts';
import { validUtf8 } from '../../../../src/api/batches/sources/open-source.ts';
import { readCsv } from '../../../../src/api/batches/sources/read-csv.ts';
import { readJsonItems } from '../../../../src/api/batches/sources/read-json-items.ts';
import { readNdjson } from '../../../../src/api/batches/sources/read-ndjson.ts';
import type { BatchSource, SourceRow } from '../../../../src/api/batches/sources/source-row.ts';
import { volume } from '../../../support/extended.ts';

type Read = (chunks: AsyncIterable<Buffer>) => BatchSource;

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function rowsOf(read: Read, body: string | Buffer, size = 7) {
  const source = read(validUtf8(cut(Buffer.from(body), size)));
  const rows: SourceRow[] = [];
  for await (const row of source.rows) rows.push(row);
  return { rows, envelope: source.envelope() };
}

const valuesOf = ({ rows }: { rows: readonly SourceRow[] }) =>
  rows.map((row) => ('problem' in row ? row.problem.message : row.value));

async function offsetOf(read: Read, body: string | Buffer, size: number): Promise<unknown> {
  const failure = await rowsOf(read, body, size).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'invalid_request' });
  return (failure as { details: [{ offset: number }] }).details[0].offset;
}

const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
const sizes = fc.integer({ min: 1, max: 40 });

describe('JSON', () => {
  it('finds every element, with its data byte for byte, wherever the chunks are cut', async () => {
    const spaces = fc.constantFrom('', ' ', '\n\t');
    await fc.assert(
      fc.asyncProperty(fc.array(anyObject), sizes, spaces, fc.boolean(), async (rows, size, space, isFirst) => {
        const texts = rows.map((row) => JSON.stringify(row));
        const items = texts.map((text) => `${space}{"output":{},"data":${text}}${space}`).join(',');
        const rest = `"output":{"items":["]",{"items":[]}]},"bundle":"zip"`;
        const body = isFirst ? `{"items":${space}[${items}],${rest}}` : `{${rest},"ite\\u006ds":[${items}]}${space}`;
        const found = await rowsOf(readJsonItems, body, size);
        expect(found.rows.map((row) => 'data' in row && row.data.toString().trim())).toEqual(texts);
        expect(found.envelope).toEqual({ items: [], output: { items: [']', { items: [] }] }, bundle: 'zip' });
      }),
      { numRuns: volume(80, 500) },
    );
  });

  it.each([
    ['{"items":[{"data":{"a":tru}}]}', 26],
    ['{"items":[{"data":{}},]}', 22],
    ['{"items":[,{"data":{}}]}', 10],
    ['{"items":[{"data":{}} {"data":{}}]}', 22],
    ['{"items":[{"data":{}}}', 21],
    ['{"items":[{"data":{"a":1},{"data":{}}]}', 26],
    ['{"items":[{"data":{}}', 21],
    ['{"items":[{"data":{}}]', 22],
    ['{"items":[{"data":{}}] "a":1}', 23],
    ['{"items":[{"data":{}}],}', 23],
    ['{"items":[{"data":{}}],"items":[]}', 31],
    ['{"a":nope,"items":[]}', 6],
    ['{"items":[[}]]}', 11],
    ['[', 1],
    ['', 0],
  ])('%s is rejected at byte %i', async (body, offset) => {
    for (const size of [1, 3, 1_000]) expect(await offsetOf(readJsonItems, body, size)).toBe(offset);
  });

  it('an element that is not a row fails alone', async () => {
    const body = '{"items":[{"data":{"a":1}},5,{"data":[]},{"data":{},"x":1},{},{"data":{"b":2}}]}';
    expect(valuesOf(await rowsOf(readJsonItems, body))).toEqual([
      { a: 1 },
      'item: must be an object with data',
      'data: must be an object',
      'x: is not a known field',
      'data: must be an object',
      { b: 2 },
    ]);
  });

  it("an element that the client found to be invalid fails alone, with the client's reason", async () => {
    const tooLong = JSON.stringify('x'.repeat(501));
    const items = ['"passed: \\"maybe\\" is neither yes nor no"', 'null', '""', '7', tooLong].map(
      (error) => `{"data":{},"error":${error}}`,
    );
    expect(valuesOf(await rowsOf(readJsonItems, `{"items":[${items.join(',')}]}`))).toEqual([
      'passed: "maybe" is neither yes nor no',
      {},
      ...Array.from({ length: 3 }, () => 'error: must be a string of at most 500 characters'),
    ]);
  });

  it('an element nested too deeply fails alone', async () => {
    const deep = `{"data":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`;
    expect(valuesOf(await rowsOf(readJsonItems, `{"items":[${deep},{"data":{}}]}`))).toEqual([
      'item: nests deeper than 64 levels',
      {},
    ]);
  });
});

describe('NDJSON', () => {
  it('finds every line unchanged, wherever the chunks are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyObject), sizes, fc.constantFrom('\n', '\r\n', '\n \n'), async (rows, size, end) => {
        const texts = rows.map((row) => JSON.stringify(row));
        const found = await rowsOf(readNdjson, `\ufeff${texts.join(end)}`, size);
        expect(found.rows.map((row) => 'data' in row && row.data.toString().trim())).toEqual(texts);
      }),
      { numRuns: volume(60, 500) },
    );
  });

  it.each([
    ['{"a":1}\n{"a":}\n', 13],
    ['{"a":1}\n{"a":1', 14],
    ['{"a":1}{"a":2}\n', 7],
    ['\ufeff{a}', 4],
  ])('%s is rejected at byte %i', async (body, offset) => {
    for (const size of [1, 5, 1_000]) expect(await offsetOf(readNdjson, body, size)).toBe(offset);
  });

  it('a line that is not an object fails alone', async () => {
    expect(valuesOf(await rowsOf(readNdjson, '{}\n[1]\nnull\n{"a":"b"}'))).toEqual([
      {},
      'data: must be an object',
      'data: must be an object',
      { a: 'b' },
    ]);
  });

  it('reports a byte that is not UTF-8, wherever the chunks are cut', async () => {
    const before = Buffer.from('{"a":"äö€😀"}\n{"b":"');
    for (const bad of [
      [0xff],
      [0xc3, 0x28],
      [0xe2, 0x82, 0x22],
      [0xf0, 0x9f, 0x98],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
    ]) {
      const body = Buffer.concat([before, Buffer.from(bad), Buffer.from('"}\n')]);
      for (const size of [1, 2, 3, 7, 1_000]) expect(await offsetOf(readNdjson, body, size)).toBe(before.length);
    }
    expect(await offsetOf(readNdjson, Buffer.from([0x7b, 0xe2, 0x82]), 2)).toBe(1);
  });
});

describe('CSV', () => {
  it('reads paths, quotes, line breaks in fields, a BOM, and empty lines', async () => {
    const body =
      '\ufeffnumber,customer.name,"items[1].x",items[0].x,note\r\n' +
      '1,"Smith, ""Jo""",b,a,"two\r\nlines"\r\n\r\n' +
      '2,Ünal,,c,\n3,,,,""\r4,a,b,c\n5,x,y,z,=1+1';
    expect(valuesOf(await rowsOf(readCsv, body))).toEqual([
      { number: '1', customer: { name: 'Smith, "Jo"' }, items: [{ x: 'a' }, { x: 'b' }], note: 'two\r\nlines' },
      { number: '2', customer: { name: 'Ünal' }, items: [{ x: 'c' }], note: '' },
      { number: '3', customer: { name: '' }, items: [], note: '' },
      'data: has 4 values for 5 columns',
      { number: '5', customer: { name: 'x' }, items: [{ x: 'z' }, { x: 'y' }], note: '=1+1' },
    ]);
  });

  describe('a boolean field of the template', () => {
    const flags = { type: 'object', properties: { passed: { type: 'boolean' }, name: { type: 'string' } } };
    const schema = {
      properties: {
        ...flags.properties,
        exam: flags,
        modules: { type: 'array', items: flags },
        attachments: { type: 'boolean' },
      },
    };
    const read: Read = (chunks) => readCsv(chunks, { schema });

    it('accepts the boolean words of tables, while other fields keep the text', async () => {
      const body = 'name,passed,exam.passed\nnein,nein,FALSCH\nja,JA,x\n0,0,\ntrue,true, Vrai \n';
      expect(valuesOf(await rowsOf(read, body))).toEqual([
        { name: 'nein', passed: false, exam: { passed: false } },
        { name: 'ja', passed: true, exam: { passed: true } },
        { name: '0', passed: false, exam: { passed: false } },
        { name: 'true', passed: true, exam: { passed: true } },
      ]);
    });

    it('refuses the row of any other value, with column and value', async () => {
      const body = `name, exam.passed \nAda,vielleicht\nBob,nein\nCyd,${'\ud83d\ude00'.repeat(40)}\n`;
      expect(valuesOf(await rowsOf(read, body))).toEqual([
        'data.exam.passed: "vielleicht" is neither yes nor no; write one of them, or state columnFormats=exam.passed:text to keep it as text',
        { name: 'Bob', exam: { passed: false } },
        `data.exam.passed: "${'\ud83d\ude00'.repeat(20)}" is neither yes nor no; write one of them, or state columnFormats=exam.passed:text to keep it as text`,
      ]);
    });

    it('is false for an empty cell, which adds no element to a list', async () => {
      const body = 'modules[0].name,modules[0].passed,modules[1].name,modules[1].passed\na,,,\n,,b,\n,nein,,nein\n';
      expect(valuesOf(await rowsOf(read, body))).toEqual([
        { modules: [{ name: 'a', passed: false }] },
        {
          modules: [
            { name: '', passed: false },
            { name: 'b', passed: false },
          ],
        },
        {
          modules: [
            { name: '', passed: false },
            { name: '', passed: false },
          ],
        },
      ]);
    });

    it('keeps its elements when the file has it as a list', async () => {
      expect(valuesOf(await rowsOf(read, 'attachments[0].name,attachments[1].name\nnein,b\n'))).toEqual([
        { attachments: [{ name: 'nein' }, { name: 'b' }] },
      ]);
    });
  });

  describe('number and date fields of the template', () => {
    const schema = {
      properties: {
        name: { type: 'string' },
        total: { type: 'number' },
        day: { type: 'string', format: 'date' },
        passed: { type: 'boolean' },
        items: { type: 'array', items: { properties: { price: { type: 'number' } } } },
      },
    };
    const reading =
      (formats?: string, addressColumns: readonly string[] = []): Read =>
      (chunks) =>
        readCsv(chunks, {
          schema,
          addressColumns: new Set(addressColumns),
          ...(formats !== undefined && { formats: parseColumnFormats(formats) }),
        });

    it('read unambiguous cells, and leave empty cells and text unchanged', async () => {
      const body =
        'name,total,day,items[0].price,items[1].price\n"1,5","557,5",09.02.2026,"1.234,50",\n007,,,0.125,12%\n';
      expect(valuesOf(await rowsOf(reading(), body))).toEqual([
        { name: '1,5', total: 557.5, day: '2026-02-09', items: [{ price: 1234.5 }] },
        { name: '007', total: '', day: '', items: [{ price: 0.125 }, { price: 0.12 }] },
      ]);
    });

    it('refuse the row of an ambiguous cell, and name the format to state', async () => {
      const body = 'name,total,day\na,1.234,\nb,,2/9/2026\nc,many,\nd,12,25/12/2026\n';
      expect(valuesOf(await rowsOf(reading(), body))).toEqual([
        'data.total: "1.234" can be 1.234 or 1234; state columnFormats=total:decimalPoint or total:decimalComma',
        'data.day: "2/9/2026" can be 2026-09-02 or 2026-02-09; state columnFormats=day:dayFirst or day:monthFirst',
        'data.total: "many" is not a number; write a number such as 1234.5, or state columnFormats=total:text to keep it as text',
        { name: 'd', total: 12, day: '2026-12-25' },
      ]);
    });

    it('follow the stated formats, which also apply to text fields', async () => {
      const body = 'name, total ,day\n46062,1.234,2/9/2026\n46063,0.5,\n';
      expect(valuesOf(await rowsOf(reading('total:decimalComma,day:monthFirst,name:excelDate'), body))).toEqual([
        { name: '2026-02-09', total: 1234, day: '2026-02-09' },
        'data.total: "0.5" is not a number; the format of the column is decimalComma',
      ]);
    });

    it('a condition takes any text if its format allows it, and addresses if an e-mail is sent to them', async () => {
      const body = 'passed\nnein\n""\n';
      expect(valuesOf(await rowsOf(reading('passed:text'), body))).toEqual([{ passed: 'nein' }, { passed: '' }]);
      const addresses = 'passed\nada@example.com\n';
      expect(valuesOf(await rowsOf(reading(undefined, ['passed']), addresses))).toEqual([
        { passed: 'ada@example.com' },
      ]);
      expect(valuesOf(await rowsOf(reading('passed:yesNo', ['passed']), 'passed\nja\n'))).toEqual([{ passed: true }]);
    });

    it('a format for a missing column is refused', async () => {
      const failure = await rowsOf(reading('Total:decimalComma'), 'total\n1\n').catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'invalid_request',
        message: 'columnFormats: the CSV has no column named Total',
      });
    });
  });

  it('column formats are read, whatever the columns are called', () => {
    expect([...parseColumnFormats('a:text, b.c[0]:dayFirst,d,e:f:yesNo')]).toEqual([
      ['a', 'text'],
      ['b.c[0]', 'dayFirst'],
      ['d,e:f', 'yesNo'],
    ]);
    for (const wrong of ['a', 'a:', ':text', 'a:german', 'a:text,', 'a:text,b', 'a:text,a:yesNo', ' '.repeat(8_000)])
      expect(() => parseColumnFormats(wrong), wrong.slice(0, 20)).toThrow(/^columnFormats: /);
  });

  it('reads everything that RFC 4180 allows, wherever the chunks are cut', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'é', ' ') });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), sizes, async (records, size) => {
        const body = ['a,b', ...records.map((record) => record.map(quoted).join(','))].join('\r\n');
        expect(valuesOf(await rowsOf(readCsv, body, size))).toEqual(records.map(([a, b]) => ({ a, b })));
      }),
      { numRuns: volume(60, 500) },
    );
  });

  it.each([
    ['a,b\n1,x"y\n', 7],
    ['a,b\n1,"x"y\n', 9],
    ['a,b\n1,"xy\n2,3\n', 6],
  ])('%s is rejected at byte %i', async (body, offset) => {
    for (const size of [1, 4, 1_000]) expect(await offsetOf(readCsv, body, size)).toBe(offset);
  });

  it.each(['a,a', 'a,a.b', 'a.b,a', 'a[0],a.b', 'a,,b', '__proto__.x', 'a[x]', 'a..b', '.a', 'a.constructor'])(
    'rejects the header %s',
    async (header) => {
      const failure = await rowsOf(readCsv, `${header}\n1,2\n`).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'invalid_request', details: [{ type: 'Field' }] });
    },
  );

  it.each([
    [Array.from({ length: 11 }, (_, n) => `c${n}[99].x`).join(','), 'leaves out more than 1000 list elements'],
    [`a[99][99][99][99][99][99][99][99][99][99][99]`, 'leaves out more than 1000 list elements'],
    [`b,${'a'.repeat(201)}`, 'has more than 200 characters'],
  ])('rejects a header that would make its rows many times larger than the upload (%#)', async (header, problem) => {
    const failure = await rowsOf(readCsv, `${header}\n1\n`).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid_request' });
    expect(JSON.stringify(failure)).toContain(problem);
  });

  it('accepts long lists whose columns are in any order', async () => {
    const header = Array.from({ length: 100 }, (_, n) => `items[${99 - n}]`).join(',');
    const [row] = valuesOf(await rowsOf(readCsv, `${header}\n${Array.from({ length: 100 }, (_, n) => n).join(',')}\n`));
    expect(row).toEqual({ items: Array.from({ length: 100 }, (_, n) => String(99 - n)) });
  });

  it('a row whose data exceeds the row limit fails alone', async () => {
    const marks = '\u0001'.repeat(2 * 1024 * 1024);
    const { rows } = await rowsOf(readCsv, `a,b\n${marks},x\n1,2\n`, 65_536);
    expect(valuesOf({ rows })).toEqual(['data: is larger than 10 MB', { a: '1', b: '2' }]);
  });
});
