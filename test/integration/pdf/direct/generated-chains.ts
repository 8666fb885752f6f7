import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const styles = `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Sans" w:hAnsi="Liberation Sans"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>`;
const settings = `<w:settings xmlns:w="${word}"><w:compat/></w:settings>`;

interface Lines {
  readonly height: number;
  readonly before: number;
  readonly after: number;
}

const space = fc.constantFrom(0, 0, 60, 120, 240);
const lines = (least: number, most: number): fc.Arbitrary<Lines> =>
  fc.record({ height: fc.integer({ min: least, max: most }), before: space, after: space });

const paragraph = (text: string, { height, before, after }: Lines, properties = ''): string =>
  `<w:p><w:pPr>${properties}<w:spacing w:before="${before}" w:after="${after}" w:line="${height}" w:lineRule="exact"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

const row = (height: number): string =>
  `<w:tr><w:trPr><w:cantSplit/></w:trPr><w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>${paragraph('row', { height, before: 0, after: 0 })}</w:tc></w:tr>`;
const table = fc
  .record({ rows: fc.integer({ min: 1, max: 6 }), height: fc.integer({ min: 250, max: 500 }) })
  .map(
    ({ rows, height }) =>
      `<w:tbl><w:tblPr><w:tblW w:w="4000" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid>${row(height).repeat(rows)}</w:tbl>`,
  );

/** Paragraphs that stay together with a paragraph or a table, and others behind them. */
const part = fc
  .record({
    kept: fc.array(lines(250, 500), { minLength: 1, maxLength: 3 }),
    last: fc.oneof(
      lines(250, 900).map((one) => paragraph('last', one)),
      table,
    ),
    others: fc.array(lines(250, 700), { minLength: 1, maxLength: 6 }),
  })
  .map(({ kept, last, others }) =>
    [
      ...kept.map((one) => paragraph('kept', one, '<w:keepNext/>')),
      last,
      ...others.map((one) => paragraph('other', one)),
    ].join(''),
  );

/** A document of several pages with paragraphs that stay together, of which some end a page. */
export const chainsAtPageEnds: fc.Arbitrary<DocxInput> = fc
  .array(part, { minLength: 8, maxLength: 20 })
  .map((parts) => ({
    body: parts.join(''),
    parts: { 'word/styles.xml': styles, 'word/settings.xml': settings },
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
  }));
