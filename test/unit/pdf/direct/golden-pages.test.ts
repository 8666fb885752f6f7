import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { readDocument } from '../../../../src/worker/pdf/direct/document/read-document.ts';
import { dotsPerTwip } from '../../../../src/worker/pdf/direct/fonts/sized-font.ts';
import { openTextFonts } from '../../../../src/worker/pdf/direct/fonts/text-font.ts';
import type { BoxRuleItem, Item, RuleItem } from '../../../../src/worker/pdf/direct/layout/items.ts';
import type { Fragment, TextFragment } from '../../../../src/worker/pdf/direct/layout/line.ts';
import type { Page } from '../../../../src/worker/pdf/direct/layout/page.ts';
import { layOutDocument } from '../../../../src/worker/pdf/direct/layout/place-blocks.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { testFonts } from '../../../support/fonts.ts';

/**
 * Pages as text, kept in `golden`: what stands where, in twips from the upper left corner of the page. A change of the layout shows as a change of these
 * files; `npx vitest run --project unit test/unit/pdf/direct/golden-pages.test.ts --update` writes them anew.
 */
const fontOf = openTextFonts(testFonts);

const filledExample = (name: string): Uint8Array =>
  renderTemplate(prepareTemplate(readFileSync(`examples/${name}.docx`), 'pdf'), readFileSync(`examples/${name}.json`))
    .file;

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const text = 'We thank you for your order, which will be delivered to your house within ten working days. ';
const styled = (properties: string, content: string): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${content}</w:t></w:r></w:p>`;
const parts = (settings: string, numbering = '') => ({
  parts: {
    'word/settings.xml': `<w:settings xmlns:w="${word}">${settings}</w:settings>`,
    'word/numbering.xml': `<w:numbering xmlns:w="${word}">${numbering}</w:numbering>`,
  },
  rels: ['settings', 'numbering'].map((type) => ({ id: `rId${type}`, type, target: `${type}.xml` })),
});

const level = (index: number, format: string, label: string): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${label}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${(index + 1) * 567}" w:hanging="567"/></w:pPr></w:lvl>`;
const list = buildDocx({
  body: [0, 1, 1, 2, 0, 1]
    .map((depth, index) =>
      styled(`<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr>`, text.repeat(1 + (index % 3))),
    )
    .join(''),
  ...parts(
    '',
    `<w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}${level(2, 'bullet', '–')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`,
  ),
});

const columns = [1_500, 5_500, 2_000];
const cell = (content: string, column: number): string =>
  `<w:tc><w:tcPr><w:tcW w:w="${columns[column]}" w:type="dxa"/>${column === 0 ? '<w:shd w:val="clear" w:fill="EEF4F0"/>' : ''}</w:tcPr>${styled(column === 2 ? '<w:jc w:val="right"/>' : '', content)}</w:tc>`;
const row = (cells: readonly string[], properties = ''): string =>
  `<w:tr><w:trPr><w:cantSplit/>${properties}</w:trPr>${cells.map(cell).join('')}</w:tr>`;
const borders = ['top', 'bottom', 'insideH']
  .map((side) => `<w:${side} w:val="single" w:sz="8" w:space="0" w:color="1F5B45"/>`)
  .join('');
const rows = Array.from({ length: 45 }, (_, index) =>
  row([`No. ${index + 1}`, index % 4 === 0 ? text : 'Oak shelf, oiled', `${index * 7}.00`]),
);
const longTable = buildDocx({
  body: `<w:tbl><w:tblPr><w:tblW w:w="9000" w:type="dxa"/><w:tblBorders>${borders}</w:tblBorders><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>${columns.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${row(['Number', 'Item', 'Amount'], '<w:tblHeader/>')}${rows.join('')}</w:tbl>${paragraph('Below the table')}`,
});

const field = (code: string): string => `<w:fldSimple w:instr=" ${code} "><w:r><w:t>1</w:t></w:r></w:fldSimple>`;
const footer = (kind: string): string =>
  `<w:p><w:r><w:t xml:space="preserve">${kind}, page </w:t></w:r>${field('PAGE')}<w:r><w:t xml:space="preserve"> of </w:t></w:r>${field('NUMPAGES')}</w:p>`;
