import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const numberFormats = ['decimal', 'decimalZero', 'lowerLetter', 'upperLetter', 'lowerRoman', 'upperRoman', 'bullet'];
const levels = [0, 1, 2] as const;

/** The text of a label: its own number, or those of all levels to it. */
const labelOf = (level: number, isLong: boolean): string =>
  isLong
    ? `${levels
        .slice(0, level + 1)
        .map((at) => `%${at + 1}`)
        .join('.')}.`
    : `%${level + 1})`;

const levelXml = fc.record({
  format: fc.constantFrom(...numberFormats),
  start: fc.constantFrom(1, 1, 4),
  isLong: fc.boolean(),
});

type Level = typeof levelXml extends fc.Arbitrary<infer T> ? T : never;

function toXml({ format, start, isLong }: Level, level: number, isLegal: boolean): string {
  const text = format === 'bullet' ? '–' : labelOf(level, isLong);
  return `<w:lvl w:ilvl="${level}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlRestart w:val="0"/>${isLegal ? '<w:isLgl/>' : ''}<w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${(level + 1) * 900}" w:hanging="900"/></w:pPr></w:lvl>`;
}

/** What a list changes of a level: nothing, where it begins, or all of it. */
const override = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 1, max: 9 }).map((start) => ({ start, level: undefined })),
  levelXml.map((level) => ({ start: undefined, level })),
  fc.tuple(fc.integer({ min: 1, max: 9 }), levelXml).map(([start, level]) => ({ start, level })),
);

type Override = typeof override extends fc.Arbitrary<infer T> ? T : never;

const toOverrides = (all: readonly Override[], isLegal: boolean): string =>
  all
    .map((one, level) => {
      if (one === undefined) return '';
      const start = one.start === undefined ? '' : `<w:startOverride w:val="${one.start}"/>`;
      return `<w:lvlOverride w:ilvl="${level}">${start}${one.level === undefined ? '' : toXml(one.level, level, isLegal)}</w:lvlOverride>`;
    })
    .join('');

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
    const lists = overrides.map(
      (content, index) =>
        `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="1"/>${toOverrides(content, isLegal)}</w:num>`,
    );
    const numbering = `<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="multilevel"/>${shared.map((one, level) => toXml(one, level, isLegal)).join('')}</w:abstractNum>${lists.join('')}</w:numbering>`;
    const body = items
      .map(
        ([level, list]) =>
          `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>text</w:t></w:r></w:p>`,
      )
      .join('');
    return {
      body,
      parts: { 'word/numbering.xml': numbering },
      rels: [{ id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' }],
    };
  });

/** A reference to a list, to a level of one, or to both, or none. */
const reference = fc
  .record({ level: fc.constantFrom(undefined, 0, 1, 2), list: fc.constantFrom(undefined, 0, 1) })
  .map(({ level, list }) => {
    const levelOf = level === undefined ? '' : `<w:ilvl w:val="${level}"/>`;
    const listOf = list === undefined ? '' : `<w:numId w:val="${list}"/>`;
    return levelOf + listOf === '' ? '' : `<w:numPr>${levelOf}${listOf}</w:numPr>`;
  });

/** Paragraphs of styles that name a list, a level of one, or both, as the paragraphs themselves do. */
export const listsOfStyles: fc.Arbitrary<DocxInput> = fc
  .record({
    base: fc.oneof(fc.constant(''), reference),
    style: reference,
    paragraphs: fc.array(fc.oneof(fc.constant(''), reference), { minLength: 1, maxLength: 4 }),
  })
  .map(({ base, style, paragraphs }) => {
    const level = levels.map((one) => toXml({ format: 'decimal', start: 1, isLong: false }, one, false)).join('');
    const styleXml = (id: string, basedOn: string, properties: string): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${basedOn}"/><w:pPr>${properties}</w:pPr></w:style>`;
    const body = paragraphs
      .map(
        (own) =>
          `<w:p><w:pPr><w:pStyle w:val="Item"/>${own}</w:pPr><w:r><w:t>text</w:t></w:r></w:p><w:p><w:r><w:t>below</w:t></w:r></w:p>`,
      )
      .join('');
    return {
      body,
      parts: {
        'word/numbering.xml': `<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="multilevel"/>${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
        'word/styles.xml': `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Sans" w:hAnsi="Liberation Sans"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>${styleXml('Base', 'Normal', base)}${styleXml('Item', 'Base', style)}</w:styles>`,
      },
      rels: [{ id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' }],
    };
  });
