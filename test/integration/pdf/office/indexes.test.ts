import { describe, expect, test } from 'vitest';
import { buildDocx, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import {
  contents,
  field,
  fieldMark,
  fieldStyles,
  instruction,
  pageBreak,
  styled,
} from '../../../support/documents/field-builder.ts';
import { textOf } from './office-fixture.ts';
import { engines, useOffice } from './pool-for-test.ts';

const alpha = { label: 'Alpha', page: '9', bookmark: '_Toc1' };
const beta = { label: 'Beta', page: '9', bookmark: '_Toc2' };
const unlinked = [
  { label: 'Alpha', page: '9' },
  { label: 'Beta', page: '9' },
];
// The tab stop of TOC1 lies beyond the width of a cell.
const inCell = [alpha, beta].map((entry) => ({ ...entry, style: 'Other' }));
const chapter = (style: string, title: string, bookmark?: string): string =>
  `${pageBreak}${styled(style, title, bookmark)}${paragraph('text')}`;
const headings = chapter('Heading1', 'Alpha', '_Toc1') + chapter('Heading2', 'Beta', '_Toc2');
const ownHeadings = chapter('Heading1', 'Alpha', '_Toc1') + chapter('MyHeading', 'Beta', '_Toc2');
const added = chapter('Heading1', 'Added');

describe.each(engines)('an index in $name', ({ sofficePath }) => {
  const office = useOffice({ sofficePath });

  /** The lines of the first page, with one space for gaps and leaders, and the messages of the warnings. */
  const firstPage = async (body: string) => {
    const docx = buildDocx({ body: `${body}${paragraph('end')}`, parts: { 'word/styles.xml': fieldStyles } });
    const { pdf, warnings } = await office.pool.convert({ docx });
    const [first = ''] = (await textOf(pdf, '-layout')).split('\f');
    const lines = first
      .split('\n')
      .map((line) =>
        line
          .replace(/\.{3,}/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((line) => line !== '');
    for (const { code } of warnings) expect(code).toBe('index_kept');
    return { lines, warnings: warnings.map(({ message }) => message) };
  };

  test.each([
    ['all levels', contents('TOC \\o "1-3" \\h \\z \\u', [alpha, beta]), headings],
    ['entries without links', contents('TOC \\o "1-3"', unlinked), headings],
    ['a style of the author, comma', contents('TOC \\o "1-2" \\t "My Heading,1"', [alpha, beta]), ownHeadings],
    ['a style of the author, semicolon', contents('TOC \\o "1-2" \\t "My Heading;1"', [alpha, beta]), ownHeadings],
    ['the outline level', contents('TOC \\u', [alpha, beta]), headings],
    [
      'TC fields',
      contents('TOC \\f', unlinked),
      `${pageBreak}<w:p>${run('x')}${fieldMark('begin')}${instruction('TC "Alpha"')}${fieldMark('end')}</w:p>${pageBreak}<w:p>${fieldMark('begin')}${instruction('TC "Beta"')}${fieldMark('end')}</w:p>`,
    ],
  ])('shows current pages: %s', async (_name, index, body) => {
    const { lines, warnings } = await firstPage(index + body);
    expect(lines.slice(0, 2)).toEqual(['Alpha 2', 'Beta 3']);
    expect(warnings).toEqual([]);
  });

  const gone = { label: 'Gone', page: '9', bookmark: '_Toc9' };
  const entryTabs =
    '<w:tabs><w:tab w:val="left" w:pos="3000"/><w:tab w:val="right" w:leader="dot" w:pos="9016"/></w:tabs>';
  const numbered = contents('TOC \\o "1-3"', [{ label: '1.\tAlpha', page: '9' }]).replace(
    '"TOC1"/>',
    `"TOC1"/>${entryTabs}`,
  );
  const names = ['Name 1', 'Name 1', 'Name 2'];
  const withoutPages = names.map((label) => ({ label, page: '' }));
  const begin = (code: string): string => `${fieldMark('begin')}${instruction(code)}${fieldMark('separate')}`;
  const oneEntry = styled('TOC1', `${run('Alpha')}<w:r><w:tab/></w:r>${run('9')}`);
  const end = `<w:p>${fieldMark('end')}</w:p>`;
  const titled = (code: string): string => styled('Title', begin(code) + run('Contents')) + oneEntry + end + headings;
  const control = (content: string): string =>
    `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

  test.each([
    [
      'has the entries that the data added, and not those it removed',
      contents('TOC \\o "1-3" \\h', [alpha, gone, beta]) + headings + added,
      ['Alpha 2', 'Beta 3', 'Added 4'],
    ],
    [
      'keeps the tab between number and text',
      numbered + chapter('Heading1', '1. Alpha') + added,
      ['1. Alpha 2', 'Added 3'],
    ],
    ['leaves out the levels below its first', contents('TOC \\o "2-3" \\h', [beta]) + headings + added, ['Beta 3']],
    [
      'has no page numbers if the author wants none',
      contents('TOC \\o "1-3" \\n', [{ label: 'Alpha', page: '' }]) + headings,
      ['Alpha', 'Beta'],
    ],
    [
      'with entries without pages keeps the numbers at the ends of its headings',
      contents('TOC \\o "1-3" \\h \\z \\u', withoutPages) + names.map((name) => chapter('Heading1', name)).join(''),
      names,
    ],
    [
      'keeps a title inside the field when entries are added',
      titled('TOC \\o "1-3"'),
      ['Contents', 'Alpha 2', 'Beta 3'],
    ],
    [
      'in a content control keeps its title and gets its entries',
      control(styled('TOCHeading', 'Contents') + contents('TOC \\o "1-3" \\h', [alpha])) + headings,
      ['Contents', 'Alpha 2', 'Beta 3'],
    ],
    [
      'replaces the request to update it',
      `<w:p>${field('TOC \\o "1-3"', run('Right-click to update.'))}</w:p>${headings}`,
      ['Alpha 2', 'Beta 3'],
    ],
  ])('%s', async (_title, body, expected) => {
    expect(await firstPage(body)).toEqual({ lines: expected, warnings: [] });
  });

  test.each([
    ['one of its styles is missing', contents('TOC \\o "1-2"', unlinked) + ownHeadings, 'would lose its entry "Beta"'],
    ['all of its styles are missing', contents('TOC \\t "No Style;1"', [alpha, beta]) + headings, 'finds none'],
    ['it is in a table', table([[contents('TOC \\o "1-3"', inCell)]]) + headings, 'inside a table'],
  ])('stays, with current pages, when %s', async (_name, body, reason) => {
    const { lines, warnings } = await firstPage(body);
    expect(lines.slice(0, 2)).toEqual(['Alpha 2', 'Beta 3']);
    expect(warnings).toEqual([expect.stringContaining('The table of contents that begins with "Alpha" stays')]);
    expect(warnings[0]).toContain(reason);
  });

  test.each([
    ['with nothing but a title left stays as it is', titled('TOC \\t "My Heading;1"'), ['Contents', 'Alpha 2']],
    [
      'keeps a table inside its field',
      `<w:p>${begin('TOC \\o "1-3"')}${run('Alpha 9')}</w:p>${table([['in a cell']])}${end}${headings}`,
      ['Alpha 2', 'in a cell'],
    ],
  ])('%s', async (_title, body, expected) => {
    const { lines, warnings } = await firstPage(body);
    expect(lines.slice(0, 2)).toEqual(expected);
    expect(warnings).toHaveLength(1);
  });

  test('does not prevent another from being refreshed', async () => {
    const bibliography = `<w:p>${field('BIBLIOGRAPHY', run('Smith, J. (1999). On Templates.'))}</w:p>`;
    const body = contents('TOC \\o "1-3" \\h', [alpha, beta]) + bibliography + headings + added;
    const { lines, warnings } = await firstPage(body);
    expect(lines.slice(0, 4)).toEqual(['Alpha 2', 'Beta 3', 'Added 4', 'Smith, J. (1999). On Templates.']);
    expect(warnings).toEqual([
      expect.stringContaining('The bibliography that begins with "Smith, J. (1999). On Templates." stays'),
    ]);
  });

  const entry = `${fieldMark('begin')}${instruction('XE "apple"')}${fieldMark('end')}`;
  test.each([
    ['alone', `<w:p>${field('INDEX \\e ", "', run('apple, 8'))}</w:p>`, ['apple, 8']],
    ['in a cell', table([[`<w:p>${run('before ')}${field('INDEX', run('apple, 8'))}</w:p>`]]), ['before', 'apple, 8']],
    ['contents in a cell', table([[`<w:p>${field('TOC \\o "1-2"', run('Alpha 9'))}</w:p>`]]), ['Alpha']],
    [
      'between texts',
      `<w:p>${run('before ')}${field('INDEX', run('apple, 8'))}${run(' after')}</w:p>`,
      ['before', 'apple, 8 after'],
    ],
  ])('within a line does not crash LibreOffice: %s', async (_name, body, expected) => {
    const { lines, warnings } = await firstPage(`${body}<w:p>${entry}${run('apple')}</w:p>${headings}`);
    for (const [i, text] of expected.entries()) expect(lines[i]).toContain(text);
    expect(warnings).toHaveLength(1);
  });
});
