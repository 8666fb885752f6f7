import { buildDocx } from '../../../support/documents/docx-builder.ts';

/** Twips between the margins of a page of `buildDocx`. */
const pageHeight = 13_958;

interface RowOptions {
  readonly isHeading?: boolean;
  readonly isKept?: boolean;
  /** Kept by the style of its paragraph. */
  readonly isKeptByStyle?: boolean;
}

const lineOf = (height: number): string =>
  `<w:spacing w:before="0" w:after="0" w:line="${height}" w:lineRule="exact"/>`;
const paragraph = (text: string, properties: string): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const line = (text: string, height = 200): string => paragraph(text, lineOf(height));
const kept = (text: string, height = 200): string => paragraph(text, `<w:keepNext/>${lineOf(height)}`);
const row = (height: number, { isHeading, isKept, isKeptByStyle }: RowOptions = {}): string =>
  `<w:tr><w:trPr><w:cantSplit/><w:trHeight w:val="${height}" w:hRule="exact"/>${isHeading === true ? '<w:tblHeader/>' : ''}</w:trPr><w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>${paragraph(
    `row ${height}`,
    `${isKeptByStyle === true ? '<w:pStyle w:val="Kept"/>' : ''}${isKept === true ? '<w:keepNext/>' : ''}${lineOf(height - 50)}`,
  )}</w:tc></w:tr>`;
const table = (...rows: readonly string[]): string =>
  `<w:tbl><w:tblPr><w:tblW w:w="4000" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid>${rows.join('')}</w:tbl>`;
const [plain, keeping, styled]: RowOptions[] = [{}, { isKept: true }, { isKeptByStyle: true }];
const rows = (...options: readonly (RowOptions | undefined)[]): string =>
  table(...options.map((option) => row(300, option)));
const heading = row(300, { isHeading: true });

/** What stands in the last twips of a page, and how many. */
const cases: readonly (readonly [free: number, body: string])[] = [
  [958, kept('kept') + rows(plain, plain, plain)],
  [458, kept('kept') + rows(plain, plain, plain)],
  [1058, kept('kept') + kept('kept') + table(row(800))],
  [658, kept('kept') + table(heading, row(300), row(300))],
  [958, kept('kept') + table(heading, row(300), row(300))],
  [958, rows(plain, keeping, plain, plain, plain)],
  [958, rows(plain, keeping, keeping, plain, plain)],
  [1058, kept('kept') + rows(keeping, keeping, keeping, plain, plain)],
  [958, rows(keeping, keeping, keeping)],
  [958, rows(styled, styled, styled)],
  [958, rows(plain, plain, keeping)],
  [958, rows(plain, keeping, styled)],
  [958, table(row(850, keeping))],
  [958, table(heading, row(600, keeping))],
  [958, table(heading, row(300), row(300, keeping))],
  [1158, rows(plain, plain, keeping) + kept('kept') + line('below', 400)],
  [1958, kept('kept') + rows(keeping, keeping, keeping) + kept('kept') + table(row(900))],
  [858, kept('kept', 300) + paragraph('word '.repeat(50), `<w:widowControl/>${lineOf(200)}`)],
  [358, kept('kept', 300) + paragraph('next', '<w:pageBreakBefore/>')],
];

const filled = (height: number): string =>
  height <= 0 ? '' : line('above', Math.min(1000, height)) + filled(height - 1000);

const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:docDefaults><w:rPrDefault/><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Kept"><w:name w:val="Kept"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/></w:pPr></w:style></w:styles>`;
const section = `<w:p><w:pPr>${lineOf(20)}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:pPr></w:p>`;

/** Each case in a section: paragraphs and rows that stay together at a page end, by themselves or by their style. */
export const documentOfPageEnds = buildDocx({
  body: `${cases.map(([free, body]) => filled(pageHeight - free) + body + line('below') + section).join('')}${line('end')}`,
  parts: { 'word/styles.xml': styles },
});
