import { describe, expect, it } from 'vitest';
import { paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { labelSheet } from '../../../support/documents/label-sheet.ts';
import { cellsOf, detailsOf, inspect, problems, render, withoutTags } from '../render/fill.ts';

const people = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i + 1}`, tags: ['x', 'y'] }));
const label = '{#people | grid}{name}{/people}';

/** The text of each cell, by table and row. */
function sheetsOf(body: string, data: unknown): string[][] {
  const { xml } = render({ body }, data);
  return xml
    .split('<w:tbl>')
    .slice(1)
    .map((sheet) => cellsOf(sheet).map((row) => row.map(withoutTags).join('|')));
}

describe('a grid', () => {
  it('fills cell after cell and sheet after sheet, each on its own page', async () => {
    const body = labelSheet({ columns: [3000, 3000], rows: [800, 800] }, label) + paragraph('');
    const data = { people: people(5) };
    expect(sheetsOf(body, data)).toEqual([
      ['n1|n2', 'n3|n4'],
      ['n5|', '|'],
    ]);
    const { xml } = render({ body }, data);
    expect(xml.match(/<w:trHeight w:val="800" w:hRule="exact"\/>/g)).toHaveLength(4);
    expect(xml.match(/<w:br w:type="page"\/>/g)).toHaveLength(1);
    expect(await problems({ body }, data)).toEqual([]);
    expect(render({ body }, { people: people(4) }).xml).not.toContain('w:type="page"');
  });

  it.each([
    ['no list', {}, []],
    ['an empty list', { people: [] }, []],
    ['an object', { people: { name: 'a' } }, [['a|', '|']]],
    ['true', { people: true, name: 'around' }, [['around|', '|']]],
  ])('takes %s as any section does', (_, data, expected) => {
    expect(sheetsOf(labelSheet({ columns: [3000, 3000], rows: [800, 800] }, label) + paragraph(''), data)).toEqual(
      expected,
    );
  });

  it('repeats its row if it has only one', async () => {
    const body = table([
      ['Team {team}', '', ''],
      [label, '', ''],
      ['the end', '', ''],
    ]);
    const data = { team: 'A', people: people(4) };
    expect(sheetsOf(body, data)).toEqual([['Team A||', 'n1|n2|n3', 'n4||', 'the end||']]);
    expect(await problems({ body }, data)).toEqual([]);
  });

  it('leaves gaps between labels, and rows with other content', () => {
    const sheet = { columns: [3000, 200, 3000], rows: [800, 100, 800, 800] };
    const body = labelSheet(sheet, label, { '3/0': 'Sender {me}' }) + paragraph('');
    expect(sheetsOf(body, { people: people(5), me: 'Ada' })).toEqual([
      ['n1||n2', '||', 'n3||n4', 'Sender Ada||'],
      ['n5||', '||', '||', 'Sender Ada||'],
    ]);
  });

  it('fills exactly the cells that have the section, if several have it', async () => {
    const copies = { '0/1': label, '1/1': label };
    const body = labelSheet({ columns: [3000, 3000], rows: [800, 800] }, label, copies) + paragraph('');
    expect(sheetsOf(body, { people: people(4) })).toEqual([
      ['n1|n2', '|n3'],
      ['n4|', '|'],
    ]);
  });

  it('has paragraphs, sections, tables and the position of the item in each cell', async () => {
    const inner = table([['{#tags}{.}{/tags}', '{$number} of {$count}']]);
    const content =
      paragraph('{#people | grid}Dear') + paragraph('{name} at {place}') + inner + paragraph('end{/people}');
    const body = labelSheet({ columns: [3000, 3000], rows: [800, 800] }, content) + paragraph('');
    const data = { place: 'B', people: people(3) };
    const text = withoutTags(render({ body }, data).xml).trim();
    expect(text).toBe(['Dearn1 at Bxy1 of 3end', 'Dearn2 at Bxy2 of 3end', 'Dearn3 at Bxy3 of 3end'].join(''));
    expect(await problems({ body }, data)).toEqual([]);
  });

  it('shows data in the schema like any list', () => {
    const { schema, example, warnings } = inspect({
      body: table([
        ['{title}', ''],
        [label, ''],
      ]),
    });
    expect(schema.properties).toMatchObject({
      title: { type: 'string' },
      people: { type: 'array', items: { properties: { name: { type: 'string' } } } },
    });
    expect(example).toMatchObject({ people: [{ name: 'Name 1' }, { name: 'Name 2' }] });
    expect(warnings).toEqual([]);
  });

  it('names a missing value and a wrong item by their paths', () => {
    const body = table([[label, '']]);
    const { warnings } = render({ body }, { people: [{ name: 'a' }, {}] });
    expect(JSON.stringify(warnings)).toContain('people[1].name');
    expect(() => render({ body }, { people: [{ name: { first: 'a' } }] })).toThrow('data does not fit');
  });

  it.each([
    ['outside of tables', paragraph(label), 'is not in a cell of a table in the body'],
    ['around several cells', table([['{#people | grid}{name}', 'x{/people}']]), 'begins and ends in different cells'],
    ['in a row that repeats', table([['{#rows}', label, '{/rows}']]), 'begins and ends in different cells'],
    ['in an inner table', table([[table([[label, '']]) + paragraph(''), 'b']]), 'is in a table'],
    ['beside repeated columns', table([[label, '{|months}{name}']]), 'is in a table with repeated columns'],
    ['in a cell that data format', table([[`{@cell fill:"red"}${label}`, '']]), 'is in a cell with {@cell}'],
    ['with two contents', table([[label, '{#people | grid}x{/people}']]), 'has different content in another cell'],
  ])('is refused %s', (_, body, message) => {
    expect(detailsOf({ body })).toMatchObject([{ message: expect.stringContaining(message), part: 'body' }]);
  });

  it('is refused in headers', () => {
    const headers = [table([[label, '']]) + paragraph('')];
    expect(detailsOf({ headers, body: `<w:p>${run('{x}')}</w:p>` })).toMatchObject([
      { message: expect.stringContaining('is not in the body'), part: 'header 1' },
    ]);
  });
});
