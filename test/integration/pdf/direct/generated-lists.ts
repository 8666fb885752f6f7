import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { joined, perhaps, several, wordsOf } from './generated-words.ts';

/** Lists and headings. */

const { paragraph, run } = word;
const numberFormats = ['decimal', 'decimalZero', 'lowerLetter', 'upperLetter', 'lowerRoman', 'upperRoman', 'bullet'];
const levels = [0, 1, 2] as const;

/** The text of a label: its own number, or those of all levels to it. */
const labelOf = (level: number, isLong: boolean): string => {
  const numbers = levels.slice(0, level + 1).map((at) => `%${at + 1}`);
  return isLong ? `${numbers.join('.')}.` : `%${level + 1})`;
};

interface Level {
  readonly format: string;
  readonly start: number;
  readonly isLong: boolean;
}

const levelXml: fc.Arbitrary<Level> = fc.record({
  format: fc.constantFrom(...numberFormats),
  start: fc.constantFrom(1, 1, 4),
  isLong: fc.boolean(),
});

function toXml({ format, start, isLong }: Level, level: number, isLegal: boolean): string {
  const text = format === 'bullet' ? '–' : labelOf(level, isLong);
  const more = `<w:lvlRestart w:val="0"/>${isLegal ? '<w:isLgl/>' : ''}`;
  return word.level(level, format, text, 900, start).replace('<w:lvlText', `${more}<w:lvlText`);
}

interface Override {
  readonly start: number | undefined;
  readonly level: Level | undefined;
}

/** What a list overrides in a level: nothing, its start value, or everything. */
const override: fc.Arbitrary<Override | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 1, max: 9 }).map((start) => ({ start, level: undefined })),
  levelXml.map((level) => ({ start: undefined, level })),
  fc.tuple(fc.integer({ min: 1, max: 9 }), levelXml).map(([start, level]) => ({ start, level })),
);

const toOverrides = (all: readonly (Override | undefined)[], isLegal: boolean): string =>
  all
    .map((one, level) => {
      if (one === undefined) return '';
      const start = one.start === undefined ? '' : `<w:startOverride w:val="${one.start}"/>`;
      return `<w:lvlOverride w:ilvl="${level}">${start}${one.level === undefined ? '' : toXml(one.level, level, isLegal)}</w:lvlOverride>`;
    })
    .join('');
const abstractList = (content: string): string =>
  `<w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="multilevel"/>${content}</w:abstractNum>`;
