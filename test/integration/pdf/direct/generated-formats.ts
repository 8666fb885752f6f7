import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

/** Words in all formats that are known, in paragraphs and cells. */

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const vocabulary =
  'the of and agreement between parties governed by within 30 days 10 % EUR 1,234.56 §5 “text”, (see (a), 2026-11-25 Ltd. a / b well-known naïve Ærø Łódź 5€ No.5';
const perhaps = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom('', '', '', '', ...values);

const run = fc
  .tuple(
    perhaps('<w:b/>', '<w:i/>', '<w:b/><w:i/>'),
    perhaps('<w:strike/>'),
    perhaps('<w:color w:val="1F4E79"/>'),
    perhaps('<w:sz w:val="20"/>'),
    perhaps('<w:highlight w:val="yellow"/>', '<w:shd w:val="clear" w:fill="FFE599"/>'),
    perhaps('<w:u w:val="single"/>'),
    fc.array(fc.constantFrom(...vocabulary.split(' ')), { minLength: 1, maxLength: 8 }),
    fc.constantFrom(' ', ' ', ' ', ''),
  )
  .map(([weight, strike, color, size, shading, line, words, end]) => {
    const format = `${weight}${strike}${color}${size}${shading}${line}`;
    return `<w:r><w:rPr>${format}</w:rPr><w:t xml:space="preserve">${words.join(' ')}${end}</w:t></w:r>`;
  });
const mark = perhaps(
  '<w:r><w:br/></w:r>',
  '<w:r><w:tab/></w:r>',
  '<w:bookmarkStart w:id="7" w:name="x"/><w:bookmarkEnd w:id="7"/>',
  '<w:proofErr w:type="spellStart"/>',
);

const paragraph = fc
  .tuple(
    perhaps('<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>'),
    perhaps('<w:shd w:val="clear" w:color="auto" w:fill="F2F2F2"/>'),
    perhaps(
      '<w:spacing w:before="120" w:after="0"/>',
      '<w:spacing w:line="300" w:lineRule="exact"/>',
      '<w:spacing w:line="400" w:lineRule="atLeast"/>',
    ),
    perhaps(
      '<w:ind w:left="720" w:hanging="720"/>',
      '<w:ind w:firstLine="360" w:right="1440"/>',
      '<w:ind w:left="284" w:hanging="284"/>',
    ),
    perhaps(...['both', 'right', 'center'].map((alignment) => `<w:jc w:val="${alignment}"/>`)),
    fc.array(fc.tuple(run, mark), { minLength: 1, maxLength: 4 }),
  )
  .map(([...parts]) => {
    const runs = parts.pop() as readonly (readonly string[])[];
    return `<w:p><w:pPr>${parts.join('')}</w:pPr>${runs.flat().join('')}</w:p>`;
  });
const cell = fc
  .array(paragraph, { minLength: 1, maxLength: 2 })
  .map((content) => `<w:tc><w:tcPr><w:tcW w:w="4508" w:type="dxa"/></w:tcPr>${content.join('')}</w:tc>`);
const table = fc
  .array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 })
  .map(
    (rows) =>
      `<w:tbl><w:tblPr><w:tblW w:w="9016" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="4508"/><w:gridCol w:w="4508"/></w:tblGrid>${rows.map((cells) => `<w:tr>${cells.join('')}</w:tr>`).join('')}</w:tbl><w:p/>`,
  );

/** Words that are bold, slanted, struck, coloured, shaded and underlined, with breaks, tabs and marks between them. */
export const formattedWords: fc.Arbitrary<DocxInput> = fc
  .record({
    blocks: fc.array(fc.oneof({ weight: 6, arbitrary: paragraph }, { weight: 1, arbitrary: table }), {
      minLength: 1,
      maxLength: 5,
    }),
    family: fc.constantFrom('Carlito', 'Liberation Sans', 'Liberation Serif'),
    version: fc.constantFrom(14, 15, 15),
  })
  .map(({ blocks, family, version }) => ({
    body: `${blocks.join('')}<w:p/>`,
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
    parts: {
      'word/styles.xml': `<w:styles xmlns:w="${wordNamespace}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>`,
      'word/settings.xml': `<w:settings xmlns:w="${wordNamespace}"><w:defaultTabStop w:val="720"/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat></w:settings>`,
    },
  }));
