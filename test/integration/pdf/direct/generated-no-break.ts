import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import { documentForWord } from './word-version.ts';

const special = ['\u00a0', '\u00a0', '\u202f', '\u00a0 ', ' \u00a0', '\u00a0\u00a0'];
const sometimes = fc.constantFrom('', '', '', ' ');
/** Most of them are spaces at which a line may end. */
const spaces = fc.integer({ min: 0, max: 19 }).map((place) => special[place] ?? ' ');
const vocabulary =
  '12,50 € 1\u202f234,56 100,- 5€ z. B. § 5 Abs. 3 « bonjour » Quoi ? ! : 10 % Dr. Müller Ltd. agreement delivery of the between parties (a) 25. November 2026 Te AWAY';

const text = fc
  .array(fc.tuple(fc.constantFrom(...vocabulary.split(' ')), spaces), { minLength: 1, maxLength: 24 })
  .map((parts) => parts.map(([word, space]) => word + space).join(''));

const format = fc.constantFrom(
  ...['', '', '', '<w:b/>', '<w:i/>', '<w:u w:val="single"/>', '<w:strike/>', '<w:sz w:val="28"/>', '<w:caps/>'],
  ...['<w:shd w:val="clear" w:fill="DFD8E8"/>', '<w:spacing w:val="20"/>', '<w:vertAlign w:val="superscript"/>'],
);

const run = fc
  .tuple(format, sometimes, text, fc.constantFrom(' ', ' ', ' ', '\u00a0', '', ''))
  .map(
    ([properties, before, own, after]) =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${before}${own.trimEnd()}${after}</w:t></w:r>`,
  );

/** Tabs at the left, in the middle and at the right of a line. */
const tabs = fc
  .constantFrom('center', 'center', 'decimal')
  .map(
    (middle) =>
      `<w:tabs><w:tab w:val="left" w:pos="2000"/><w:tab w:val="${middle}" w:pos="4500"/><w:tab w:val="right" w:pos="9000"/></w:tabs>`,
  );
const amounts = fc.constantFrom(
  '12,50\u00a0€',
  '1\u202f234,56\u00a0€',
  '\u00a05',
  '10\u00a0%',
  'plain',
  '1\u00a0234.50\u00a0USD',
  '€\u00a01,234.50',
);
const row = fc
  .tuple(tabs, fc.array(amounts, { minLength: 1, maxLength: 3 }))
  .map(
    ([stops, all]) =>
      `<w:p><w:pPr>${stops}</w:pPr><w:r><w:t>Sum</w:t>${all.map((one) => `<w:tab/><w:t xml:space="preserve">${one}</w:t>`).join('')}</w:r></w:p>`,
  );

const alignment = fc.constantFrom('left', 'left', 'both', 'right', 'center');
const paragraph = fc
  .tuple(
    fc.integer({ min: 0, max: 7_000 }),
    alignment,
    fc.constantFrom('', '', '', '<w:outlineLvl w:val="0"/>'),
    fc.array(run, { minLength: 1, maxLength: 3 }),
  )
  .map(
    ([right, jc, outline, runs]) =>
      `<w:p><w:pPr><w:ind w:right="${right}"/><w:jc w:val="${jc}"/>${outline}</w:pPr>${runs.join('')}</w:p>`,
  );

const cell = fc
  .tuple(alignment, fc.array(amounts, { minLength: 1, maxLength: 3 }))
  .map(
    ([jc, all]) =>
      `<w:tc><w:tcPr><w:tcW w:w="2300" w:type="dxa"/></w:tcPr><w:p><w:pPr><w:jc w:val="${jc}"/></w:pPr><w:r><w:t xml:space="preserve">${all.join(' ')}</w:t></w:r></w:p></w:tc>`,
  );
const table = fc
  .array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 3 })
  .map(
    (rows) =>
      `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2300"/>'.repeat(4)}</w:tblGrid>${rows.map((cells) => `<w:tr>${cells.join('')}</w:tr>`).join('')}</w:tbl><w:p/>`,
  );

/** Spaces at which no line ends, as amounts, dates and French punctuation have them. */
export const noBreakSpaces: fc.Arbitrary<DocxInput> = fc
  .tuple(
    fc.array(fc.oneof(paragraph, paragraph, row, table), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(12, 14, 15, 15),
  )
  .map(([blocks, version]) => documentForWord(blocks.join(''), version));
