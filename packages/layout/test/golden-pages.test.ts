import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph } from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { readDocument } from '../src/document/read-document.ts';
import { dotsPerTwip } from '../src/fonts/sized-font.ts';
import { openTextFonts } from '../src/fonts/text-font.ts';
import type { BoxRuleItem, Item, RuleItem } from '../src/layout/items.ts';
import type { Fragment, TextFragment } from '../src/layout/line.ts';
import type { Page } from '../src/layout/page.ts';
import { layOutDocument } from '../src/layout/place-blocks.ts';

/**
 * Pages as text, kept in `golden`: each item with its position, in twips from the upper left corner of the page. A change of the
 * layout shows as a change of these files; `npx vitest run --project unit packages/layout/test/golden-pages.test.ts
 * --update` writes them anew.
 */
const fontOf = openTextFonts(testFonts);

const filledExample = (name: string): Uint8Array =>
  renderTemplate(prepareTemplate(readFileSync(`examples/${name}.docx`), 'pdf'), readFileSync(`examples/${name}.json`))
    .file;

const text = 'We thank you for your order, which will be delivered to your house within ten working days. ';

const levels = [word.level(0, 'decimal', '%1.', 567), word.level(1, 'lowerLetter', '%2)', 567)];
const list = word.document(
  [0, 1, 1, 2, 0, 1].map((depth, index) => word.paragraph(text.repeat(1 + (index % 3)), word.item(depth))).join(''),
  { numbering: word.lists([...levels, word.level(2, 'bullet', '–', 567)]) },
);

const columns = [1_500, 5_500, 2_000] as const;
const row = ([first, second, third]: readonly [string, string, string], properties = ''): string =>
  word.row(
    [
      word.cell(columns[0], first, word.shaded('EEF4F0')),
      word.cell(columns[1], second),
      word.cell(columns[2], word.paragraph(third, word.aligned('right'))),
    ],
    `<w:cantSplit/>${properties}`,
  );
const borders = word.borders(['top', 'bottom', 'insideH'], 8, '1F5B45');
const rows = Array.from({ length: 45 }, (_, index) =>
  row([`No. ${index + 1}`, index % 4 === 0 ? text : 'Oak shelf, oiled', `${index * 7}.00`]),
);
const longTable = word.table(
  columns,
  [row(['Number', 'Item', 'Amount'], '<w:tblHeader/>'), ...rows],
  `${word.width(9000)}<w:tblBorders>${borders}</w:tblBorders><w:tblLayout w:type="fixed"/>`,
);

const footer = (kind: string): string =>
  word.paragraph(word.run(`${kind}, page `) + word.field('PAGE') + word.run(' of ') + word.field('NUMPAGES'));
const headers = {
  ...word.document(word.paragraph(text.repeat(5), '<w:spacing w:after="160"/>').repeat(24), {
    settings: '<w:evenAndOddHeaders/>',
  }),
  headers: [paragraph('Report'), paragraph('First page').repeat(5), paragraph('Even page')],
  footers: ['Report', 'First page', 'Even page'].map(footer),
};

const documents: Readonly<Record<string, Uint8Array>> = {
  letter: filledExample('letter'),
  invoice: filledExample('invoice'),
  list: buildDocx(list),
  'long-table': buildDocx({ body: longTable + paragraph('Below the table') }),
  headers: buildDocx(headers),
};

test.each(Object.entries(documents))('the pages of %s are as before', async (name, docx) => {
  const pages = layOutDocument(readDocument(openPackage(docx)), fontOf);
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
