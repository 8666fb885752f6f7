import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

/** Headings of all kinds: in lists and tables, with capitals, hidden text, several spaces, tabs and line breaks, of levels that are left out. */

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const words = fc.array(fc.constantFrom('Terms', 'of', 'delivery', 'Été', 'No.', '12', 'a-b', 'Zahlung'), {
  minLength: 1,
  maxLength: 24,
});
const text = (content: string, properties = ''): string =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${content}</w:t></w:r>`;
const size = fc.constantFrom('', '<w:b/>', '<w:caps/>', '<w:sz w:val="36"/>', '<w:sz w:val="15"/><w:i/>');
const run = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(words, size).map(([all, properties]) => text(all.join(' '), properties)) },
  { weight: 2, arbitrary: fc.constantFrom(' ', '  ').map((spaces) => text(spaces)) },
  { weight: 1, arbitrary: fc.constant('<w:r><w:br/></w:r>') },
  { weight: 1, arbitrary: fc.constant('<w:r><w:tab/></w:r>') },
  { weight: 1, arbitrary: fc.constant(text('hidden', '<w:vanish/>')) },
);
const runs = fc.array(run, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
const spacing = fc.constantFrom(
  '',
  '<w:spacing w:before="240" w:after="120"/>',
  '<w:spacing w:line="480" w:lineRule="auto"/>',
  '<w:spacing w:before="100" w:line="500" w:lineRule="exact"/>',
  '<w:spacing w:line="700" w:lineRule="atLeast"/>',
);
const place = fc.constantFrom(
  '',
  '<w:ind w:left="720" w:hanging="360"/>',
  '<w:ind w:left="400" w:firstLine="300"/>',
  '<w:jc w:val="center"/>',
  '<w:jc w:val="right"/>',
);
const list = fc
  .integer({ min: 0, max: 3 })
  .map((level) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`);
const border = fc.constantFrom(
  '',
  '',
  '<w:pBdr><w:top w:val="single" w:sz="12" w:space="4" w:color="1F5B45"/></w:pBdr>',
);
const level = fc.integer({ min: 0, max: 8 }).map((depth) => `<w:outlineLvl w:val="${depth}"/>`);
const ofList = fc.tuple(list, spacing, level).map((all) => all.join(''));
const alone = fc.tuple(border, spacing, place, level).map((all) => all.join(''));
const heading = fc
  .tuple(fc.oneof(alone, ofList), runs)
  .map(([properties, content]) => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`);
const body = words.map((all) => `<w:p>${text(`${all.join(' ')}.`)}</w:p>`);
const cell = (content: string): string => `<w:tc><w:tcPr><w:tcW w:w="4500" w:type="dxa"/></w:tcPr>${content}</w:tc>`;
const table = fc
  .tuple(heading, body, fc.boolean())
  .map(
    ([one, other, isRepeated]) =>
      `<w:tbl><w:tblPr><w:tblW w:w="9000" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="4500"/><w:gridCol w:w="4500"/></w:tblGrid><w:tr>${isRepeated ? '<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>' : ''}${cell(one)}${cell(other)}</w:tr><w:tr>${cell(other)}${cell(other)}</w:tr></w:tbl>${`<w:p>${text('Below')}</w:p>`}`,
  );

const ofLevel = (depth: number, format: string, label: string): string =>
  `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${label}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${567 * (depth + 1)}" w:hanging="567"/></w:pPr></w:lvl>`;
const levels = [
  ofLevel(0, 'decimal', '%1.'),
  ofLevel(1, 'decimal', '%1.%2'),
  ofLevel(2, 'bullet', '–'),
  ofLevel(3, 'lowerRoman', '(%4)'),
];
const numbering = `<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="1">${levels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;

export const headings: fc.Arbitrary<DocxInput> = fc
  .array(fc.oneof({ weight: 5, arbitrary: heading }, { weight: 5, arbitrary: body }, { weight: 1, arbitrary: table }), {
    minLength: 1,
    maxLength: 45,
  })
  .map((blocks) => ({
    body: blocks.join(''),
    parts: { 'word/numbering.xml': numbering },
    rels: [{ id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' }],
  }));
