import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const vocabulary =
  'the quick brown fox of a in to and Agreement between Parties shall be governed by (hereinafter “Supplier”) well-known 12,345.67 No. VAT obligations, including confidentiality; notwithstanding I WWW';

const wordsOf = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...vocabulary.split(' ')), { minLength: 1, maxLength: most }),
      fc.constantFrom('', ' ', ' ', '  '),
    )
    .map(([words, end]) => words.join(' ') + end);

const toggle = (property: string): fc.Arbitrary<string> => fc.constantFrom('', '', '', property);

const runProperties = fc
  .tuple(
    ...['<w:b/>', '<w:i/>', '<w:color w:val="AA0000"/>', '<w:sz w:val="18"/>'].map(toggle),
    fc.constantFrom('', '', '', '', '<w:spacing w:val="6"/>', '<w:vertAlign w:val="superscript"/>'),
  )
  .map((properties) => properties.join(''));

const run = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(runProperties, wordsOf(most))
    .map(([properties, text]) => `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`);

const indents = fc
  .tuple(
    fc.constantFrom(0, 0, 360, 720),
    fc.integer({ min: 0, max: 4000 }),
    fc.constantFrom('', 'w:firstLine="360"', 'w:hanging="360"'),
  )
  .map(([left, right, first]) => `<w:ind w:left="${left}" w:right="${right}" ${first}/>`);

/** Settings of a document without a version of Word, or with one. */
const settings = fc
  .tuple(fc.constantFrom(undefined, 12, 14, 15, 15, 15), fc.constantFrom('', '<w:doNotExpandShiftReturn/>'))
  .map(([version, options]) => {
    const named =
      version === undefined
        ? ''
        : `<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/>`;
    return `<w:settings xmlns:w="${word}"><w:defaultTabStop w:val="720"/><w:compat>${options}${named}</w:compat></w:settings>`;
  });

const stylesOf = (family: string, halfPoints: number): string =>
  `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}"/><w:sz w:val="${halfPoints}"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>`;

const styles = fc
  .tuple(
    fc.constantFrom('Liberation Sans', 'Liberation Serif', 'Carlito', 'Caladea'),
    fc.constantFrom(18, 20, 21, 22, 24),
  )
  .map(([family, halfPoints]) => stylesOf(family, halfPoints));

function documentOf(paragraphs: readonly string[], ownStyles: string, ownSettings: string): DocxInput {
  return {
    body: paragraphs.join(''),
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
    parts: { 'word/styles.xml': ownStyles, 'word/settings.xml': ownSettings },
  };
}

const alignedParagraph = fc
  .tuple(
    indents,
    fc.constantFrom('both', 'both', 'center', 'right', 'left'),
    fc.array(fc.tuple(run(25), fc.constantFrom('', '', '', '<w:r><w:br/></w:r>')), { minLength: 1, maxLength: 4 }),
  )
  .map(
    ([indent, alignment, runs]) =>
      `<w:p><w:pPr>${indent}<w:jc w:val="${alignment}"/></w:pPr>${runs.flat().join('')}</w:p>`,
  );

/** Paragraphs of several formats whose lines are aligned. */
export const alignedParagraphs: fc.Arbitrary<DocxInput> = fc
  .tuple(fc.array(alignedParagraph, { minLength: 1, maxLength: 4 }), styles, settings)
  .map(([paragraphs, ownStyles, ownSettings]) => documentOf(paragraphs, ownStyles, ownSettings));

const tab = '<w:r><w:tab/></w:r>';

/** Lines as those of tables of contents and of forms to fill in. */
const filledLine = fc
  .tuple(
    fc.constantFrom('dot', 'dot', 'underscore', 'hyphen', 'middleDot', 'heavy', 'none'),
    fc.constantFrom('left', 'right', 'right', 'center'),
    fc.integer({ min: 600, max: 9026 }),
    fc.constantFrom('left', 'left', 'left', 'left', 'both', 'right'),
    fc.tuple(runProperties, wordsOf(6), runProperties, wordsOf(2)),
    fc.constantFrom('', '<w:b/>', '<w:sz w:val="18"/>', '<w:color w:val="AA0000"/>', '<w:kern w:val="2"/>'),
  )
  .map(
    ([leader, stop, position, alignment, [before, text, behind, number], own]) =>
      `<w:p><w:pPr><w:tabs><w:tab w:val="${stop}" w:leader="${leader}" w:pos="${position}"/></w:tabs><w:jc w:val="${alignment}"/></w:pPr><w:r><w:rPr>${before}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>${own === '' ? tab : `<w:r><w:rPr>${own}</w:rPr><w:tab/></w:r>`}<w:r><w:rPr>${behind}</w:rPr><w:t xml:space="preserve">${number}</w:t></w:r></w:p>`,
  );

