import { describe, expect, it } from 'vitest';
import { type DocxInput, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { cellsOf, detailsOf, errorOf, fill, inspect, problems, render, textOf, withoutTags } from '../render/fill.ts';

const months = [
  { key: 'jan', name: 'January' },
  { key: 'feb', name: 'February' },
];
const rows = [
  { product: 'Pen', amounts: { jan: 1, feb: 2 } },
  { product: 'Ink', amounts: { jan: 3, feb: 4 } },
];
const crossTable = table([
  ['Product', '{|months}{name}', 'Note'],
  ['{#rows}{product}', '{amounts[key]}', 'n{/rows}'],
]);

/** The cells of a document by row, and the column widths of its first table. */
function cells(input: DocxInput | string, data: unknown) {
  const { xml, text } = render(typeof input === 'string' ? { body: input } : input, data);
  const grid = [...xml.matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
  const lines = cellsOf(xml).map((row) => row.map(withoutTags).join('|'));
  return { lines, grid, xml, text };
}

describe('columns', () => {
  it('repeat for each item, also in rows that repeat themselves', async () => {
    const { lines, grid } = cells(crossTable, { months, rows });
    expect(lines).toEqual(['Product|January|February|Note', 'Pen|1|2|n', 'Ink|3|4|n']);
    expect(grid).toEqual([2250, 2250, 2250, 2250]);
    expect(await problems({ body: crossTable }, { months, rows })).toEqual([]);
  });

  it('are left out if there is nothing to show', async () => {
    for (const data of [{ rows }, { months: [], rows }, { months: false, rows }]) {
      const { lines, grid, xml } = cells(crossTable, data);
      expect(lines).toEqual(['Product|Note', 'Pen|n', 'Ink|n']);
      expect(grid).toEqual([4500, 4500]);
      expect(xml).not.toContain('|');
      expect(await problems({ body: crossTable }, data)).toEqual([]);
    }
  });

  it('may be conditional, also with a negated condition', () => {
    const body = table([['A', '{|secret}Secret', '{|^secret}Public'], 'asp'.split('')]);
    expect(cells(body, { secret: true }).lines).toEqual(['A|Secret', 'a|s']);
    expect(cells(body, {}).lines).toEqual(['A|Public', 'a|p']);
    expect(cells(body, { secret: true }).grid).toEqual([4500, 4500]);
  });

  it('know their number, and print items that are not objects', () => {
    const body = table([
      ['{|years}{.}', 'x'],
      ['{$number}/{$count}{^$last}, {/}', 'y'],
    ]);
    expect(cells(body, { years: [2025, 2026] }).lines).toEqual(['2025|2026|x', '1/2, |2/2|y']);
  });

  it('may be grouped under one heading, with merged cells above them', async () => {
    const cell = (text: string, span: number) =>
      `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/>${span > 1 ? `<w:gridSpan w:val="${span}"/>` : ''}</w:tcPr>${paragraph(text)}</w:tc>`;
    const row = (...texts: (readonly [string, number])[]) =>
      `<w:tr>${texts.map(([t, n]) => cell(t, n)).join('')}</w:tr>`;
    const body =
      '<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="1000"/><w:gridCol w:w="2000"/><w:gridCol w:w="3000"/></w:tblGrid>' +
      row(['Title', 3]) +
      row(['Product', 1], ['{|months}{name}', 2]) +
      row(['', 1], ['in', 1], ['out', 1]) +
      '</w:tbl>';
    const { lines, grid, xml } = cells(body, { months });
    expect(lines).toEqual(['Title', 'Product|January|February', '|in|out|in|out']);
    expect(grid.length).toBe(5);
    expect(xml).toContain('<w:gridSpan w:val="5"/>');
    expect(await problems({ body }, { months })).toEqual([]);
    expect(await problems({ body }, {})).toEqual([]);
    expect(cells(body, {}).lines).toEqual(['Title', 'Product', '']);
  });

  it('leave no table behind when all are left out, and a paragraph where a cell requires one', async () => {
    const body = table([[table([['{|months}{name}']]), 'x']]) + table([['{|months}{name}']]);
    expect(cells(body, { months }).text.replaceAll('\n', '/')).toBe('||January/|February//|x/|January/|February');
    const empty = cells(body, {});
    expect(empty.xml.match(/<w:tbl>/g)).toHaveLength(1);
    expect(await problems({ body }, {})).toEqual([]);
  });

  it('are supported in headers, nested tables and content controls, and for each item of a section', async () => {
    const inner = table([['{|cols}{.}', 'end']]);
    const control = `<w:sdt><w:sdtPr/><w:sdtContent>${inner}</w:sdtContent></w:sdt>`;
    const body =
      paragraph('{#items}') + inner + control + table([[inner + paragraph(''), 'z']]) + paragraph('{/items}');
    const data = { items: [{ cols: [1, 2] }, { cols: [] }, { cols: [3] }], cols: ['h'] };
    const input = { body, headers: [inner] };
    expect(await problems(input, data)).toEqual([]);
    expect(textOf(fill(input, data), 'word/header1.xml').replaceAll('\n', '/')).toBe('|h/|end');
    expect(cells(input, data).text.replaceAll('\n', '')).toBe(
      '|1|2|end|1|2|end||1|2|end|z|end|end||end|z|3|end|3|end||3|end|z',
    );
  });

  it('leave no blank line if the tag was alone in its paragraph', () => {
    const body = table([[paragraph(['{', '|mon', 'ths}']) + paragraph('{name}'), 'x']]);
    expect(cells(body, { months }).text).toBe('|January\n|February\n|x');
  });

  it('are evaluated at the beginning of the table, and errors name that location', () => {
    const error = errorOf(() => cells(crossTable, { months: [{ name: { no: 1 } }], rows }));
    expect(error.details).toMatchObject([{ path: 'data.months[0].name' }]);
    const inner = errorOf(() =>
      cells(table([['{|months}x'], ['{#rows}{bad}{/rows}']]), { months: [{ bad: {} }], rows }),
    );
    expect(inner.details).toMatchObject([{ path: 'data.months[0].bad' }]);
  });

  it('are rejected if there are too many for Word', () => {
    const many = Array.from({ length: 62 }, () => ({ name: 'x' }));
    const error = errorOf(() => cells(crossTable, { months: many, rows }));
    const message = 'The value of {|months} makes a table of more than 63 columns, which Word cannot open.';
    expect(error.details).toMatchObject([{ path: 'data.months', message }]);
    expect(cells(crossTable, { months: many.slice(1), rows }).grid).toHaveLength(63);
  });

  it.each([
    [paragraph('{|months}'), 'the column tag {|months} is outside the cells of a table'],
    [table([['{|a}{|b}']]), 'the column tag {|b} is in a column that another column tag already repeats'],
    [table([['{|a}'], ['{|b}']]), 'the column tag {|b} is in a column that another column tag already repeats'],
    [table([['{|}']]), 'the tag {|} is not valid: the name is missing'],
    [table([['{|a +}']]), 'the tag {|a +} is not valid'],
    [table([['{#x}', '{|a}']]) + table([['', '{/x}']]), 'that a section splits'],
  ])('are reported in the wrong place: %s: %s', (body, message) => {
    const messages = detailsOf({ body }).map((detail) => detail.message);
    expect(messages.join('\n')).toContain(message);
  });
});

it('have their list at the beginning of the table in the schema, and the contents of their cells in its rows', () => {
  const { schema, example } = inspect({ body: crossTable.replace('amounts[key]', 'amounts[name]') });
  const { months, rows: lines, ...others } = schema.properties ?? {};
  expect(others).toEqual({});
  expect(Object.keys(months?.items?.properties ?? {})).toEqual(['name']);
  expect(Object.keys(lines?.items?.properties ?? {}).sort()).toEqual(['amounts', 'product']);
  expect(cells(crossTable, example).lines).toHaveLength(3);
});
