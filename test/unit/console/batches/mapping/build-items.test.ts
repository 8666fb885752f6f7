import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractRows } from '../../../../../src/console/batches/file/extract-rows.ts';
import { inspectFile } from '../../../../../src/console/batches/file/inspect-file.ts';
import { type BuiltItems, buildItems } from '../../../../../src/console/batches/mapping/build-items.ts';
import { buildRow, describeBadCell } from '../../../../../src/console/batches/mapping/build-row.ts';
import { withFormats, withoutFormats } from '../../../../../src/console/batches/mapping/choices.ts';
import {
  countElements,
  type FieldSource,
  type Mapping,
  matchColumns,
} from '../../../../../src/console/batches/mapping/match-columns.ts';
import {
  type Corrections,
  leftOut,
  planRows,
  unclearColumns,
} from '../../../../../src/console/batches/mapping/row-plan.ts';
import { fieldsOf } from '../../../../../src/console/batches/mapping/template-fields.ts';
import { formatPath, parsePath } from '../../../../../src/console/batches/path.ts';

const text = { type: 'string' };
const schema = {
  type: 'object',
  required: ['participant', 'total'],
  properties: {
    participant: { type: 'object', required: ['name'], properties: { name: text, birthDate: text } },
    day: { type: 'string', format: 'date' },
    total: { type: 'number' },
    isMember: { type: 'boolean' },
    photo: {},
    modules: {
      type: 'array',
      items: { type: 'object', properties: { title: text, hours: text, isDone: { type: 'boolean' } } },
    },
    answers: { type: 'object', additionalProperties: { type: 'boolean' } },
  },
};

const fileOf = (content: string, name = 'people.csv') => new File([content], name);

interface Options {
  readonly name?: string;
  readonly by?: (mapping: Mapping) => Mapping;
  readonly corrections?: Corrections;
}

async function plan(content: string, { name, by, corrections }: Options = {}) {
  const file = await inspectFile(fileOf(content, name));
  const { fields } = fieldsOf(schema, file.format.kind === 'csv' ? countElements(file.columns) : undefined);
  const found = matchColumns(fields, file.columns);
  const mapping = by?.(found) ?? found;
  return { file, fields, mapping, rows: planRows(file, schema, fields, mapping, corrections) };
}

/** Chooses sources by hand, by the key of a field. Undefined chooses none. */
const choosing = (chosen: Readonly<Record<string, FieldSource | undefined>>) => (mapping: Mapping) => {
  const next = new Map<string, FieldSource>(mapping);
  for (const [key, source] of Object.entries(chosen)) source === undefined ? next.delete(key) : next.set(key, source);
  return next;
};

const mapped = ({ fields, mapping, file }: Awaited<ReturnType<typeof plan>>) =>
  fields.flatMap(({ key, name }) => {
    const source = mapping.get(key);
    return source === undefined
      ? []
      : [`${name} < ${source.kind === 'column' ? file.columns[source.column]?.name : source.kind}`];
  });

async function textOf({ items, encoding }: BuiltItems): Promise<string> {
  const bytes = Buffer.from(await items.arrayBuffer());
  return (encoding === undefined ? bytes : gunzipSync(bytes)).toString('utf8');
}

const itemsOf = async ({ file, rows }: Awaited<ReturnType<typeof plan>>) =>
  JSON.parse(await textOf(await buildItems(file, rows))) as unknown;

describe('matching columns with fields', () => {
  test('uses the same path, then the same letters, then the last name if that is unambiguous', async () => {
    const found = await plan('participant.name,Birth Date,TOTAL,modules[1].title,Name\na,b,1,c,d\n');
    expect(mapped(found)).toEqual([
      'participant.name < participant.name',
      'participant.birthDate < Birth Date',
      'total < TOTAL',
      'modules[1].title < modules[1].title',
    ]);
  });

  test('finds nothing if two columns or two fields fit', async () => {
    const found = await plan('title,hours,Total,total!\na,b,c,d\n');
    expect(mapped(found).filter((line) => line.startsWith('total'))).toEqual([]);
    const twice = await plan('title,modules[1].hours\na,b\n');
    expect(mapped(twice)).toEqual(['modules[1].hours < modules[1].hours']);
  });

  test('a field whose properties are columns has a value', async () => {
    const found = await plan('photo.asset,total\nada.png,1\n');
    expect(mapped(found)).toContain('photo < parts');
    expect(await itemsOf(found)).toEqual([{ data: { total: 1, photo: { asset: 'ada.png' } } }]);
  });
});