/** Tabs that are filled with characters. */
export const filledTabs: fc.Arbitrary<DocxInput> = fc
  .tuple(fc.array(filledLine, { minLength: 1, maxLength: 4 }), styles, settings)
  .map(([paragraphs, ownStyles, ownSettings]) => documentOf(paragraphs, ownStyles, ownSettings));

const number = fc
  .tuple(
    fc.constantFrom('1', '12', '1,234', '-7', '(12', '', 'No', '€ 12', 'about 12'),
    fc.constantFrom('.', '.', '.', ',', ''),
    fc.constantFrom('5', '50', '505', '50 €', '', '50 and 7.5 more', '50)'),
  )
  .map((parts) => parts.join(''));

/** Lines as those of price lists. */
const decimalLine = fc
  .tuple(
    fc.constantFrom('none', 'none', 'dot'),
    fc.tuple(fc.integer({ min: 1200, max: 4500 }), fc.integer({ min: 5000, max: 8200 })),
    fc.constantFrom('decimal', 'decimal', 'left', 'right'),
    fc.tuple(runProperties, wordsOf(2), runProperties, number, number),
    fc.boolean(),
  )
  .map(
    ([leader, [first, second], kind, [before, text, behind, one, other], isDivided]) =>
      `<w:p><w:pPr><w:tabs><w:tab w:val="decimal" w:leader="${leader}" w:pos="${first}"/><w:tab w:val="${kind}" w:pos="${second}"/></w:tabs></w:pPr><w:r><w:rPr>${before}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>${tab}<w:r><w:rPr>${behind}</w:rPr><w:t xml:space="preserve">${one}</w:t></w:r>${isDivided ? '<w:r><w:rPr><w:b/></w:rPr><w:t>.75</w:t></w:r>' : ''}${tab}<w:r><w:t xml:space="preserve">${other}</w:t></w:r></w:p>`,
  );

/** Tabs at which decimal points stand below each other, whatever the document says about commas. */
export const decimalTabs: fc.Arbitrary<DocxInput> = fc
  .tuple(fc.array(decimalLine, { minLength: 1, maxLength: 4 }), styles, settings, fc.constantFrom('', 'de-DE', 'en-GB'))
  .map(([paragraphs, ownStyles, ownSettings, language]) =>
    documentOf(
      paragraphs,
      language === '' ? ownStyles : ownStyles.replace('</w:rPr>', `<w:lang w:val="${language}"/></w:rPr>`),
      language === 'de-DE'
        ? ownSettings.replace('</w:settings>', '<w:decimalSymbol w:val=","/><w:listSeparator w:val=";"/></w:settings>')
        : ownSettings,
    ),
  );

const spacedRun = fc
  .record({
    spacing: fc.constantFrom(-20, -10, -4, 0, 0, 4, 10, 20, 40, 60),
    size: fc.constantFrom(18, 22, 30),
    text: wordsOf(4),
  })
  .map(
    ({ spacing, size, text }) =>
      `<w:r><w:rPr><w:spacing w:val="${spacing}"/><w:sz w:val="${size}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`,
  );

const spacedParagraph = fc
  .tuple(
    fc.constantFrom('left', 'center', 'right', 'both', 'both'),
    fc.array(spacedRun, { minLength: 1, maxLength: 8 }),
  )
  .map(([alignment, runs]) => `<w:p><w:pPr><w:jc w:val="${alignment}"/></w:pPr>${runs.join('')}</w:p>`);

/** Paragraphs with space between their characters. */
export const spacedLines: fc.Arbitrary<DocxInput> = fc
  .tuple(fc.array(spacedParagraph, { minLength: 1, maxLength: 6 }), styles, settings)
  .map(([paragraphs, ownStyles, ownSettings]) => documentOf(paragraphs, ownStyles, ownSettings));
