import { describe, expect, test } from 'vitest';
import { findFonts } from '../../../../packages/layout/src/fonts/find-faces.ts';
import { nextPageStart } from '../../../../packages/layout/src/long-tables/fill-pages.ts';
import { layOutLongTable } from '../../../../packages/layout/src/long-tables/lay-out-long-table.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput } from '../../../support/documents/docx-builder.ts';
import { longTable } from '../../../support/documents/long-tables.ts';
import { testFonts } from '../../../support/fonts.ts';
import { textOf } from '../office/office-fixture.ts';
import { engines, useOffice } from '../office/pool-for-test.ts';

const rows = 160;
const words = 'lorem ipsum dolor sit amet consectetur adipiscing elit-sed do eiusmod tempor and/or incididunt'.split(
  ' ',
);
const wordsOf = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `${words[(seed * 7 + i * 3) % words.length]}${i % 5 === 0 ? seed : ''}`).join(
    ' ',
  );
const countOf = (row: number): number => 1 + ((row * row) % 23);
const borders = (size: number): string =>
  ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
    .map((side) => `<w:${side} w:val="single" w:sz="${size}" w:space="0" w:color="auto"/>`)
    .join('');
const styled = (paragraph: string, run: string, text: string): string =>
  `<w:p><w:pPr>${paragraph}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const font = (name: string): string => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:cs="${name}"/>`;
/** Every row has its number in the first column. */
const cells =
  (content: (row: number) => string) =>
  (row: number): string[] => [`r${row}`, content(row), wordsOf(row, row % 3), 'x'];
const words160 = cells((row) => wordsOf(row, countOf(row)));
const inParagraphs = (properties: string) =>
  cells((row) => Array.from({ length: 1 + (row % 4) }, (_, i) => styled(properties, '', wordsOf(row + i, 6))).join(''));
const table = (options: Omit<Parameters<typeof longTable>[0], 'rows'>): string =>
  `${longTable({ rows, ...options })}<w:p/>`;

const documents: Readonly<Record<string, DocxInput>> = {
  'words of many lengths': { body: table({ cells: words160 }) },
  'a repeated heading': { body: table({ cells: words160, header: [['No.', wordsOf(1, 9), 'c', 'd']] }) },
  'another font': {
    body: table({
      cells: cells((row) => styled('', `${font('Liberation Serif')}<w:sz w:val="20"/>`, wordsOf(row, countOf(row)))),
    }),
  },
  'bold and italic': {
    body: table({ cells: cells((row) => styled('', row % 2 ? '<w:b/>' : '<w:i/>', wordsOf(row, countOf(row)))) }),
  },
  'sizes in one line': {
    body: table({
      cells: cells(
        (row) =>
          `<w:p><w:r><w:t xml:space="preserve">${wordsOf(row, 5)} </w:t></w:r><w:r><w:rPr><w:sz w:val="32"/></w:rPr><w:t xml:space="preserve">${wordsOf(row, row % 4)}</w:t></w:r></w:p>`,
      ),
    }),
  },
  'contextual space': {
    body: table({ cells: inParagraphs('<w:spacing w:before="60" w:after="120"/><w:contextualSpacing/>') }),
  },
  indents: { body: table({ cells: inParagraphs('<w:ind w:left="200" w:right="100" w:hanging="150"/>') }) },
  'exact lines': { body: table({ cells: inParagraphs('<w:spacing w:line="250" w:lineRule="exact"/>') }) },
  'least lines': { body: table({ cells: inParagraphs('<w:spacing w:line="300" w:lineRule="atLeast"/>') }) },
  'lines of one and a half': { body: table({ cells: inParagraphs('<w:spacing w:line="360" w:lineRule="auto"/>') }) },
  'a width in percent': {
    body: table({
      cells: words160,
      properties: `<w:tblW w:w="4000" w:type="pct"/><w:tblBorders>${borders(4)}</w:tblBorders>`,
    }),
  },
  'looks that change no height': {
    body: table({
      cells: cells((row) =>
        styled('<w:jc w:val="distribute"/>', '<w:u w:val="wave"/><w:dstrike/>', wordsOf(row, countOf(row))),
      ),
      cellProperties: () => '<w:shd w:val="pct10" w:color="auto" w:fill="auto"/>',
    }),
  },
  'borders of cells': {
    body: table({
      cells: words160,
      borders: borders(12),
      cellProperties: () => `<w:tcBorders>${borders(12)}</w:tcBorders>`,
    }),
  },
  'thick borders': { body: table({ cells: words160, borders: borders(12) }) },
  'no borders': { body: table({ cells: words160, borders: '' }) },
  'rows that may not split': { body: table({ cells: words160, rowProperties: () => '<w:cantSplit/>' }) },
  'rows of an exact height': {
    body: table({
      cells: words160,
      rowProperties: (row) => `<w:trHeight w:val="${300 + (row % 5) * 90}" w:hRule="exact"/>`,
    }),
  },
  'a header and a footer': {
    body: table({ cells: words160 }),
    headers: [styled('<w:jc w:val="center"/>', '', 'Report')],
    footers: [
      '<w:p><w:r><w:t xml:space="preserve">Page </w:t></w:r><w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p>',
    ],
  },
  'breaks and long words': {
    body: table({
      cells: cells(
        (row) =>
          `<w:p><w:r><w:t>${'abcdefghij'.repeat(row % 6)} ${wordsOf(row, row % 5)}</w:t><w:br/><w:t>last line</w:t></w:r></w:p>`,
      ),
    }),
  },
};

