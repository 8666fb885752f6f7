import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import { documentForWord } from './word-version.ts';

const vocabulary =
  'agreement delivery of the between parties shall be notwithstanding well-known 12,345.67 No. (a) “Supplier”) Te AWAY office first fi ffl 25.11.2026 10\u00a0% 12,50\u00a0€ e.g. obligations, and/or I';
const text = fc
  .array(fc.constantFrom(...vocabulary.split(' ')), { minLength: 1, maxLength: 16 })
  .map((words) => words.join(' '));

/** Half of the runs or more lack the property, so that most have few. */
const sometimes = (...properties: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom('', '', '', '', ...properties);
const seldom = (...properties: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom('', '', '', '', '', '', '', '', ...properties);

const format = fc
  .tuple(
    sometimes(
      '<w:rFonts w:ascii="Carlito" w:hAnsi="Carlito"/>',
      '<w:rFonts w:ascii="Liberation Serif" w:hAnsi="Liberation Serif"/>',
    ),
    sometimes('<w:b/>'),
    sometimes('<w:i/>'),
    sometimes('<w:caps/>'),
    sometimes('<w:strike/>'),
    sometimes('<w:color w:val="AA0000"/>'),
    seldom('<w:spacing w:val="10"/>', '<w:spacing w:val="-6"/>', '<w:spacing w:val="30"/>'),
    sometimes('<w:kern w:val="16"/>'),
    sometimes('<w:sz w:val="18"/>', '<w:sz w:val="28"/>'),
    seldom('<w:u w:val="single"/>', '<w:u w:val="double"/>'),
    sometimes('<w:shd w:val="clear" w:fill="DFD8E8"/>'),
  )
  .map((properties) => properties.join(''));

const run = fc
  .tuple(format, text, fc.constantFrom(' ', ' ', ' ', '', '  '), fc.constantFrom('', '', '', '', '<w:br/>', '<w:tab/>'))
  .map(
    ([properties, words, end, behind]) =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${words}${end}</w:t>${behind}</w:r>`,
  );

const indent = fc
  .tuple(fc.constantFrom(200, 500, 920), fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(0, 0, 360, -200))
  .map(
    ([left, right, first]) =>
      `<w:ind w:left="${left}" w:right="${right}" ${first < 0 ? `w:hanging="${-first}"` : `w:firstLine="${first}"`}/>`,
  );

const paragraph = fc
  .tuple(
    sometimes(
      '<w:tabs><w:tab w:val="center" w:pos="4000"/><w:tab w:val="right" w:leader="dot" w:pos="8000"/></w:tabs>',
    ),
    sometimes(
      '<w:spacing w:before="120" w:after="60" w:line="276" w:lineRule="auto"/>',
      '<w:spacing w:line="300" w:lineRule="exact"/>',
      '<w:spacing w:line="360" w:lineRule="atLeast"/>',
      '<w:spacing w:line="259" w:lineRule="auto"/>',
    ),
    indent,
    fc.constantFrom('left', 'both', 'both', 'right', 'center'),
    fc.array(run, { minLength: 1, maxLength: 4 }),
  )
  .map(
    ([tabs, spacing, place, alignment, runs]) =>
      `<w:p><w:pPr>${tabs}${spacing}${place}<w:jc w:val="${alignment}"/></w:pPr>${runs.join('')}</w:p>`,
  );

/** A paragraph with runs of all formats that go together, for a version of Word. */
export const paragraphsInAllFormats: fc.Arbitrary<DocxInput> = fc
  .tuple(paragraph, fc.constantFrom(12, 14, 15, 15))
  .map(([body, version]) => documentForWord(body, version));
