import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';

/** Twips between the margins of a page of `buildDocx`. */
const pageHeight = 13_958;

const exact = (height: number): string => word.spaced(0, 0, height, 'exact');
const line = (text: string, height = 200): string => word.paragraph(text, exact(height));
const kept = (height = 200): string => word.paragraph('kept', `<w:keepNext/>${exact(height)}`);
/** A row whose paragraph has these properties. */
const row = (height: number, properties = '', ofRow = ''): string =>
  word.row(
    [word.cell(4000, word.paragraph(`row ${height}`, properties + exact(height - 50)))],
    `<w:cantSplit/><w:trHeight w:val="${height}" w:hRule="exact"/>${ofRow}`,
  );
const table = (...rows: readonly string[]): string => word.table([4000], rows, word.fixedWidth(4000));
const [plain, keeping, styled] = ['', '<w:keepNext/>', '<w:pStyle w:val="Kept"/>'].map((properties) =>
  row(300, properties),
) as [string, string, string];
const heading = row(300, '', '<w:tblHeader/>');

/** The content of the last twips of a page, and the number of these twips. */
const cases: readonly (readonly [free: number, body: string])[] = [
  [958, kept() + table(plain, plain, plain)],
  [458, kept() + table(plain, plain, plain)],
  [1058, kept() + kept() + table(row(800))],
  [658, kept() + table(heading, plain, plain)],
  [958, kept() + table(heading, plain, plain)],
  [958, table(plain, keeping, plain, plain, plain)],
  [958, table(plain, keeping, keeping, plain, plain)],
  [1058, kept() + table(keeping, keeping, keeping, plain, plain)],
  [958, table(keeping, keeping, keeping)],
  [958, table(styled, styled, styled)],
  [958, table(plain, plain, keeping)],
  [958, table(plain, keeping, styled)],
  [958, table(row(850, '<w:keepNext/>'))],
  [958, table(heading, row(600, '<w:keepNext/>'))],
  [958, table(heading, plain, keeping)],
  [1158, table(plain, plain, keeping) + kept() + line('below', 400)],
  [1958, kept() + table(keeping, keeping, keeping) + kept() + table(row(900))],
  [858, kept(300) + word.paragraph('word '.repeat(50), `<w:widowControl/>${exact(200)}`)],
  [358, kept(300) + word.paragraph('next', `<w:pageBreakBefore/>${exact(200)}`)],
];

const filled = (height: number): string =>
  height <= 0 ? '' : line('above', Math.min(1000, height)) + filled(height - 1000);
const sectionEnd = word.paragraph(
  '',
  `${exact(20)}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>`,
);

/** Each case in a section: paragraphs and rows that stay together at a page end, by themselves or by their style. */
export const documentOfPageEnds: DocxInput = word.document(
  `${cases.map(([free, body]) => filled(pageHeight - free) + body + line('below') + sectionEnd).join('')}${line('end')}`,
  {
    styles: word.styles({}, word.normal(), word.style('Kept', { basedOn: 'Normal', paragraph: '<w:keepNext/>' })),
  },
);