describe.each(engines)('pages end at the same rows as in $name:', ({ sofficePath }) => {
  const office = useOffice({ sofficePath, longTableRows: 100_000 });

  test.each(Object.entries(documents))('%s', async (_name, document) => {
    const { docx, count, frame, layOut } = openTable(document);
    expect(count).toBe(rows);
    const layouts = Array.from({ length: count }, (_row, row) => layOut(row));
    const { pdf } = await office.pool.convert({ docx });
    const pageOf = pagesOf(await textOf(pdf, '-layout'));
    const [found, expected]: [string[], string[]] = [[], []];
    for (let [at, page] = [0, 1]; ; ) {
      const next = nextPageStart(layouts, at, frame, 100);
      if (next === undefined) break;
      [at, page] = [next.row, page + next.pages];
      expected.push(
        `row ${at - 1} begins on page ${page - (next.isBelowWholeRow ? 1 : 0)} at most, row ${at} on page ${page}`,
      );
      const before = pageOf.get(at - 1) ?? 0;
      found.push(
        `row ${at - 1} begins on page ${before <= page - 1 ? page - (next.isBelowWholeRow ? 1 : 0) : before} at most, row ${at} on page ${pageOf.get(at)}`,
      );
    }
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(0);
  });
});

test('rows with a minimum height are left to LibreOffice', () => {
  const rowProperties = () => '<w:trHeight w:val="900" w:hRule="atLeast"/>';
  expect(() => openTable({ body: table({ cells: words160, rowProperties }) })).toThrow('a row with a minimum height');
});

/** The document, and its table as direct layout reads it. */
function openTable(document: (typeof documents)[string]) {
  const docx = buildDocx({ ...document, compression: 'store' });
  const text = docx.toString('latin1');
  const main = text.indexOf('<w:document');
  const [start, end] = [
    text.indexOf('<w:tbl>', main) - startOfMain(text, main),
    text.lastIndexOf('</w:tbl>') + 8 - startOfMain(text, main),
  ];
  const section = /<w:sectPr.*?<\/w:sectPr>/s.exec(text.slice(main))?.[0] ?? '';
  const headerRows = text.includes('<w:tblHeader/>') ? 1 : 0;
  const layout = layOutLongTable(openPackage(docx), { start, end, headerRows, section }, findFonts(testFonts));
  return { docx, ...layout };
}

/** The offset of the main part in an archive of stored files, which is that of its XML declaration. */
function startOfMain(text: string, main: number): number {
  return text.lastIndexOf('<?xml', main);
}

function pagesOf(text: string): Map<number, number> {
  const pages = text.split('\f').map((page) => [...page.matchAll(/^ *r(\d+)\b/gm)].map(([, row]) => Number(row)));
  return new Map(pages.flatMap((found, index) => found.map((row): [number, number] => [row, index + 1])).reverse());
}
