import { describe, expect, it } from 'vitest';
import { paragraph, table } from '../../../support/documents/docx-builder.ts';
import { cellsOf, fillText, fillXml, problems, rows, withoutTags } from '../render/fill.ts';

const data = { name: 'Ada', on: true, off: false, items: [{ name: 'a', sub: [1, 2] }, { name: 'b' }] };

/** One line per row. */
function shownRows(lines: readonly string[]): string[] {
  const cells = cellsOf(fillXml({ body: `${table(rows(...lines))}<w:p/>` }, data));
  return cells.map((row) => row.map(withoutTags).join(' ').trim());
}

const cases: readonly (readonly [what: string, rows: readonly string[], expected: readonly string[]])[] = [
  ['of a true condition', ['H;H', '{#on};', '{name};1', ';{/on}', 'F;F'], ['H H', 'Ada 1', 'F F']],
  ['of a false condition', ['H;H', '{#off};', '{name};1', ';{/off}', 'F;F'], ['H H', 'F F']],
  ['of a list', ['{#items};', '{name};1', '{/items};'], ['a 1', 'b 1']],
  [
    'of lists in a list',
    ['{#items};', '{name};', '{#sub};', '{.};2', '{/sub};', '{/items};'],
    ['a', '1 2', '2 2', 'b'],
  ],
  ['of two lists at once', ['{#items}{#sub};', '{.};', '{/sub}{/items};'], ['1', '2']],
  ['of the opposite', ['{#off};', '1;1', '{/off};', '{^off};', '2;2', '{/off};'], ['2 2']],
  ['around rows without tags', ['{#items};', 's;t', 'u;v', ';{/items}'], ['s t', 'u v', 's t', 'u v']],
  ['at the start alone', ['{#items};', '{name};1{/items}'], ['a 1', 'b 1']],
  ['at the end alone', ['{#items}{name};1', ';{/items}'], ['a 1', 'b 1']],
];

describe('rows that contain only a tag', () => {
  it.each(cases)('disappear: %s', (_, lines, expected) => {
    expect(shownRows(lines)).toEqual(expected);
  });

  it('stay if nothing else is repeated, or if they show other content', () => {
    expect(shownRows(['{#items};{/items}', 'F;F'])).toEqual(['', '', 'F F']);
    expect(shownRows(['{#items};x', '{name};1', 'y;{/items}'])).toEqual(['x', 'a 1', 'y', 'x', 'b 1', 'y']);
    const merged = table(rows('{#items};x', '{name};1{/items}')).replace('<w:tcW', '<w:vMerge w:val="restart"/><w:tcW');
    expect(fillText({ body: `${merged}<w:p/>` }, data)).toContain('x');
  });

  it('leave a valid document, also with repeated columns', async () => {
    const tables = [...cases.map(([, lines]) => lines), ['{|items}{name};x', '{#on};', '{name};y', '{/on};']];
    const body = tables.map((lines) => table(rows(...lines)) + paragraph('')).join('');
    expect(await problems({ body }, data)).toEqual([]);
  });
});
