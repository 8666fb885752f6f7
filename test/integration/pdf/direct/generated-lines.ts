import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import { plannedDocument } from '../../../support/documents/planned-documents.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { formattedRun, joined, perhaps, several, wordsOf } from './generated-words.ts';

/** The alignment of lines, their ends, and the space between them. */

const { paragraph, run } = word;
const vocabulary =
  'the quick brown fox of a in to and Agreement between Parties shall be governed by (hereinafter “Supplier”) well-known 12,345.67 No. VAT obligations, including confidentiality; notwithstanding I WWW';

const ended = (most: number): fc.Arbitrary<string> =>
  fc.tuple(wordsOf(most, vocabulary), fc.constantFrom('', ' ', ' ', '  ')).map((parts) => parts.join(''));
const runProperties = joined([
  ...['<w:b/>', '<w:i/>', '<w:color w:val="AA0000"/>', word.size(18)].map((property) => perhaps(3, property)),
  perhaps(4, '<w:spacing w:val="6"/>', '<w:vertAlign w:val="superscript"/>'),
]);
const anyRun = (most: number): fc.Arbitrary<string> => formattedRun(runProperties, ended(most));

const indents = fc
  .tuple(
    fc.constantFrom(0, 0, 360, 720),
    fc.integer({ min: 0, max: 4000 }),
    perhaps(1, 'w:firstLine="360"', 'w:hanging="360"'),
  )
  .map(([left, right, first]) => `<w:ind w:left="${left}" w:right="${right}" ${first}/>`);

/** Settings of a document without a version of Word, or with one. */
const settings = fc
  .tuple(fc.constantFrom(undefined, 12, 14, 15, 15, 15), perhaps(1, '<w:doNotExpandShiftReturn/>'))
  .map(([version, options]) => `<w:defaultTabStop w:val="720"/>${word.compatibility(version, options)}`);
const styles = fc
  .tuple(
    fc.constantFrom('Liberation Sans', 'Liberation Serif', 'Carlito', 'Caladea'),
    fc.constantFrom(18, 20, 21, 22, 24),
  )
  .map(([family, halfPoints]) => word.styles({ run: word.font(family) + word.size(halfPoints) }));
const documentsOf = (paragraphs: fc.Arbitrary<string>, most: number): fc.Arbitrary<DocxInput> =>
  fc
    .tuple(several(paragraphs, most), styles, settings)
    .map(([body, ownStyles, ownSettings]) => word.document(body, { styles: ownStyles, settings: ownSettings }));

/** Paragraphs in several formats with aligned lines. */
export const alignedParagraphs = documentsOf(
  fc
    .tuple(
      indents,
      fc.constantFrom('both', 'both', 'center', 'right', 'left'),
      several(joined([anyRun(25), perhaps(3, word.lineBreak)]), 4),
    )
    .map(([indent, alignment, runs]) => paragraph(runs, indent + word.aligned(alignment))),
  4,
);

/** Tabs that are filled with characters, as in tables of contents and in forms to fill in. */
export const filledTabs = documentsOf(
  fc
    .tuple(
      fc.constantFrom('dot', 'dot', 'underscore', 'hyphen', 'middleDot', 'heavy', 'none'),
      fc.constantFrom('left', 'right', 'right', 'center'),
      fc.integer({ min: 600, max: 9026 }),
      fc.constantFrom('left', 'left', 'left', 'left', 'both', 'right'),
      fc.tuple(runProperties, ended(6), runProperties, ended(2)),
      perhaps(1, '<w:b/>', word.size(18), '<w:color w:val="AA0000"/>', '<w:kern w:val="2"/>'),
    )
    .map(([leader, stop, position, alignment, [before, text, behind, number], own]) =>
      paragraph(
        run(text, before) + run('<w:tab/>', own) + run(number, behind),
        `<w:tabs><w:tab w:val="${stop}" w:leader="${leader}" w:pos="${position}"/></w:tabs>${word.aligned(alignment)}`,
      ),
    ),
  4,
);

const number = joined([
  fc.constantFrom('1', '12', '1,234', '-7', '(12', '', 'No', '€ 12', 'about 12'),
  fc.constantFrom('.', '.', '.', ',', ''),
  fc.constantFrom('5', '50', '505', '50 €', '', '50 and 7.5 more', '50)'),
]);

/** Lines like those of price lists. */
const decimalLine = fc
  .tuple(
    fc.constantFrom('none', 'none', 'dot'),
    fc.tuple(fc.integer({ min: 1200, max: 4500 }), fc.integer({ min: 5000, max: 8200 })),
    fc.constantFrom('decimal', 'decimal', 'left', 'right'),
    fc.tuple(runProperties, ended(2), runProperties, number, number),
    fc.boolean(),
  )
  .map(([leader, [first, second], kind, [before, text, behind, one, other], isDivided]) => {
    const divided = isDivided ? run('.75', '<w:b/>') : '';
    return paragraph(
      run(text, before) + word.tab + run(one, behind) + divided + word.tab + run(other),
      `<w:tabs><w:tab w:val="decimal" w:leader="${leader}" w:pos="${first}"/><w:tab w:val="${kind}" w:pos="${second}"/></w:tabs>`,
    );
  });

