import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

/** Documents with the styles and settings with which Word begins a new one. */

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const vocabulary =
  'the of and agreement between parties shall be governed by delivery invoice payment within 30 days 10 % EUR 1,234.56 +49 (0)30 1234-567 E-Mail-Adresse § 5 “text”, … -5 « x » (see (a), (b)) 50%-off No.5 e.g., 2026-11-25 25.11.2026 info@example.com www.example.com Ltd. Inc., a / b well-known';
const words = (most: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...vocabulary.split(' ')), { minLength: 1, maxLength: most })
    .map((all) => `${all.join(' ')} `);
const perhaps = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom('', '', '', ...values);

const run = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      perhaps('<w:b/>', '<w:i/>'),
      perhaps('<w:caps/>'),
      perhaps('<w:color w:val="C00000"/>'),
      perhaps('<w:sz w:val="18"/>', '<w:sz w:val="28"/>'),
      words(most),
    )
    .map(
      ([weight, capitals, color, size, text]) =>
        `<w:r><w:rPr>${weight}${capitals}${color}${size}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`,
    );
const runs = (most: number): fc.Arbitrary<string> =>
  fc.array(run(most), { minLength: 1, maxLength: 3 }).map((all) => all.join(''));

const styled = ['Heading1', 'Heading2', 'NoSpacing'].map((style) => `<w:pStyle w:val="${style}"/>`);
const listed = [1, 2].map(
  (list) =>
    `<w:pStyle w:val="ListParagraph"/><w:numPr><w:ilvl w:val="${list - 1}"/><w:numId w:val="${list}"/></w:numPr>`,
);
const spacing = perhaps(
  '<w:spacing w:before="120" w:after="0" w:line="240" w:lineRule="auto"/>',
  '<w:spacing w:line="360" w:lineRule="auto"/>',
  '<w:spacing w:after="240" w:line="276" w:lineRule="auto"/>',
);
const aligned = perhaps(...['both', 'right', 'center'].map((alignment) => `<w:jc w:val="${alignment}"/>`));
const textParagraph = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(perhaps(...styled), perhaps('<w:keepNext/>'), spacing, aligned, runs(most))
    .map(
      ([style, keeps, space, alignment, content]) =>
        `<w:p><w:pPr>${style}${keeps}${space}${alignment}</w:pPr>${content}</w:p>`,
    );
const listParagraph = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...listed), spacing, runs(most))
    .map(([list, space, content]) => `<w:p><w:pPr>${list}${space}</w:pPr>${content}</w:p>`);
const tabbedParagraph = fc
  .tuple(fc.constantFrom('left', 'right', 'center'), fc.integer({ min: 4_000, max: 8_500 }), runs(3), run(2))
  .map(
    ([kind, position, before, behind]) =>
      `<w:p><w:pPr><w:tabs><w:tab w:val="${kind}" w:pos="${position}"/></w:tabs></w:pPr>${before}<w:r><w:tab/></w:r>${behind}</w:p>`,
  );

const cell = (width: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      perhaps('<w:shd w:val="clear" w:color="auto" w:fill="D9E2F3"/>'),
      perhaps('<w:vAlign w:val="center"/>', '<w:vAlign w:val="bottom"/>'),
      fc.array(fc.oneof(textParagraph(6), listParagraph(6)), { minLength: 1, maxLength: 2 }),
    )
    .map(
      ([shading, alignment, content]) =>
        `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${shading}${alignment}</w:tcPr>${content.join('')}</w:tc>`,
    );
const table = fc.constantFrom([3_005, 3_005, 3_006], [1_500, 5_016, 2_500], [4_508, 4_508]).chain((widths) =>
  fc
    .tuple(
      perhaps('<w:tblHeader/>', '<w:cantSplit/>'),
      fc.array(fc.tuple(...widths.map(cell)), { minLength: 1, maxLength: 6 }),
    )
    .map(([first, rows]) => {
      const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
      const width = widths.reduce((sum, one) => sum + one, 0);
      const content = rows.map((cells, index) => {
        const properties = index === 0 ? `<w:trPr>${first}</w:trPr>` : '';
        return `<w:tr>${properties}${cells.join('')}</w:tr>`;
      });
      return `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="${width}" w:type="dxa"/><w:tblLook w:val="04A0"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${content.join('')}</w:tbl><w:p/>`;
    }),
);

const border = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`)
  .join('');
const heading = (level: number, before: number, halfPoints: number): string =>
  `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:keepLines/><w:spacing w:before="${before}" w:after="0"/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:color w:val="2F5496"/><w:sz w:val="${halfPoints}"/></w:rPr></w:style>`;
const stylesOf = (family: string): string =>
  [
    `<w:styles xmlns:w="${wordNamespace}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:cs="${family}"/><w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>`,
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>',
    '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>',
    `<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr><w:tblPr><w:tblBorders>${border}</w:tblBorders></w:tblPr></w:style>`,
    heading(1, 240, 32),
    heading(2, 40, 26),
    '<w:style w:type="paragraph" w:styleId="NoSpacing"><w:name w:val="No Spacing"/><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr></w:style>',
    '<w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/><w:basedOn w:val="Normal"/><w:pPr><w:ind w:left="720"/><w:contextualSpacing/></w:pPr></w:style></w:styles>',
  ].join('');

const levelsOf = (format: string, labelOf: (level: number) => string): string =>
  [1, 2]
    .map(
      (level) =>
        `<w:lvl w:ilvl="${level - 1}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${labelOf(level)}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${720 * level}" w:hanging="360"/></w:pPr></w:lvl>`,
    )
    .join('');
const numbering = `<w:numbering xmlns:w="${wordNamespace}"><w:abstractNum w:abstractNumId="0">${levelsOf('bullet', () => '•')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${levelsOf('decimal', (level) => `%${level}.`)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;

/** Text, headings, lists, tabs and tables as Word writes them, with a header and the numbers of pages. */
export const documentsOfWord: fc.Arbitrary<DocxInput> = fc
  .record({
    blocks: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: textParagraph(30) },
        { weight: 2, arbitrary: listParagraph(30) },
        { weight: 2, arbitrary: tabbedParagraph },
        { weight: 2, arbitrary: table },
      ),
      { minLength: 2, maxLength: 20, size: 'max' },
    ),
    last: textParagraph(3),
    family: fc.constantFrom('Carlito', 'Carlito', 'Liberation Sans', 'Liberation Serif'),
    version: fc.constantFrom(14, 15, 15, 15),
  })
  .map(({ blocks, last, family, version }) => ({
    body: `${blocks.join('')}${last}`,
    section:
      '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/><w:cols w:space="708"/><w:docGrid w:linePitch="360"/>',
    headers: ['<w:p><w:pPr><w:jc w:val="right"/></w:pPr><w:r><w:t>Acme Ltd.</w:t></w:r></w:p>'],
    footers: [
      '<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t xml:space="preserve">Page </w:t></w:r><w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p>',
    ],
    rels: ['numbering', 'settings'].map((type) => ({ id: `rId${type}`, type, target: `${type}.xml` })),
    parts: {
      'word/styles.xml': stylesOf(family),
      'word/numbering.xml': numbering,
      'word/settings.xml': `<w:settings xmlns:w="${wordNamespace}"><w:defaultTabStop w:val="720"/><w:characterSpacingControl w:val="doNotCompress"/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat></w:settings>`,
    },
  }));