const listWith = (id: number, content = ''): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="1"/>${content}</w:num>`;

/** A document with paragraphs of three lists that share their numbers, at any of three levels. */
export const countedLists: fc.Arbitrary<DocxInput> = fc
  .record({
    shared: fc.tuple(levelXml, levelXml, levelXml),
    overrides: fc.tuple(
      fc.constant([]),
      fc.tuple(override, override, override),
      fc.tuple(override, override, override),
    ),
    isLegal: fc.boolean(),
    items: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 3 })), {
      minLength: 3,
      maxLength: 12,
    }),
  })
  .map(({ shared, overrides, isLegal, items }) => {
    const lists = overrides.map((content, index) => listWith(index + 1, toOverrides(content, isLegal)));
    const all = shared.map((one, level) => toXml(one, level, isLegal)).join('');
    const body = items.map(([level, list]) => paragraph('text', word.item(level, list)));
    return word.document(body.join(''), { numbering: abstractList(all) + lists.join('') });
  });

/** A reference to a list, to a level, to both or to neither. */
const reference = fc
  .record({ level: fc.constantFrom(undefined, 0, 1, 2), list: fc.constantFrom(undefined, 0, 1) })
  .map(({ level, list }) => {
    const ofLevel = level === undefined ? '' : `<w:ilvl w:val="${level}"/>`;
    const ofList = list === undefined ? '' : `<w:numId w:val="${list}"/>`;
    return ofLevel + ofList === '' ? '' : `<w:numPr>${ofLevel}${ofList}</w:numPr>`;
  });

/** Paragraphs whose styles name a list, a level or both, and which may do so themselves. */
export const listsOfStyles: fc.Arbitrary<DocxInput> = fc
  .record({
    base: fc.oneof(fc.constant(''), reference),
    style: reference,
    paragraphs: fc.array(fc.oneof(fc.constant(''), reference), { minLength: 1, maxLength: 4 }),
  })
  .map(({ base, style, paragraphs }) => {
    const level = levels.map((one) => toXml({ format: 'decimal', start: 1, isLong: false }, one, false)).join('');
    const styles = word.styles(
      { run: word.font('Liberation Sans') },
      word.normal(),
      word.style('Base', { basedOn: 'Normal', paragraph: base }),
      word.style('Item', { basedOn: 'Base', paragraph: style }),
    );
    const body = paragraphs.map((own) => paragraph('text', `<w:pStyle w:val="Item"/>${own}`) + paragraph('below'));
    return word.document(body.join(''), { styles, numbering: abstractList(level) + listWith(1) });
  });

/**
 * All kinds of headings: in lists and tables, with capitals, hidden text, several spaces, tabs and line breaks, and
 * with levels that are skipped.
 */

const words = wordsOf(24, 'Terms of delivery Été No. 12 a-b Zahlung');
const headingRuns = several(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(words, perhaps(1, '<w:b/>', '<w:caps/>', word.size(36), `${word.size(15)}<w:i/>`))
        .map(([text, format]) => run(text, format)),
    },
    { weight: 2, arbitrary: fc.constantFrom(' ', '  ').map((spaces) => run(spaces)) },
    { weight: 1, arbitrary: fc.constant(word.lineBreak) },
    { weight: 1, arbitrary: fc.constant(word.tab) },
    { weight: 1, arbitrary: fc.constant(run('hidden', '<w:vanish/>')) },
  ),
  4,
);
const spacing = perhaps(
  1,
  '<w:spacing w:before="240" w:after="120"/>',
  '<w:spacing w:line="480" w:lineRule="auto"/>',
  '<w:spacing w:before="100" w:line="500" w:lineRule="exact"/>',
  '<w:spacing w:line="700" w:lineRule="atLeast"/>',
);
const place = perhaps(
  1,
  '<w:ind w:left="720" w:hanging="360"/>',
  '<w:ind w:left="400" w:firstLine="300"/>',
  word.aligned('center'),
  word.aligned('right'),
);
const border = perhaps(2, `<w:pBdr>${word.border('top', 12, '1F5B45', 'single', 4)}</w:pBdr>`);
const outlineLevel = fc.integer({ min: 0, max: 8 }).map((depth) => `<w:outlineLvl w:val="${depth}"/>`);
const ofList = fc.integer({ min: 0, max: 3 }).map((level) => word.item(level));
const heading = fc
  .tuple(fc.oneof(joined([border, spacing, place, outlineLevel]), joined([ofList, spacing, outlineLevel])), headingRuns)
  .map(([properties, content]) => paragraph(content, properties));
const text = words.map((all) => paragraph(`${all}.`));
const table = fc.tuple(heading, text, fc.boolean()).map(([one, other, isRepeated]) => {
  const [first, cell] = [word.cell(4500, one), word.cell(4500, other)];
  const rows = [word.row([first, cell], isRepeated ? '<w:cantSplit/><w:tblHeader/>' : ''), word.row([cell, cell])];
  return word.table([4500, 4500], rows, word.fixedWidth(9000)) + paragraph('Below');
});
const headingLevels = [
  word.level(0, 'decimal', '%1.', 567),
  word.level(1, 'decimal', '%1.%2', 567),
  word.level(2, 'bullet', '–', 567),
  word.level(3, 'lowerRoman', '(%4)', 567),
];

export const headings: fc.Arbitrary<DocxInput> = several(
  fc.oneof({ weight: 5, arbitrary: heading }, { weight: 5, arbitrary: text }, { weight: 1, arbitrary: table }),
  45,
).map((body) => word.document(body, { numbering: word.lists(headingLevels) }));
