import { describe, expect, it } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { addedProblems } from '../../../support/documents/ooxml-check.ts';
import { fill, fillText } from '../render/fill.ts';

const data = {
  name: 'Ada',
  on: true,
  off: false,
  items: [{ name: 'a', sub: [1, 2] }, { name: 'b' }],
};

type Rows = readonly (readonly string[])[];

/** One line per row. */
function rowsOf(rows: Rows): string[] {
  const xml = fill({ body: `${table(rows)}<w:p/>` }, data).readText('word/document.xml') ?? '';
  return (xml.match(/<w:tr[ >].*?<\/w:tr>/gs) ?? []).map((row) =>
    Array.from(row.matchAll(/<w:t(?: [^>]*)?>([^<]*)/g), ([, text]) => text)
      .join(' ')
      .trim(),
  );
}

const cases: readonly (readonly [what: string, rows: Rows, expected: readonly string[]])[] = [
  [
    'of a true condition',
    [
      ['H', 'H'],
      ['{#on}', ''],
      ['{name}', '1'],
      ['', '{/on}'],
      ['F', 'F'],
    ],
    ['H H', 'Ada 1', 'F F'],
  ],
  [
    'of a false condition',
    [
      ['H', 'H'],
      ['{#off}', ''],
      ['{name}', '1'],
      ['', '{/off}'],
      ['F', 'F'],
    ],
    ['H H', 'F F'],
  ],
  [
    'of a list',
    [
      ['{#items}', ''],
      ['{name}', '1'],
      ['{/items}', ''],
    ],
    ['a 1', 'b 1'],
  ],
  [
    'of lists in a list',
    [
      ['{#items}', ''],
      ['{name}', ''],
      ['{#sub}', ''],
      ['{.}', '2'],
      ['{/sub}', ''],
      ['{/items}', ''],
    ],
    ['a', '1 2', '2 2', 'b'],
  ],
  [
    'of two lists at once',
    [
      ['{#items}{#sub}', ''],
      ['{.}', ''],
      ['{/sub}{/items}', ''],
    ],
    ['1', '2'],
  ],
  [
    'of the opposite',
    [
      ['{#off}', ''],
      ['1', '1'],
      ['{/off}', ''],
      ['{^off}', ''],
      ['2', '2'],
      ['{/off}', ''],
    ],
    ['2 2'],
  ],
  [
    'around rows without tags',
    [
      ['{#items}', ''],
      ['s', 't'],
      ['u', 'v'],
      ['', '{/items}'],
    ],
    ['s t', 'u v', 's t', 'u v'],
  ],
  [
    'at the start alone',
    [
      ['{#items}', ''],
      ['{name}', '1{/items}'],
    ],
    ['a 1', 'b 1'],
  ],
  [
    'at the end alone',
    [
      ['{#items}{name}', '1'],
      ['', '{/items}'],
    ],
    ['a 1', 'b 1'],
  ],
  [
    'with columns that repeat',
    [
      ['{|items}{name}', 'x'],
      ['{#on}', ''],
      ['{name}', 'y'],
      ['{/on}', ''],
    ],
    [],
  ],
];

describe('rows that hold nothing but a tag', () => {
  it.each(cases.slice(0, -1))('%s leave no row', (_, rows, expected) => {
    expect(rowsOf(rows)).toEqual(expected);
  });

  it('stay if nothing else is repeated', () => {
    expect(
      rowsOf([
        ['{#items}', '{/items}'],
        ['F', 'F'],
      ]),
    ).toEqual(['', '', 'F F']);
  });

  it('stay if they show other content', () => {
    expect(
      rowsOf([
        ['{#items}', 'x'],
        ['{name}', '1'],
        ['y', '{/items}'],
      ]),
    ).toEqual(['x', 'a 1', 'y', 'x', 'b 1', 'y']);
    const merged = table([
      ['{#items}', 'x'],
      ['{name}', '1{/items}'],
    ]).replace('<w:tcW', '<w:vMerge w:val="restart"/><w:tcW');
    expect(fillText({ body: `${merged}<w:p/>` }, data)).toContain('x');
  });

  it.each(cases)('%s leave a valid document', async (_, rows) => {
    const template = buildDocx({ body: paragraph('') + table(rows) + paragraph('') });
    const { file } = renderTemplate(prepareTemplate(template, 'docx'), Buffer.from(JSON.stringify(data)));
    expect(await addedProblems(template, file)).toEqual([]);
  });
});