/** Tabs that align numbers at their decimal points, or at commas if the settings of the document say so. */
export const decimalTabs: fc.Arbitrary<DocxInput> = fc
  .tuple(several(decimalLine, 4), styles, settings, perhaps(1, 'de-DE', 'en-GB'))
  .map(([body, ownStyles, ownSettings, language]) => {
    const commas = language === 'de-DE' ? '<w:decimalSymbol w:val=","/><w:listSeparator w:val=";"/>' : '';
    const named = language === '' ? '' : `<w:lang w:val="${language}"/>`;
    return word.document(body, {
      styles: ownStyles.replace('</w:rPr>', `${named}</w:rPr>`),
      settings: ownSettings + commas,
    });
  });

/** Paragraphs with space between their characters. */
export const spacedLines = documentsOf(
  fc
    .tuple(
      fc.constantFrom('left', 'center', 'right', 'both', 'both'),
      several(
        fc
          .record({
            spacing: fc.constantFrom(-20, -10, -4, 0, 0, 4, 10, 20, 40, 60),
            size: fc.constantFrom(18, 22, 30),
            text: ended(4),
          })
          .map(({ spacing, size, text }) => run(text, `<w:spacing w:val="${spacing}"/>${word.size(size)}`)),
        8,
      ),
    )
    .map(([alignment, runs]) => paragraph(runs, word.aligned(alignment))),
  6,
);

const version = fc.constantFrom(12, 14, 15, 15);
const longAddress = 'https://example.com/path?x=1';
const settingsPart = 'word/settings.xml';

/**
 * Documents of paragraphs, lists, tabs, tables, headers and footers. Most begin no paragraph with an address that is
 * longer than its line.
 */
export const mixtures: fc.Arbitrary<DocxInput> = fc
  .tuple(plannedDocument, version, fc.constantFrom(longAddress, 'example.com', 'example.com'))
  .map(([{ input }, mode, address]) => ({
    ...input,
    body: (input.body ?? '').replaceAll(longAddress, address),
    parts: {
      ...input.parts,
      [settingsPart]: String(input.parts?.[settingsPart]).replace(
        '</w:settings>',
        `${word.compatibility(mode)}</w:settings>`,
      ),
    },
  }));

const rightIndent = (most: number) => fc.integer({ min: 0, max: most }).map((right) => `<w:ind w:right="${right}"/>`);
const someAlignment = fc.constantFrom('left', 'left', 'both', 'right').map(word.aligned);
const endOfRun = fc.constantFrom(' ', ' ', '');
const slashes =
  'the of agreement the of between parties shall be governed by 12 each one and/or well-known well-known/unknown a-b/c x/y-z 10/12/2026 https://example.com/path?x=1 https://www.example-company.com/documents/2026/agreements/general-terms.html#section-4 www.example.com/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/0/1/2/3 e-mail (a/b) km/h w/o foo/ /bar info@example.com 50%/60% [1]/[2] a–b/c €5/day “quoted/text” n/a I/O';
const slashRun = fc
  .tuple(wordsOf(14, slashes), perhaps(3, '<w:b/>', '<w:i/>'), endOfRun)
  .map(([text, format, end]) => run(text + end, format));

/** Addresses, dates and other words with slashes at the ends of lines. */
export const addresses: fc.Arbitrary<DocxInput> = fc
  .tuple(
    several(
      fc
        .tuple(
          rightIndent(7_600),
          someAlignment,
          fc.array(slashRun, { minLength: 1, maxLength: 3 }),
          perhaps(2, word.lineBreak),
        )
        .map(([right, alignment, runs, between]) => paragraph(runs.join(between), right + alignment)),
      3,
    ),
    version,
  )
  .map(([body, mode]) => word.forWord(body, mode));

const businessWords =
  '10 % 1 234,56 € n° 12 S.A.R.L. A/S m² +49 (0)30 1234-567 E-Mail-Adresse Müller-Lüdenscheidt 100,- 12:30–14:00 § 5 Abs. z. B. & #1 C++ “text”, ‘x’ ... … !? $1,000.00 -5 °C ±3 × ½ « bonjour » l’année d’accord ¿Qué? „Zitat“ »Zitat« \'quoted\' "straight" (see (a), (b)) [1] {x} a=b x|y 50%-off US$5 £10 ¥100 5€ 10kg 3x4 No.5 e.g., i.e. etc.) (etc. –5 — word—word word–word word - word 1. 2) iii) • · † © Ltd. Inc., GmbH Co. KG 2026-11-25 25.11.2026 10:30 a.m. www.example.com info@example.com IBAN DE89 3704 0044 VAT-ID: Tel.: +1-555-0100 pre- and mother-in-law’s rock’n’roll 10%-20% $5-$10 (1)-(2) .5 : ; ! ? ) COVID-19 A4-5 5-6-7 agreement delivery';
