import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput } from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { openDirectConverter } from '../src/open-direct-converter.ts';

const { paragraph, run } = word;
const converter = await openDirectConverter(testFonts);

/** The number of pages, or why the document is left to LibreOffice. */
function outcomeOf(input: DocxInput): number | string {
  try {
    return converter.convert(openPackage(buildDocx(input))).pages;
  } catch (error) {
    return (error as Error).message;
  }
}
const ofText = (text: string, properties = '', format = ''): number | string =>
  outcomeOf({ body: paragraph(run(text, format), properties) });
const centred = word.aligned('center');
const underlined = '<w:u w:val="single"/>';

test('amounts, dates and French punctuation with no-break spaces are laid out', () => {
  expect(ofText('Total: 1\u202f234,56\u00a0€')).toBe(1);
  expect(ofText('«\u00a0Quoi\u00a0?\u00a0»', centred)).toBe(1);
  expect(ofText('3.\u00a0Dezember', '', `<w:b/>${underlined}`)).toBe(1);
  expect(ofText('\u00a0'), 'nothing else').toBe(1);
});

test('a line may end before or after text with a no-break space, but not in it', () => {
  const outcomes = Array.from({ length: 120 }, (_, count) =>
    ofText(`${'i'.repeat(count)} ${'word '.repeat(14)}12,50\u00a0€ and more`),
  );
  expect(new Set(outcomes)).toEqual(new Set([1, 'a no-break space near the end of a line']));
  expect(outcomes.filter((outcome) => outcome === 1).length).toBeGreaterThan(80);
});

const decimalStop = '<w:tabs><w:tab w:val="decimal" w:pos="900"/></w:tabs>';
const inCell = word.table([4000], [word.row([word.cell(4000, paragraph('12.50', decimalStop))])], word.width(4000));
const withFirstRow = (borders: string, rows: number, columns: number): DocxInput => {
  const first = `<w:tblStylePr w:type="firstRow"><w:tcPr><w:tcBorders>${borders}</w:tcBorders></w:tcPr></w:tblStylePr>`;
  const more = `<w:tblPr><w:tblBorders>${word.borders(word.outerSides, 4)}</w:tblBorders></w:tblPr>${first}`;
  const widths = Array.from({ length: columns }, () => 2000);
  const all = Array.from({ length: rows }, () => word.row(widths.map((width) => word.cell(width, 'text'))));
  const table = word.table(widths, all, `<w:tblStyle w:val="T"/>${word.autoWidth}<w:tblLook w:val="20"/>`);
  const styles = word.styles({}, word.normal(), word.style('T', { type: 'table', more }));
  return word.forWord(table + paragraph('Below'), 15, styles);
};

test.each<[string, DocxInput]>([
  ['characters of other scripts', { body: paragraph('שלום') }],
  ['w:drawing', { body: paragraph(run('<w:drawing/>')) }],
  ['w:effect', { body: paragraph(run('text', '<w:effect w:val="blink"/>')) }],
  ['a no-break space at the end of a line', { body: paragraph('12,50\u00a0', centred) }],
  ['a no-break space at the end of a line', { body: paragraph(run('5\u00a0', underlined)) }],
  ['a slanted no-break space', { body: paragraph(run('12,50\u00a0€', '<w:i/>')) }],
  ['a raised or lowered no-break space', { body: paragraph(run('a\u00a0b', '<w:vertAlign w:val="superscript"/>')) }],
  // In these cells, numbers align with the tab stop without a tab character.
  ['a decimal tab in a table', { body: inCell + paragraph('End') }],
  ['borders inside one cell', withFirstRow(word.border('insideH', 4), 1, 2)],
  ['a first cell with another border than its table', withFirstRow('<w:left w:val="nil"/><w:top w:val="nil"/>', 2, 2)],
])('%s: left to LibreOffice', (reason, input) => {
  expect(outcomeOf(input)).toBe(reason);
});

test('ligatures beside text with spacing are left to LibreOffice', () => {
  const spaced = (text: string, spacing: number) => run(text, `${word.font('Carlito')}<w:spacing w:val="${spacing}"/>`);
  expect(outcomeOf({ body: paragraph(spaced('Parties ', 0) + spaced('of ', 0)) })).toBe(1);
  expect(outcomeOf({ body: paragraph(spaced('sums ', 20) + spaced('of ', 0)) })).toBe(1);
  expect(outcomeOf({ body: paragraph(spaced('sums ', 20) + spaced('Parties', 0)) })).toBe(
    'ligatures beside text with spacing',
  );
});

test('a justified line with a break is left to LibreOffice where only an empty line follows on the next page', () => {
  const justified = paragraph(run('<w:t>one two three</w:t><w:br/>'), word.aligned('both'));
  const withLinesAbove = (above: number) =>
    outcomeOf({ body: `${'<w:p/>'.repeat(above)}${justified}${paragraph('end')}` });
  // The page has lines for 51 paragraphs.
  expect([48, 49, 50, 51].map(withLinesAbove)).toEqual([1, 2, 'a justified line with a break at a page end', 2]);
});

test('spaces of small text that would shrink to less than nothing are left to LibreOffice', () => {
  const outcomes = Array.from({ length: 40 }, (_, count) => {
    const large = `${'wide '.repeat(4)}${'i'.repeat(count)} more words`;
    const runs = run('small words in a line ', word.size(8)) + run(large, word.size(60));
    return outcomeOf(word.forWord(paragraph(runs, word.aligned('both')), 15));
  });
  expect(outcomes).toContain('spaces that shrink to less than nothing');
  expect(outcomes).toContain(1);
});

test('a paragraph that LibreOffice leaves behind at a page end, as the 25th of a short document, is left to it', () => {
  const line = (text: string, height: number, properties = ''): string =>
    paragraph(text, properties + word.spaced(0, 0, height, 'exact'));
  const withKept = (place: number): number | string => {
    const [above, free] = [place - 1, 13_958 - 600];
    const height = Math.floor(free / above);
    const last = line('above', free - height * (above - 1));
    const kept = line('kept', 500, '<w:keepNext/>') + line('below', 500);
    return outcomeOf({ body: line('above', height).repeat(above - 1) + last + kept });
  };
  expect([24, 25, 26].map(withKept)).toEqual([2, 'blocks that LibreOffice may split at a page end', 2]);
});
