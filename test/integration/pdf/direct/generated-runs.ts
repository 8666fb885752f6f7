import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const fonts = ['Carlito', 'Liberation Sans', 'Liberation Serif', 'Caladea', 'DejaVu Sans'];
/** Many of them have ligatures or are kerned. */
const letters = [...'fitlTtyVAWof', ...'abcdeghnrsuABCDR012.,-('];

const run = fc
  .record({
    format: fc.constantFrom('', '<w:b/>', '<w:i/>', '<w:sz w:val="30"/>', '<w:color w:val="C00000"/>', '<w:noProof/>'),
    text: fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
    space: fc.constantFrom('', '', ' '),
  })
  .map(
    ({ format, text, space }) => `<w:r><w:rPr>${format}</w:rPr><w:t xml:space="preserve">${text}${space}</w:t></w:r>`,
  );

/** A document of words that go on in other runs. */
export const brokenWords: fc.Arbitrary<DocxInput> = fc
  .record({
    font: fc.constantFrom(...fonts),
    kern: fc.constantFrom('', '', '<w:kern w:val="2"/>'),
    paragraphs: fc.array(fc.array(run, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ font, kern, paragraphs }) => ({
    body: paragraphs.map((runs) => `<w:p>${runs.join('')}</w:p>`).join(''),
    parts: {
      'word/styles.xml': `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/>${kern}</w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>`,
    },
  }));

const underlinedRun = fc
  .record({
    kind: fc.constantFrom('double', 'double', 'single', 'none'),
    format: fc.constantFrom('', '<w:b/>', '<w:i/>', '<w:strike/>', '<w:color w:val="C00000"/>'),
    halfPoints: fc.integer({ min: 12, max: 72 }),
    text: fc.constantFrom('Total', 'Total amount', '12,345.67', 'payable within 30 days'),
  })
  .map(
    ({ kind, format, halfPoints, text }) =>
      `<w:r><w:rPr>${format}<w:sz w:val="${halfPoints}"/><w:u w:val="${kind}"/></w:rPr><w:t>${text}</w:t></w:r>`,
  );

/** A document of underlined words. */
export const underlinedWords: fc.Arbitrary<DocxInput> = fc
  .record({
    font: fc.constantFrom('Carlito', 'Liberation Sans', 'Liberation Serif', 'Caladea'),
    paragraphs: fc.array(underlinedRun, { minLength: 1, maxLength: 8 }),
  })
  .map(({ font, paragraphs }) => ({
    body: paragraphs.map((one) => `<w:p>${one}</w:p>`).join(''),
    parts: {
      'word/styles.xml': `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>`,
    },
  }));