const businessRun = fc
  .tuple(
    wordsOf(30, businessWords.replaceAll('&', '&amp;')),
    perhaps(3, '<w:b/>', '<w:lang w:val="de-DE"/>', '<w:lang w:val="fr-FR"/>'),
    endOfRun,
  )
  .map(([text, format, end]) => run(text + end, format));

/** Numbers, dates, punctuation and abbreviations, as in letters and invoices, at the ends of lines. */
export const businessText: fc.Arbitrary<DocxInput> = fc
  .tuple(
    several(
      fc
        .tuple(rightIndent(7_000), someAlignment, several(businessRun, 2))
        .map(([right, alignment, runs]) => paragraph(runs, right + alignment)),
      3,
    ),
    version,
    fc.constantFrom('Carlito', 'Liberation Sans', 'Liberation Serif', 'Caladea'),
    perhaps(1, ...['de-DE', 'fr-FR', 'en-US'].map((language) => `<w:lang w:val="${language}"/>`)),
  )
  .map(([body, mode, family, language]) =>
    word.forWord(body, mode, word.styles({ run: word.font(family) + language })),
  );

/** The space above and below paragraphs, which some leave to the program, and between lines. */

const anyText = (most: number): fc.Arbitrary<string> => wordsOf(most, undefined, 0);
const side = (name: string): fc.Arbitrary<string> =>
  joined([
    perhaps(3, ...[0, 40, 100, 400, 700].map((space) => ` w:${name}="${space}"`)),
    perhaps(2, ` w:${name}Autospacing="1"`, ` w:${name}Autospacing="1"`),
  ]);
const spacing = joined([side('before'), side('after')]).map((sides) => `<w:spacing${sides}/>`);
const webParagraph = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      perhaps(2, '<w:pStyle w:val="Web"/>', '<w:pStyle w:val="Sub"/>'),
      fc.oneof(fc.constant(''), spacing),
      perhaps(3, '<w:contextualSpacing/>'),
      anyText(most),
    )
    .map(([style, own, context, text]) => paragraph(run(text), style + own + context));
const webCell = several(webParagraph(6), 3).map((content) => word.cell(2200, content));
const webTable = fc.array(webCell, { minLength: 2, maxLength: 4 }).map((cells) => {
  const columns = cells.map(() => 2200);
  return word.table(columns, [word.row(cells)], word.width(cells.length * 2200));
});
const webStyles = (web: string, sub: string): string =>
  word.styles(
    { paragraph: '<w:spacing w:after="160"/>' },
    word.normal(),
    word.style('Web', { name: 'Normal (Web)', basedOn: 'Normal', paragraph: web }),
    word.style('Sub', { basedOn: 'Web', paragraph: sub }),
  );

/** A document of paragraphs and tables, for several versions of Word, with and without its own rule for such space. */
export const automaticSpacing: fc.Arbitrary<DocxInput> = fc
  .record({
    web: spacing,
    sub: spacing,
    isOwnRule: fc.boolean(),
    version: fc.constantFrom(12, 14, 15),
    parts: several(joined([fc.oneof(fc.constant(''), webTable), webParagraph(20)]), 5),
    last: webParagraph(4),
  })
  .map(({ web, sub, isOwnRule, version: mode, parts, last }) =>
    word.document(parts + last, {
      styles: webStyles(web, sub),
      settings: word.compatibility(mode, isOwnRule ? '<w:doNotUseHTMLParagraphAutoSpacing/>' : ''),
    }),
  );

const sizedRun = fc
  .tuple(
    fc.constantFrom(16, 20, 22, 22, 22, 28, 40),
    perhaps(3, ...['Liberation Serif', 'Carlito', 'DejaVu Sans'].map(word.font)),
    perhaps(3, '<w:b/>', '<w:vertAlign w:val="superscript"/>'),
    anyText(14),
    fc.constantFrom(' ', ' ', ' ', '', '</w:t><w:br/><w:t>'),
  )
  .map(([size, font, own, text, end]) =>
    run(`<w:t xml:space="preserve">${text}${end}</w:t>`, font + own + word.size(size)),
  );
const spacedParagraph = fc
  .tuple(
    perhaps(2, word.aligned('both'), word.aligned('right')),
    fc.constantFrom('240', '259', '259', '276', '360', '480'),
    fc.constantFrom('0', '160'),
    several(sizedRun, 6),
  )
  .map(([alignment, line, after, runs]) =>
    paragraph(runs, `<w:spacing w:after="${after}" w:line="${line}" w:lineRule="auto"/>${alignment}`),
  );

/** Text in several sizes with space between its lines, over page ends and in cells. */
export const spacedHeights: fc.Arbitrary<DocxInput> = fc
  .record({
    version: fc.constantFrom(12, 15, 15),
    paragraphs: several(spacedParagraph, 12),
    inCell: several(spacedParagraph, 2, 0),
  })
  .map(({ version: mode, paragraphs, inCell }) => {
    const table = word.table([4000], [word.row([word.cell(4000, inCell)])], word.width(4000));
    return word.forWord(paragraphs + (inCell === '' ? '' : table) + paragraph('end'), mode, webStyles('', ''));
  });
