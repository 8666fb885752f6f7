import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { formattedRun, joined, perhaps, several, wordsOf } from './generated-words.ts';

/** Words in every known format, and documents as Word writes them. */

const half = (...values: readonly string[]): fc.Arbitrary<string> => perhaps(4, ...values);
const seldom = (...values: readonly string[]): fc.Arbitrary<string> => perhaps(8, ...values);

const delivery =
  'agreement delivery of the between parties shall be notwithstanding well-known 12,345.67 No. (a) “Supplier”) Te AWAY office first fi ffl 25.11.2026 10\u00a0% 12,50\u00a0€ e.g. obligations, and/or I';
/** At least half of the runs lack the property, so that most runs have few. */
const format = joined([
  half(word.font('Carlito'), word.font('Liberation Serif')),
  half('<w:b/>'),
  half('<w:i/>'),
  half('<w:caps/>'),
  half('<w:strike/>'),
  half('<w:color w:val="AA0000"/>'),
  seldom('<w:spacing w:val="10"/>', '<w:spacing w:val="-6"/>', '<w:spacing w:val="30"/>'),
  half('<w:kern w:val="16"/>'),
  half(word.size(18), word.size(28)),
  seldom('<w:u w:val="single"/>', '<w:u w:val="double"/>'),
  half(word.shaded('DFD8E8')),
]);
const endedRun = fc
  .tuple(format, wordsOf(16, delivery), fc.constantFrom(' ', ' ', ' ', '', '  '), half('<w:br/>', '<w:tab/>'))
  .map(([properties, words, end, behind]) =>
    word.run(`<w:t xml:space="preserve">${words}${end}</w:t>${behind}`, properties),
  );
const indent = fc
  .tuple(fc.constantFrom(200, 500, 920), fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(0, 0, 360, -200))
  .map(([left, right, first]) => {
    const begin = first < 0 ? `w:hanging="${-first}"` : `w:firstLine="${first}"`;
    return `<w:ind w:left="${left}" w:right="${right}" ${begin}/>`;
  });

/** A paragraph with runs in all combinable formats, for a version of Word. */
export const paragraphsInAllFormats: fc.Arbitrary<DocxInput> = fc
  .tuple(
    joined([
      half('<w:tabs><w:tab w:val="center" w:pos="4000"/><w:tab w:val="right" w:leader="dot" w:pos="8000"/></w:tabs>'),
      half(
        word.spaced(120, 60, 276),
        '<w:spacing w:line="300" w:lineRule="exact"/>',
        '<w:spacing w:line="360" w:lineRule="atLeast"/>',
        '<w:spacing w:line="259" w:lineRule="auto"/>',
      ),
      indent,
      fc.constantFrom('left', 'both', 'both', 'right', 'center').map(word.aligned),
    ]),
    several(endedRun, 4),
    fc.constantFrom(12, 14, 15, 15),
  )
  .map(([properties, runs, version]) => word.forWord(word.paragraph(runs, properties), version));

const plainDocument = (body: string, family: string, more = ''): DocxInput =>
  word.document(body, { styles: word.styles({ run: word.font(family) + more }) });

/** Many of these letters have ligatures or are kerned. */
const letters = [...'fitlTtyVAWof', ...'abcdeghnrsuABCDR012.,-('].join(' ');
const partOfWord = fc
  .record({
    format: perhaps(1, '<w:b/>', '<w:i/>', word.size(30), '<w:color w:val="C00000"/>', '<w:noProof/>'),
    text: wordsOf(4, letters).map((text) => text.replaceAll(' ', '')),
    space: fc.constantFrom('', '', ' '),
  })
  .map(({ format, text, space }) => word.run(text + space, format));

/** A document of words that continue in other runs. */
export const brokenWords: fc.Arbitrary<DocxInput> = fc
  .record({
    family: fc.constantFrom('Carlito', 'Liberation Sans', 'Liberation Serif', 'Caladea', 'DejaVu Sans'),
    kern: perhaps(2, '<w:kern w:val="2"/>'),
    body: several(
      several(partOfWord, 3, 2).map((runs) => word.paragraph(runs)),
      3,
    ),
  })
  .map(({ family, kern, body }) => plainDocument(body, family, kern));