const headers = buildDocx({
  body: styled('<w:spacing w:after="160"/>', text.repeat(5)).repeat(24),
  headers: [paragraph('Report'), paragraph('First page').repeat(5), paragraph('Even page')],
  footers: [footer('Report'), footer('First page'), footer('Even page')],
  ...parts('<w:evenAndOddHeaders/>'),
});

const documents: Readonly<Record<string, Uint8Array>> = {
  letter: filledExample('letter'),
  invoice: filledExample('invoice'),
  list,
  'long-table': longTable,
  headers,
};

test.each(Object.entries(documents))('the pages of %s are as before', async (name, docx) => {
  const pages = layOutDocument(readDocument(docx), fontOf);
  await expect(pages.map(describePage).join('\n')).toMatchFileSnapshot(`golden/${name}.txt`);
});

function describePage({ geometry, number, items }: Page): string {
  return [`page ${number}: ${geometry.width} x ${geometry.height}`, ...items.flatMap(describeItem), ''].join('\n');
}

function describeItem(item: Item): string[] {
  if (item.kind === 'shading')
    return [`  shading ${item.left} ${item.top}, ${item.width} x ${item.height}, ${item.color}`];
  if (item.kind === 'rule') return [`  rule ${describeRule(item)}, ${item.width} wide, ${item.color}`];
  if (item.kind === 'box-rule') return [`  ${describeBoxRule(item)}, ${item.width} wide, ${item.color}`];
  if (item.kind === 'page-picture')
    return [`  picture ${item.left} ${item.top}, ${item.picture.width} x ${item.picture.height}`];
  const { line, left, top, outline } = item;
  const baseline = top + line.ascent;
  return [
    `  line ${left} ${top}, ${line.height} high${outline === undefined ? '' : `, heading ${outline.level + 1}: ${outline.title}`}`,
    ...line.fragments.map((fragment) => `    ${describeFragment(fragment, left, baseline)}`),
  ];
}

function describeBoxRule({ side, left, top, right, bottom, distance }: BoxRuleItem): string {
  return `rule at the ${side} of ${left} ${top} to ${right} ${bottom}, ${distance} inside`;
}

function describeRule({ left, top, right, bottom, reach }: RuleItem): string {
  const [across, down] = left === right ? [0, 1] : [1, 0];
  const { start = 0, end = 0 } = reach ?? {};
  const from = [left - across * start, top - down * start].join(' ');
  return `${from} to ${right + across * end} ${bottom + down * end}`;
}

function describeFragment(fragment: Fragment, left: number, baseline: number): string {
  const x = rounded(left + fragment.x / dotsPerTwip);
  const end = rounded(left + (fragment.x + fragment.width) / dotsPerTwip);
  if (fragment.kind === 'picture') return `${x} to ${end}, picture ${fragment.picture.height} above ${baseline}`;
  return `${x} to ${end} on ${baseline}, ${describeFont(fragment)}: ${wordsOf(fragment)}`;
}

function describeFont({ format, font, link }: TextFragment): string {
  const { family, isBold, isItalic, underline, isStruck, color, shading } = format;
  const marks = [
    isBold && 'bold',
    isItalic && 'italic',
    underline !== 'none' && 'underlined',
    isStruck && 'struck',
    color,
    shading !== undefined && `on ${shading}`,
    link !== undefined && `link to ${link}`,
  ];
  return [`${family} ${font.halfPoints / 2}`, ...marks.filter((mark) => typeof mark === 'string')].join(' ');
}

function wordsOf({ words, gaps }: TextFragment): string {
  return words.map((one, index) => one.text + ((gaps[index] ?? 0) > 0 ? ' ' : '')).join('');
}

/** To a hundredth of a twip: sums in another order differ by less. */
function rounded(twips: number): number {
  return Math.round(twips * 100) / 100;
}
