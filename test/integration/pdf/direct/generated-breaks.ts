import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const styles = `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Sans" w:hAnsi="Liberation Sans"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Chapter"><w:name w:val="Chapter"/><w:basedOn w:val="Normal"/><w:pPr><w:pageBreakBefore/><w:spacing w:before="360" w:after="40"/></w:pPr></w:style></w:styles>`;
const mode = (version: number): string =>
  `<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/>`;
const section =
  '<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr>';
const table =
  '<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>';

/** A paragraph that may begin a page, and what its text is: none, or with a page break before, between or behind its words. */
const paragraph = fc
  .record({
    properties: fc.array(
      fc.constantFrom('<w:pStyle w:val="Chapter"/>', '<w:pageBreakBefore/>', '<w:contextualSpacing/>'),
      { maxLength: 1 },
    ),
    before: fc.constantFrom('', 'w:before="0"', 'w:before="100"', 'w:before="500"'),
    after: fc.constantFrom('', 'w:after="0"', 'w:after="300"'),
    content: fc.constantFrom('<w:t>text</w:t>', '<w:t>text</w:t>', '', '<w:br w:type="page"/><w:t>text</w:t>'),
    behind: fc.constantFrom('', '', '<w:br w:type="page"/>', '<w:br w:type="page"/><w:t>more</w:t>'),
    endsSection: fc.constantFrom('', '', section),
  })
  .map(({ properties, before, after, content, behind, endsSection }) => {
    const spacing = before === '' && after === '' ? '' : `<w:spacing ${before} ${after}/>`;
    const run = content === '' ? '' : `<w:r>${content}${behind}</w:r>`;
    return `<w:p><w:pPr>${properties.join('')}${spacing}${endsSection}</w:pPr>${run}</w:p>`;
  });

/** A document whose paragraphs begin pages in all ways, with spaces above and below them. */
export const brokenPages: fc.Arbitrary<DocxInput> = fc
  .record({
    blocks: fc.array(fc.oneof({ weight: 4, arbitrary: paragraph }, { weight: 1, arbitrary: fc.constant(table) }), {
      minLength: 2,
      maxLength: 6,
    }),
    version: fc.constantFrom('', mode(12), mode(14), mode(15), mode(15)),
    addsSpaces: fc.boolean(),
    protection: fc.constantFrom('', '', '<w:documentProtection w:edit="forms" w:enforcement="1"/>'),
  })
  .map(({ blocks, version, addsSpaces, protection }) => ({
    body: `${blocks.join('')}<w:p><w:r><w:t>end</w:t></w:r></w:p>`,
    parts: {
      'word/styles.xml': styles,
      'word/settings.xml': `<w:settings xmlns:w="${word}">${protection}<w:compat>${addsSpaces ? '<w:doNotUseHTMLParagraphAutoSpacing/>' : ''}${version}</w:compat></w:settings>`,
    },
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
  }));
