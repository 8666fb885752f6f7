import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import { picturesInLines } from './generated-pages.ts';

/** Documents whose paragraphs leave the space above and below them to the program. */

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const words = 'lorem ipsum dolor sit amet VAT Te AWAY total 12,345.67 item price'.split(' ');
const textOf = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...words), { maxLength: most }).map((all) => all.join(' '));

const side = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', '', '', ...[0, 40, 100, 400, 700].map((space) => ` w:${name}="${space}"`)),
      fc.constantFrom('', '', ` w:${name}Autospacing="1"`, ` w:${name}Autospacing="1"`),
    )
    .map((parts) => parts.join(''));
const spacing = fc.tuple(side('before'), side('after')).map((sides) => `<w:spacing${sides.join('')}/>`);

const paragraph = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', '', '<w:pStyle w:val="Web"/>', '<w:pStyle w:val="Sub"/>'),
      fc.oneof(fc.constant(''), spacing),
      fc.constantFrom('', '', '', '<w:contextualSpacing/>'),
      textOf(most),
    )
    .map(
      ([style, own, context, text]) =>
        `<w:p><w:pPr>${style}${own}${context}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`,
    );

const cell = fc
  .array(paragraph(6), { minLength: 1, maxLength: 3 })
  .map((content) => `<w:tc><w:tcPr><w:tcW w:w="2200" w:type="dxa"/></w:tcPr>${content.join('')}</w:tc>`);
const table = fc
  .array(cell, { minLength: 2, maxLength: 4 })
  .map(
    (cells) =>
      `<w:tbl><w:tblPr><w:tblW w:w="${cells.length * 2_200}" w:type="dxa"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2200"/>'.repeat(cells.length)}</w:tblGrid><w:tr>${cells.join('')}</w:tr></w:tbl>`,
  );

const stylesOf = (web: string, sub: string): string =>
  `<w:styles xmlns:w="${wordNamespace}"><w:docDefaults><w:rPrDefault/><w:pPrDefault><w:pPr><w:spacing w:after="160"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Web"><w:name w:val="Normal (Web)"/><w:basedOn w:val="Normal"/><w:pPr>${web}</w:pPr></w:style><w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Sub"/><w:basedOn w:val="Web"/><w:pPr>${sub}</w:pPr></w:style></w:styles>`;

/** A document of paragraphs and tables, for several versions of Word, with and without its own rule for such space. */
export const automaticSpacing: fc.Arbitrary<DocxInput> = fc
  .record({
    web: spacing,
    sub: spacing,
    isOwnRule: fc.boolean(),
    version: fc.constantFrom(12, 14, 15),
    parts: fc.array(fc.tuple(fc.oneof(fc.constant(''), table), paragraph(20)), { minLength: 1, maxLength: 5 }),
    last: paragraph(4),
  })
  .map(({ web, sub, isOwnRule, version, parts, last }) => ({
    body: parts.flat().join('') + last,
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
    parts: {
      'word/styles.xml': stylesOf(web, sub),
      'word/settings.xml': `<w:settings xmlns:w="${wordNamespace}"><w:compat>${isOwnRule ? '<w:doNotUseHTMLParagraphAutoSpacing/>' : ''}<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat></w:settings>`,
    },
  }));

const sizedRun = fc
  .tuple(
    fc.constantFrom(16, 20, 22, 22, 22, 28, 40),
    fc.constantFrom('', '', '', 'Liberation Serif', 'Carlito', 'DejaVu Sans'),
    fc.constantFrom('', '', '', '<w:b/>', '<w:vertAlign w:val="superscript"/>'),
    textOf(14),
    fc.constantFrom(' ', ' ', ' ', '', '</w:t><w:br/><w:t>'),
  )
  .map(([size, family, own, text, end]) => {
    const font = family === '' ? '' : `<w:rFonts w:ascii="${family}" w:hAnsi="${family}"/>`;
    return `<w:r><w:rPr>${font}${own}<w:sz w:val="${size}"/></w:rPr><w:t xml:space="preserve">${text}${end}</w:t></w:r>`;
  });

const spacedParagraph = fc
  .tuple(
    fc.constantFrom('', '', '<w:jc w:val="both"/>', '<w:jc w:val="right"/>'),
    fc.constantFrom('240', '259', '259', '276', '360', '480'),
    fc.constantFrom('0', '160'),
    fc.array(sizedRun, { minLength: 1, maxLength: 6 }),
  )
  .map(
    ([alignment, line, after, runs]) =>
      `<w:p><w:pPr><w:spacing w:after="${after}" w:line="${line}" w:lineRule="auto"/>${alignment}</w:pPr>${runs.join('')}</w:p>`,
  );

/** Text of several heights with space between its lines, over page ends and in cells. */
export const spacedHeights: fc.Arbitrary<DocxInput> = fc
  .record({
    version: fc.constantFrom(12, 15, 15),
    paragraphs: fc.array(spacedParagraph, { minLength: 1, maxLength: 12 }),
    inCell: fc.array(spacedParagraph, { maxLength: 2 }),
  })
  .map(({ version, paragraphs, inCell }) => ({
    body: `${paragraphs.join('')}${
      inCell.length === 0
        ? ''
        : `<w:tbl><w:tblPr><w:tblW w:w="4000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>${inCell.join('')}</w:tc></w:tr></w:tbl>`
    }<w:p><w:r><w:t>end</w:t></w:r></w:p>`,
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
    parts: {
      'word/styles.xml': stylesOf('', ''),
      'word/settings.xml': `<w:settings xmlns:w="${wordNamespace}"><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat></w:settings>`,
    },
  }));

/** Pictures among words, with space between their lines. */
export const spacedPictures: fc.Arbitrary<DocxInput> = fc
  .tuple(picturesInLines, fc.constantFrom(259, 276, 360, 480))
  .map(([{ body = '', ...input }, line]) => ({
    ...input,
    body: body.replaceAll('<w:pPr><w:jc', `<w:pPr><w:spacing w:line="${line}" w:lineRule="auto"/><w:jc`),
  }));