const underlined = fc
  .record({
    kind: fc.constantFrom('double', 'double', 'single', 'none'),
    own: perhaps(1, '<w:b/>', '<w:i/>', '<w:strike/>', '<w:color w:val="C00000"/>'),
    halfPoints: fc.integer({ min: 12, max: 72 }),
    text: fc.constantFrom('Total', 'Total amount', '12,345.67', 'payable within 30 days'),
  })
  .map(({ kind, own, halfPoints, text }) =>
    word.paragraph(word.run(text, `${own}${word.size(halfPoints)}<w:u w:val="${kind}"/>`)),
  );

/** A document of underlined words. */
export const underlinedWords: fc.Arbitrary<DocxInput> = fc
  .record({
    family: fc.constantFrom('Carlito', 'Liberation Sans', 'Liberation Serif', 'Caladea'),
    body: several(underlined, 8),
  })
  .map(({ family, body }) => plainDocument(body, family));

/** Documents with the styles and settings with which Word begins a new one. */

const businessWords =
  'the of and agreement between parties shall be governed by delivery invoice payment within 30 days 10 % EUR 1,234.56 +49 (0)30 1234-567 E-Mail-Adresse § 5 “text”, … -5 « x » (see (a), (b)) 50%-off No.5 e.g., 2026-11-25 25.11.2026 info@example.com www.example.com Ltd. Inc., a / b well-known';
const rarely = (...values: readonly string[]): fc.Arbitrary<string> => perhaps(3, ...values);
const wordRun = (most: number): fc.Arbitrary<string> =>
  formattedRun(
    joined([
      rarely('<w:b/>', '<w:i/>'),
      rarely('<w:caps/>'),
      rarely('<w:color w:val="C00000"/>'),
      rarely(word.size(18), word.size(28)),
    ]),
    wordsOf(most, businessWords),
    fc.constant(' '),
  );