test('paths are written in the form in which they are read', () => {
  for (const name of ['a', 'customer.name', 'items[0].price', 'a.b[1][2].c'])
    expect(formatPath(parsePath(name) ?? [])).toBe(name);
  for (const name of ['', 'a..b', 'a[x]', '__proto__.x', 'a.constructor', 'x'.repeat(201)])
    expect(parsePath(name)).toBeUndefined();
});

describe('rows of CSV', () => {
  test('become nested data, with numbers only for number fields and booleans by their words', async () => {
    const found = await plan(
      'participant.name,total,isMember,modules[0].title,modules[1].title\n007,12.5,TRUE,Oils,\nBo,12,yes,,\n',
    );
    expect(await itemsOf(found)).toEqual([
      { data: { participant: { name: '007' }, total: 12.5, isMember: true, modules: [{ title: 'Oils' }] } },
      { data: { participant: { name: 'Bo' }, total: 12, isMember: true, modules: [] } },
    ]);
  });

  test("use false where a boolean field's cell says no, also in lists and under keys of the data", async () => {
    const found = await plan(
      'isMember,modules[0].title,modules[0].isDone,modules[1].title,modules[1].isDone,answers.first,note\n' +
        'nein,a,FALSCH,b,x,non,nein\n,a,,,,0,0\nJa,,,,,1,1\n',
    );
    expect(await itemsOf(found)).toEqual([
      {
        data: {
          isMember: false,
          modules: [
            { title: 'a', isDone: false },
            { title: 'b', isDone: true },
          ],
          answers: { first: false },
          note: 'nein',
        },
      },
      { data: { isMember: false, modules: [{ title: 'a', isDone: false }], answers: { first: false }, note: '0' } },
      { data: { isMember: true, modules: [], answers: { first: true }, note: '1' } },
    ]);
  });

  test('are refused alone if a boolean cell is unclear, with column and value', async () => {
    const found = await plan('Is Member,note\nja,a\n vielleicht ,b\n\n?,c\n');
    const [, second] = found.file.firstRows;
    expect(second && buildRow(found.rows, second, 2).data).toBeUndefined();
    const { badCells, badCellCount } = await buildItems(found.file, found.rows);
    expect(badCells.map((cell) => [cell.row, cell.line, cell.column, describeBadCell(cell)])).toEqual([
      [2, 3, 0, 'Is Member: “vielleicht” is neither yes nor no'],
      [3, 5, 0, 'Is Member: “?” is neither yes nor no'],
    ]);
    expect(badCellCount).toBe(2);
    expect(await itemsOf(found)).toEqual([
      { data: { isMember: true, note: 'a' } },
      { data: {}, error: 'Is Member: “vielleicht” is neither yes nor no' },
      { data: {}, error: 'Is Member: “?” is neither yes nor no' },
    ]);
  });

  test('have numbers and dates if the whole column is unambiguous, without guesses', async () => {
    const found = await plan('total,day\n1.234,2/9/2026\n"557,5",25/12/2026\n,\n');
    expect(unclearColumns(found.rows)).toEqual([]);
    expect(await itemsOf(found)).toEqual([
      { data: { total: 1234, day: '2026-09-02' } },
      { data: { total: 557.5, day: '2026-12-25' } },
      { data: { total: '', day: '' } },
    ]);
    const unclear = await plan('total,day\n1.234,2/9/2026\n12,2026-02-09\n');
    expect(unclearColumns(unclear.rows)).toEqual(['day', 'total']);
    expect(await itemsOf(unclear)).toEqual([
      {
        data: {},
        error: 'day: “2/9/2026” can be 2026-09-02 or 2026-02-09; total: “1.234” can be 1.234 or 1234',
      },
      { data: { total: 12, day: '2026-02-09' } },
    ]);
  });

  test("use the user's formats, and keep using them for the same file", async () => {
    const by = choosing({
      '["total"]': { kind: 'column', column: 0, format: 'decimalPoint' },
      '["day"]': { kind: 'column', column: 1, format: 'monthFirst' },
    });
    const csv = 'total,day\n1.234,2/9/2026\n';
    const found = await plan(csv, { by });
    expect(unclearColumns(found.rows)).toEqual([]);
    expect(await itemsOf(found)).toEqual([{ data: { total: 1.234, day: '2026-02-09' } }]);

    const whole = await plan('total,day\n1.234,2/9/2026\n"0,5",25/12/2026\n');
    const kept = withFormats({ elements: undefined, mapping: whole.mapping }, whole.file, whole.fields);
    expect(await itemsOf(await plan(csv, { by: () => kept.mapping }))).toEqual([
      { data: { total: 1234, day: '2026-09-02' } },
    ]);
    const { mapping } = withoutFormats(kept);
    expect(unclearColumns((await plan(csv, { by: () => mapping })).rows)).toEqual(['day', 'total']);
  });

  test('contain the cells that the user corrected', async () => {
    const corrections = new Map([[2, new Map([[0, 'nein']])]]);
    const found = await plan('isMember,note\nja,a\nvielleicht,b\n', { corrections });
    expect(await itemsOf(found)).toEqual([
      { data: { isMember: true, note: 'a' } },
      { data: { isMember: false, note: 'b' } },
    ]);
    const file = await extractRows(found.file.file, found.file.format, new Set([2]), corrections);
    expect(await file.text()).toBe('isMember,note\r\nnein,b\r\n');
  });

  test('keep any text for a condition if the user says so, and ask if no cell is boolean', async () => {
    const csv = 'isMember\nada@example.com\n';
    expect(unclearColumns((await plan(csv)).rows)).toEqual(['isMember']);
    const by = choosing({ '["isMember"]': { kind: 'column', column: 0, format: 'text' } });
    expect(await itemsOf(await plan(csv, { by }))).toEqual([{ data: { isMember: 'ada@example.com' } }]);
  });

  test('use a common choice as a boolean, also in JSON, whose strings stay unchanged', async () => {
    const by = choosing({ '["isMember"]': { kind: 'text', text: 'no' } });
    expect(await itemsOf(await plan('note\na\n', { by }))).toEqual([{ data: { isMember: false, note: 'a' } }]);
    expect(await itemsOf(await plan('[{"note":"a"}]', { name: 'x.json', by }))).toEqual([
      { data: { note: 'a', isMember: false } },
    ]);
    expect(await itemsOf(await plan('[{"isMember":"nein"}]', { name: 'x.json' }))).toEqual([
      { data: { isMember: 'nein' } },
    ]);
  });

  test('keep columns without a field for names and addresses, except columns whose name is not a path', async () => {
    const found = await plan('participant.name,E-mail,total.x,a..b\nAda,ada@example.com,1,2\n');
    expect(await itemsOf(found)).toEqual([
      { data: { participant: { name: 'Ada' }, 'E-mail': 'ada@example.com', total: { x: '1' } } },
    ]);
    expect(leftOut(found.rows).map(({ name }) => name)).toEqual(['a..b']);
  });

  test("follow the user's choice: another column, one text for all rows, or no value", async () => {
    const by = choosing({
      '["participant","birthDate"]': { kind: 'column', column: 0 },
      '["total"]': { kind: 'text', text: '7' },
      '["isMember"]': undefined,
    });
    const found = await plan('who,isMember\nAda,true\n', { by });
    expect(await itemsOf(found)).toEqual([{ data: { participant: { birthDate: 'Ada' }, total: 7 } }]);
    expect(leftOut(found.rows).map(({ name }) => name)).toEqual(['isMember']);
  });

  test('are refused alone if they have a wrong number of fields, and all rows keep their numbers', async () => {
    const found = await plan('participant.name,total\nAda,1\nBob\nCyd,3\n');
    expect(await itemsOf(found)).toEqual([
      { data: { participant: { name: 'Ada' }, total: 1 } },
      { data: {}, error: 'The row has 1 values for 2 columns' },
      { data: { participant: { name: 'Cyd' }, total: 3 } },
    ]);
  });

  test('are complete: each value is in the data of its row', async () => {
    const row = fc.record({ first: fc.string({ unit: 'grapheme' }), second: fc.string({ minLength: 1 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
        const body = rows.map(({ first, second }) => `${quoted(first)},${quoted(second)}`);
        const csv = ['participant.name,note', ...body].join('\r\n');
        const items = await itemsOf(await plan(csv));
        expect(items).toEqual(
          rows.map(({ first, second }) => ({ data: { participant: { name: first }, note: second } })),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe('rows of JSON', () => {
  test('are sent as written if nothing was chosen by hand, and numbers keep their digits', async () => {
    const found = await plan('{"participant":{"name":"Ada"},"total":1234567890123456789.50}\n{"total":', {
      name: 'x.ndjson',
    });
    expect(found.rows.isUnchanged).toBe(true);
    const sent = await textOf(await buildItems(found.file, found.rows));
    expect(sent).toBe(
      '[{"data":{"participant":{"name":"Ada"},"total":1234567890123456789.50}},\n{"data":{},"error":"The row is not a JSON object"}]',
    );
  });

  test('move a value to the field that was chosen, and keep the rest', async () => {
    const by = choosing({ '["participant","name"]': { kind: 'column', column: 0 } });
    const found = await plan('[{"who":"Ada","total":2,"modules":[{"title":"x"}]},{"total":3}]', { name: 'x.json', by });
    expect(await itemsOf(found)).toEqual([
      { data: { who: 'Ada', total: 2, modules: [{ title: 'x' }], participant: { name: 'Ada' } } },
      { data: { total: 3 } },
    ]);
  });

  test('lose the field that the user switched off', async () => {
    const by = choosing({ '["total"]': undefined });
    const found = await plan('[{"total":2,"photo":{"asset":"a"}}]', { name: 'x.json', by });
    expect(await itemsOf(found)).toEqual([{ data: { photo: { asset: 'a' } } }]);
  });

  test('keep their own output if they are elements of a request', async () => {
    const found = await plan('[{"data":{"total":2},"output":{"filename":"a"}}]', { name: 'x.json' });
    expect(found.file.columns.map(({ name }) => name)).toEqual(['total']);
    expect(await itemsOf(found)).toEqual([{ data: { total: 2 }, output: { filename: 'a' } }]);
    const [first] = found.file.firstRows;
    expect(first && buildRow(found.rows, first, 1).data).toEqual({ total: 2 });
  });
});

describe('the list of rows in the request', () => {
  test('is compressed, also in several parts', async () => {
    const rows = Array.from({ length: 9_000 }, (_, row) => `Person ${row} ${'of the house '.repeat(20)},${row}\n`);
    const { file, rows: planned } = await plan(`name,total\n${rows.join('')}`);
    const built = await buildItems(file, planned);
    expect(built.encoding).toBe('gzip');
    const text = await textOf(built);
    expect(text.length).toBeGreaterThan(2_000_000);
    expect(built.items.size).toBeLessThan(text.length / 4);
    expect(JSON.parse(text)).toHaveLength(9_000);
  });

  test('is sent uncompressed if the service would take it for a decompression bomb', async () => {
    const by = choosing({ '["participant","name"]': { kind: 'text', text: 'a'.repeat(400_000) } });
    const { file, rows: planned } = await plan(`total\n${'1\n'.repeat(84)}`, { by });
    const built = await buildItems(file, planned);
    expect(built.encoding).toBeUndefined();
    expect(JSON.parse(await textOf(built))).toHaveLength(84);
  });
});
