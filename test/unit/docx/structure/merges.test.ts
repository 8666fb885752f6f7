import { describe, expect, it } from 'vitest';
import { paragraph } from '../../../support/documents/docx-builder.ts';
import { cellsOf, fillXml, problems, withoutTags } from '../render/fill.ts';

type Merge = 'restart' | 'continue' | undefined;

const cell = (text: string, merge?: Merge, span = 1) => {
  const spans = span > 1 ? `<w:gridSpan w:val="${span}"/>` : '';
  const merges = merge === undefined ? '' : merge === 'restart' ? '<w:vMerge w:val="restart"/>' : '<w:vMerge/>';
  return `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/>${spans}${merges}</w:tcPr>${paragraph(text)}</w:tc>`;
};
const tableOf = (columns: number, ...rows: readonly string[]) =>
  `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(columns)}</w:tblGrid>` +
  `${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`;

/**
 * The rows of a document, separated by slashes. `[` marks a cell that begins a vertical merge, and `:` one that
 * continues it.
 */
function rowsOf(body: string, data: unknown): string {
  const shown = (cell: string) => {
    const merge = /<w:vMerge([^>]*)\/>/.exec(cell)?.[1];
    const sign = merge === undefined ? '' : merge.includes('restart') ? '[' : ':';
    return sign + withoutTags(cell);
  };
  return cellsOf(fillXml({ body }, data))
    .map((row) => row.map(shown).join(' | '))
    .join(' / ');
}

const groups = [
  { name: 'A', items: [{ n: 1 }, { n: 2 }, { n: 3 }] },
  { name: 'B', items: [{ n: 4 }] },
  { name: 'C', items: [] },
];
const expanded = { groups };

describe('vertically merged cells', () => {
  it('stay merged over a heading row and the rows below it', async () => {
    const body = tableOf(
      2,
      cell('{#groups}{name}', 'restart') + cell('Group {name}'),
      cell('', 'continue') + cell('{#items}{n}{/items}{/groups}'),
    );
    expect(rowsOf(body, expanded)).toBe('[A | Group A / : | 123 / [B | Group B / : | 4 / [C | Group C / : | ');
    expect(await problems({ body }, expanded)).toEqual([]);
  });

  it('stay merged over a heading row and repeated rows', async () => {
    const body = tableOf(
      2,
      cell('{#groups}{name}', 'restart') + cell('Group'),
      cell('{#items}', 'continue') + cell('{n}{/items}'),
      cell('Sum') + cell('{items | sum:"n"}{/groups}'),
    );
    expect(rowsOf(body, expanded)).toBe(
      '[A | Group / : | 1 / : | 2 / : | 3 / Sum | 6 / [B | Group / : | 4 / Sum | 4 / [C | Group / Sum | 0',
    );
    expect(await problems({ body }, expanded)).toEqual([]);
  });

  it('stay merged over repeated rows and the row below them', async () => {
    const body = tableOf(
      2,
      cell('{#groups}{#items}{name}', 'restart') + cell('{n}{/items}'),
      cell('', 'continue') + cell('{items | sum:"n"}{/groups}'),
    );
    expect(rowsOf(body, expanded)).toBe('[A | 1 / :A | 2 / :A | 3 / : | 6 / [B | 4 / : | 4 / [ | 0');
    expect(await problems({ body }, expanded)).toEqual([]);
  });

  const countries = {
    countries: [
      {
        country: 'A',
        towns: [
          { town: 'x', roads: [1, 2] },
          { town: 'y', roads: [3] },
        ],
      },
      { country: 'B', towns: [{ town: 'y', roads: [4, 5] }] },
    ],
  };
  const first = cell('{#countries}{#towns}{#roads}{country}', 'restart') + cell('{town}', 'restart');
  const below = cell('', 'continue') + cell('', 'continue');

  it.each([
    ['with closing tags in its row', [`${first}${cell('{.}{/roads}{/towns}{/countries}')}`]],
    ['with a row of closing tags', [`${first}${cell('{.}{/roads}')}`, `${below}${cell('{/towns}{/countries}')}`]],
    [
      'with a row for each closing tag',
      [`${first}${cell('{.}{/roads}')}`, `${below}${cell('{/towns}')}`, `${below}${cell('{/countries}')}`],
    ],
  ])('become one over the rows of each group on two levels, %s', async (_, rows) => {
    const body = tableOf(3, ...rows);
    expect(rowsOf(body, countries)).toBe('[A | [x | 1 / :A | :x | 2 / :A | [y | 3 / [B | [y | 4 / :B | :y | 5');
    expect(await problems({ body }, countries)).toEqual([]);
  });

  it('of a single row begin again where their data differ or other rows are between', () => {
    const equal = {
      items: [
        { n: 1, m: [1] },
        { n: 1, m: [2] },
      ],
      all: 'x',
    };
    expect(rowsOf(tableOf(2, cell('{#items}{n}', 'restart') + cell('{/items}')), equal)).toBe('[1 |  / [1 | ');
    const other = tableOf(2, cell('{#items}{#m}{all}', 'restart') + cell('{/m}'), cell('sum') + cell('{/items}'));
    expect(rowsOf(other, equal)).toBe('[x |  / sum |  / [x |  / sum | ');
  });

  it('stay within their item', () => {
    const body = tableOf(2, cell('{#items}{n}', 'restart') + cell('a'), cell('', 'continue') + cell('b{/items}'));
    expect(rowsOf(body, { items: [{ n: 1 }, { n: 2 }] })).toBe('[1 | a / : | b / [2 | a / : | b');
  });

  it('begin in the next row if their first row is left out', async () => {
    const body = tableOf(
      2,
      cell('{#items}{#head}{n}', 'restart') + cell('head{/head}'),
      cell('x', 'continue') + cell('a'),
      cell('y', 'continue') + cell('b{/items}'),
    );
    const data = { items: [{ n: 1, head: true }, { n: 2 }] };
    expect(rowsOf(body, data)).toBe('[1 | head / :x | a / :y | b / [x | a / :y | b');
    expect(await problems({ body }, data)).toEqual([]);
  });

  it('span columns, and leave cells beside them alone', async () => {
    const body = tableOf(
      3,
      cell('{#groups}{name}', 'restart', 2) + cell('h'),
      cell('{#items}', 'continue', 2) + cell('{n}{/items}{/groups}'),
      cell('static', 'restart', 2) + cell('s'),
      cell('', 'continue', 2) + cell('t'),
    );
    expect(rowsOf(body, expanded)).toBe(
      '[A | h / : | 1 / : | 2 / : | 3 / [B | h / : | 4 / [C | h / [static | s / : | t',
    );
    expect(await problems({ body }, expanded)).toEqual([]);
  });

  it('are separate for each copy of a column', async () => {
    const body = tableOf(
      2,
      cell('h') + cell('{|months}{name}', 'restart'),
      cell('{#rows}{.}') + cell('{/rows}', 'continue'),
    );
    const data = { months: [{ name: 'Jan' }, { name: 'Feb' }], rows: [1, 2] };
    expect(rowsOf(body, data)).toBe('h | [Jan | [Feb / 1 | : | : / 2 | : | :');
    expect(await problems({ body }, data)).toEqual([]);
  });

  it('are repeated for each item of a section around the table', () => {
    const inner = tableOf(2, cell('{#items}{n}', 'restart') + cell('a{/items}'), cell('', 'continue') + cell('end'));
    const body = paragraph('{#groups}') + inner + paragraph('{/groups}');
    expect(rowsOf(body, expanded)).toBe('[1 | a / :2 | a / :3 | a / : | end / [4 | a / : | end / [ | end');
  });
});