const wordRuns = (most: number): fc.Arbitrary<string> => several(wordRun(most), 3);
const styled = ['Heading1', 'Heading2', 'NoSpacing'].map((style) => `<w:pStyle w:val="${style}"/>`);
const listed = [1, 2].map(
  (list) =>
    `<w:pStyle w:val="ListParagraph"/><w:numPr><w:ilvl w:val="${list - 1}"/><w:numId w:val="${list}"/></w:numPr>`,
);
const wordSpacing = rarely(
  word.spaced(120, 0),
  '<w:spacing w:line="360" w:lineRule="auto"/>',
  '<w:spacing w:after="240" w:line="276" w:lineRule="auto"/>',
);
const inParagraph = (properties: readonly fc.Arbitrary<string>[], runs: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(joined(properties), runs).map(([all, content]) => word.paragraph(content, all));
const textParagraph = (most: number): fc.Arbitrary<string> =>
  inParagraph(
    [rarely(...styled), rarely('<w:keepNext/>'), wordSpacing, rarely(...['both', 'right', 'center'].map(word.aligned))],
    wordRuns(most),
  );
const listParagraph = (most: number): fc.Arbitrary<string> =>
  inParagraph([fc.constantFrom(...listed), wordSpacing], wordRuns(most));
const tabbedParagraph = fc
  .tuple(fc.constantFrom('left', 'right', 'center'), fc.integer({ min: 4_000, max: 8_500 }), wordRuns(3), wordRun(2))
  .map(([kind, position, before, behind]) =>
    word.paragraph(before + word.tab + behind, `<w:tabs><w:tab w:val="${kind}" w:pos="${position}"/></w:tabs>`),
  );
const wordCell = (width: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      rarely('<w:shd w:val="clear" w:color="auto" w:fill="D9E2F3"/>'),
      rarely('<w:vAlign w:val="center"/>', '<w:vAlign w:val="bottom"/>'),
      several(fc.oneof(textParagraph(6), listParagraph(6)), 2),
    )
    .map(([shading, alignment, content]) => word.cell(width, content, shading + alignment));
const wordTable = fc.constantFrom([3_005, 3_005, 3_006], [1_500, 5_016, 2_500], [4_508, 4_508]).chain((widths) =>
  fc
    .tuple(
      rarely('<w:tblHeader/>', '<w:cantSplit/>'),
      fc.array(fc.tuple(...widths.map(wordCell)), { minLength: 1, maxLength: 6 }),
    )
    .map(([first, rows]) => {
      const width = widths.reduce((sum, one) => sum + one, 0);
      const properties = `<w:tblStyle w:val="TableGrid"/>${word.width(width)}<w:tblLook w:val="04A0"/>`;
      return `${word.table(
        widths,
        rows.map((cells, index) => word.row(cells, index === 0 ? first : '')),
        properties,
      )}<w:p/>`;
    }),
);

const headingStyle = (level: number, before: number, halfPoints: number): string =>
  word
    .style(`Heading${level}`, {
      name: `heading ${level}`,
      basedOn: 'Normal',
      paragraph: `<w:keepNext/><w:keepLines/><w:spacing w:before="${before}" w:after="0"/><w:outlineLvl w:val="${level - 1}"/>`,
      run: `<w:color w:val="2F5496"/>${word.size(halfPoints)}`,
    })
    .replace('<w:pPr>', '<w:next w:val="Normal"/><w:pPr>');
const tightLines = '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>';
const wordStyles = (family: string): string =>
  word.styles(
    {
      run: `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:cs="${family}"/>${word.size(22)}<w:szCs w:val="22"/><w:lang w:val="en-GB"/>`,
      paragraph: '<w:spacing w:after="160" w:line="259" w:lineRule="auto"/>',
    },
    word.normal(),
    '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>',
    word.style('TableGrid', {
      type: 'table',
      name: 'Table Grid',
      basedOn: 'TableNormal',
      paragraph: tightLines,
      more: `<w:tblPr><w:tblBorders>${word.borders(word.allSides, 4, 'auto')}</w:tblBorders></w:tblPr>`,
    }),
    headingStyle(1, 240, 32),
    headingStyle(2, 40, 26),
    word.style('NoSpacing', { name: 'No Spacing', paragraph: tightLines }),
    word.style('ListParagraph', {
      name: 'List Paragraph',
      basedOn: 'Normal',
      paragraph: '<w:ind w:left="720"/><w:contextualSpacing/>',
    }),
  );
const twoLevels = (kind: string, labelOf: (level: number) => string): string[] =>
  [1, 2].map((level) =>
    word.level(level - 1, kind, labelOf(level), 360).replace(/w:left="\d+"/, `w:left="${720 * level}"`),
  );

/** Text, headings, lists, tabs and tables as Word writes them, with a header and page numbers. */
export const documentsOfWord: fc.Arbitrary<DocxInput> = fc
  .record({
    blocks: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: textParagraph(30) },
        { weight: 2, arbitrary: listParagraph(30) },
        { weight: 2, arbitrary: tabbedParagraph },
        { weight: 2, arbitrary: wordTable },
      ),
      { minLength: 2, maxLength: 20, size: 'max' },
    ),
    last: textParagraph(3),
    family: fc.constantFrom('Carlito', 'Carlito', 'Liberation Sans', 'Liberation Serif'),
    version: fc.constantFrom(14, 15, 15, 15),
  })
  .map(({ blocks, last, family, version }) => ({
    ...word.document(blocks.join('') + last, {
      styles: wordStyles(family),
      numbering: word.lists(
        twoLevels('bullet', () => '•'),
        twoLevels('decimal', (level) => `%${level}.`),
      ),
      settings: `<w:defaultTabStop w:val="720"/><w:characterSpacingControl w:val="doNotCompress"/>${word.compatibility(version)}`,
    }),
    section:
      '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/><w:cols w:space="708"/><w:docGrid w:linePitch="360"/>',
    headers: [word.paragraph('Acme Ltd.', word.aligned('right'))],
    footers: [word.paragraph(word.run('Page ') + word.field('PAGE'), word.aligned('center'))],
  }));

/** Spaces at which a line must not end. */

const special = ['\u00a0', '\u00a0', '\u202f', '\u00a0 ', ' \u00a0', '\u00a0\u00a0'];
/** Most of them are spaces at which a line may end. */
const spaces = fc.integer({ min: 0, max: 19 }).map((place) => special[place] ?? ' ');
const keptWords =
  '12,50 € 1\u202f234,56 100,- 5€ z. B. § 5 Abs. 3 « bonjour » Quoi ? ! : 10 % Dr. Müller Ltd. agreement delivery of the between parties (a) 25. November 2026 Te AWAY';
const keptFormat = perhaps(
  3,
  ...['<w:b/>', '<w:i/>', '<w:u w:val="single"/>', '<w:strike/>', word.size(28), '<w:caps/>'],
  ...[word.shaded('DFD8E8'), '<w:spacing w:val="20"/>', '<w:vertAlign w:val="superscript"/>'],
);
const keptRun = fc
  .tuple(
    keptFormat,
    fc.constantFrom('', '', '', ' '),
    several(
      fc.tuple(fc.constantFrom(...keptWords.split(' ')), spaces).map((parts) => parts.join('')),
      24,
    ),
    fc.constantFrom(' ', ' ', ' ', '\u00a0', '', ''),
  )
  .map(([properties, before, own, after]) => word.run(before + own.trimEnd() + after, properties));
/** Tabs at the left, in the middle and at the right of a line. */
const threeTabs = fc
  .constantFrom('center', 'center', 'decimal')
  .map(
    (middle) =>
      `<w:tabs><w:tab w:val="left" w:pos="2000"/><w:tab w:val="${middle}" w:pos="4500"/><w:tab w:val="right" w:pos="9000"/></w:tabs>`,
  );
const amounts = fc.array(
  fc.constantFrom(
    ...[
      '12,50\u00a0€',
      '1\u202f234,56\u00a0€',
      '\u00a05',
      '10\u00a0%',
      'plain',
      '1\u00a0234.50\u00a0USD',
      '€\u00a01,234.50',
    ],
  ),
  { minLength: 1, maxLength: 3 },
);
const sumLine = fc.tuple(threeTabs, amounts).map(([stops, all]) => {
  const texts = all.map((one) => `<w:tab/><w:t xml:space="preserve">${one}</w:t>`);
  return word.paragraph(word.run(`<w:t>Sum</w:t>${texts.join('')}`), stops);
});
const anyAlignment = fc.constantFrom('left', 'left', 'both', 'right', 'center').map(word.aligned);
const keptParagraph = inParagraph(
  [
    fc.integer({ min: 0, max: 7_000 }).map((right) => `<w:ind w:right="${right}"/>`),
    anyAlignment,
    perhaps(3, '<w:outlineLvl w:val="0"/>'),
  ],
  several(keptRun, 3),
);
const amountCell = fc
  .tuple(anyAlignment, amounts)
  .map(([properties, all]) => word.cell(2300, word.paragraph(all.join(' '), properties)));
const amountTable = fc
  .array(fc.tuple(amountCell, amountCell, amountCell, amountCell), { minLength: 1, maxLength: 3 })
  .map((rows) => {
    const all = rows.map((cells) => word.row(cells));
    return `${word.table([2300, 2300, 2300, 2300], all)}<w:p/>`;
  });

/** No-break spaces as in amounts, dates and French punctuation. */
export const noBreakSpaces: fc.Arbitrary<DocxInput> = fc
  .tuple(several(fc.oneof(keptParagraph, keptParagraph, sumLine, amountTable), 3), fc.constantFrom(12, 14, 15, 15))
  .map(([body, version]) => word.forWord(body, version));
