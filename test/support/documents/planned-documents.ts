import fc from 'fast-check';
import type { DocxInput } from './docx-builder.ts';
import * as word from './word-xml.ts';

/** A paragraph of a generated document, and what its pages must show of it. Lengths are twips. */
export interface PlannedParagraph {
  /** The colour of its text, RRGGBB, which no other paragraph has. */
  readonly color: string;
  /** The text with its label, and a single space for each space or tab. */
  readonly text: string;
  readonly alignment: 'left' | 'center' | 'right' | 'both';
  readonly left: number;
  readonly right: number;
  readonly firstLine: number;
  readonly before: number;
  readonly after: number;
  readonly hasTab: boolean;
  readonly keepsWithNext: boolean;
  readonly keepsLines: boolean;
  readonly hasWidowControl: boolean;
  readonly breaksPage: boolean;
}

export interface PlannedCell {
  /** The colour of its shading, RRGGBB, which no other cell has. */
  readonly shading: string;
  readonly width: number;
  readonly paragraphs: readonly PlannedParagraph[];
}

export interface PlannedTable {
  readonly rows: readonly (readonly PlannedCell[])[];
  /** How many of the first rows each of its pages repeats. */
  readonly headings: number;
}

export type PlannedBlock = PlannedParagraph | PlannedTable;

export interface PlannedDocument {
  readonly input: DocxInput;
  readonly blocks: readonly PlannedBlock[];
  /** How many kinds of headers and footers it has: for all pages, for the first one, for even ones. */
  readonly stories: number;
  readonly hasEvenPages: boolean;
}

/** The colour of headers and footers. */
export const storyColor = 'AA0000';
export const pageMargin = 1_440;
export const textWidth = 9_026;
export const textBottom = 16_838 - pageMargin;

const vocabulary =
  'lorem ipsum dolor sit amet elit-sed and/or incididunt Office fluffy VAT Te AWAY “quoted” (brackets) 12,345.67 € naïve – — 3–4 rock-’n’-roll e.g. 50% a@b.c https://example.com/path?x=1 10/12/2026 one… Ærøskøbing Ωmega Привет'.split(
    ' ',
  );
const longWord = 'abcdefghij'.repeat(15);

const listLevels = [
  { format: 'decimal', text: '%1.', label: (count: number) => `${count}.` },
  { format: 'lowerLetter', text: '%2)', label: (count: number) => `${String.fromCharCode(96 + count)})` },
  { format: 'decimal', text: '(%3)', label: (count: number) => `(${count})` },
] as const;
const listIndent = 500;

interface RunPlan {
  readonly words: readonly string[];
  readonly properties: string;
  /** Whether its last word continues in the next run. */
  readonly isJoined: boolean;
}

interface ParagraphPlan extends Omit<PlannedParagraph, 'color' | 'text' | 'hasTab'> {
  readonly runs: readonly RunPlan[];
  readonly spacing: string;
  readonly tab: { readonly alignment: 'left' | 'right'; readonly words: readonly string[] } | undefined;
  readonly listLevel: number | undefined;
}

interface TablePlan {
  readonly widths: readonly number[];
  readonly rows: readonly (readonly (readonly ParagraphPlan[])[])[];
  readonly headings: number;
  readonly height: number;
  readonly hasBorders: boolean;
  readonly canSplit: boolean;
}

const anyWord = fc.oneof({ weight: 400, arbitrary: fc.constantFrom(...vocabulary) }, fc.constant(longWord));
const words = (most: number): fc.Arbitrary<string[]> => fc.array(anyWord, { minLength: 1, maxLength: most });
const shortWords = (most: number): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: most });
const some = (weight: number): fc.Arbitrary<boolean> => fc.integer({ min: 1, max: 100 }).map((one) => one <= weight);

const runProperties = fc
  .record({
    font: fc.constantFrom('Carlito', 'Liberation Serif', 'Liberation Sans'),
    halfPoints: fc.constantFrom(18, 22, 25, 40),
    isBold: some(20),
    isItalic: some(20),
    isUnderlined: some(10),
  })
  .map(
    ({ font, halfPoints, isBold, isItalic, isUnderlined }) =>
      `<w:rFonts w:ascii="${font}" w:hAnsi="${font}"/>${isBold ? '<w:b/>' : ''}${isItalic ? '<w:i/>' : ''}<w:sz w:val="${halfPoints}"/>${isUnderlined ? '<w:u w:val="single"/>' : ''}`,
  );
const plainRun = words(70).map((of): RunPlan[] => [{ words: of, properties: '', isJoined: false }]);
const formattedRuns = fc.array(fc.record({ words: words(25), properties: runProperties, isJoined: some(20) }), {
  minLength: 1,
  maxLength: 3,
});

const lineSpacing = fc.constantFrom(
  '',
  'w:line="276" w:lineRule="auto"',
  'w:line="360" w:lineRule="auto"',
  'w:line="420" w:lineRule="exact"',
  'w:line="330" w:lineRule="atLeast"',
);

const plainParagraph = {
  alignment: fc.constant('left' as const),
  left: fc.constant(0),
  right: fc.constant(0),
  firstLine: fc.constant(0),
  before: fc.constant(0),
  after: fc.constant(0),
  spacing: fc.constant(''),
  keepsWithNext: fc.constant(false),
  keepsLines: fc.constant(false),
  hasWidowControl: fc.constant(true),
  breaksPage: fc.constant(false),
  tab: fc.constant(undefined),
  listLevel: fc.constant(undefined),
};

const textParagraph: fc.Arbitrary<ParagraphPlan> = fc
  .record({
    ...plainParagraph,
    runs: fc.oneof(plainRun, formattedRuns),
    alignment: fc.constantFrom('left' as const, 'left' as const, 'center' as const, 'right' as const),
    left: fc.constantFrom(0, 0, 400, 1_100),
    right: fc.constantFrom(0, 0, 700),
    firstLine: fc.constantFrom(0, 0, 300, -400),
    before: fc.constantFrom(0, 0, 120, 300),
    after: fc.constantFrom(0, 100, 200),
    spacing: lineSpacing,
    keepsWithNext: some(30),
    keepsLines: some(15),
    hasWidowControl: some(60),
    breaksPage: some(5),
  })
  .map((plan) => ({ ...plan, firstLine: Math.max(-plan.left, plan.firstLine) }));

const justifiedParagraph: fc.Arbitrary<ParagraphPlan> = fc.record({
  ...plainParagraph,
  runs: plainRun,
  alignment: fc.constant('both' as const),
});

/** Text that leaves room for its tab, which would have no width otherwise. */
const tabbedParagraph: fc.Arbitrary<ParagraphPlan> = fc.record({
  ...plainParagraph,
  runs: shortWords(2).map((of): RunPlan[] => [{ words: of, properties: '', isJoined: false }]),
  tab: fc.record({ alignment: fc.constantFrom('left' as const, 'right' as const), words: shortWords(1) }),
});

const listParagraph: fc.Arbitrary<ParagraphPlan> = fc.record({
  ...plainParagraph,
  runs: plainRun,
  listLevel: fc.integer({ min: 0, max: 2 }),
  after: fc.constant(80),
});

const cellParagraph: fc.Arbitrary<ParagraphPlan> = fc.record({
  ...plainParagraph,
  runs: words(8).map((of): RunPlan[] => [{ words: of, properties: '', isJoined: false }]),
  alignment: fc.constantFrom('left' as const, 'left' as const, 'center' as const, 'right' as const),
  after: fc.constantFrom(0, 60),
});

const tablePlan: fc.Arbitrary<TablePlan> = fc
  .array(fc.integer({ min: 1_300, max: 2_200 }), { minLength: 1, maxLength: 4 })
  .chain((widths) =>
    fc.record({
      widths: fc.constant(widths),
      rows: fc.array(
        fc.array(fc.array(cellParagraph, { minLength: 1, maxLength: 2 }), {
          minLength: widths.length,
          maxLength: widths.length,
        }),
        { minLength: 2, maxLength: 40 },
      ),
      headings: fc.constantFrom(0, 1, 1),
      height: fc.constantFrom(0, 0, 500),
      hasBorders: fc.boolean(),
      canSplit: some(20),
    }),
  );

/** Gives each paragraph and cell a colour of its own, counts lists, and writes the parts of a document. */
class Planner {
  #paragraphs = 0;
  #cells = 0;
  readonly #counts = [0, 0, 0];

  paragraph(asked: ParagraphPlan): { xml: string; planned: PlannedParagraph } {
    const plan = this.#inList(asked);
    const color = `00${(++this.#paragraphs).toString(16).toUpperCase().padStart(4, '0')}`;
    const { runs, tab, listLevel } = plan;
    const text = runs.map((run, index) => run.words.join(' ') + (isJoinedTo(runs, index) ? '' : ' ')).join('');
    const ending = tab === undefined ? '' : `${tab.words.join(' ')} `;
    const label = listLevel === undefined ? '' : `${this.#label(listLevel)} `;
    const planned: PlannedParagraph = {
      ...plan,
      color,
      text: (label + text + ending).trim(),
      hasTab: tab !== undefined,
    };
    const content = runs.map((run, index) =>
      runXml(run.words.join(' ') + (isJoinedTo(runs, index) || index === runs.length - 1 ? '' : ' '), {
        color,
        properties: run.properties,
      }),
    );
    if (tab !== undefined) content.push(word.tab, runXml(tab.words.join(' '), { color, properties: '' }));
    return { planned, xml: word.paragraph(content.join(''), propertiesXml(plan, color)) };
  }

  /** A list goes down one level at a time. */
  #inList(plan: ParagraphPlan): ParagraphPlan {
    if (plan.listLevel === undefined) return plan;
    const deepest = this.#counts.indexOf(0);
    const listLevel = Math.min(plan.listLevel, deepest < 0 ? plan.listLevel : deepest);
    return { ...plan, listLevel, left: (listLevel + 1) * listIndent, firstLine: -listIndent };
  }

  #label(level: number): string {
    const count = (this.#counts[level] ?? 0) + 1;
    this.#counts[level] = count;
    this.#counts.fill(0, level + 1);
    return listLevels[level]?.label(count) ?? '';
  }

  table({ widths, rows, headings, height, hasBorders, canSplit }: TablePlan): { xml: string; planned: PlannedTable } {
    const planned: PlannedCell[][] = [];
    const rowsXml = rows.map((row, index) => {
      const cells: PlannedCell[] = [];
      const cellsXml = row.map((paragraphs, column) => {
        const shading = `EE${(++this.#cells).toString(16).toUpperCase().padStart(4, '0')}`;
        const width = widths[column] ?? 0;
        const built = paragraphs.map((one) => this.paragraph(one));
        cells.push({ shading, width, paragraphs: built.map((one) => one.planned) });
        return word.cell(width, built.map(({ xml }) => xml).join(''), word.shaded(shading));
      });
      planned.push(cells);
      const properties = `${canSplit ? '' : '<w:cantSplit/>'}${height === 0 ? '' : `<w:trHeight w:val="${height}"/>`}${index < headings ? '<w:tblHeader/>' : ''}`;
      return word.row(cellsXml, properties);
    });
    const borders = hasBorders ? `<w:tblBorders>${word.borders(word.allSides, 8, '1F5B45')}</w:tblBorders>` : '';
    const width = widths.reduce((sum, one) => sum + one, 0);
    const properties = `${word.width(width)}${borders}<w:tblLayout w:type="fixed"/>`;
    return { planned: { rows: planned, headings }, xml: word.table(widths, rowsXml, properties) };
  }
}

const isJoinedTo = (runs: readonly RunPlan[], index: number): boolean =>
  runs[index]?.isJoined === true && index < runs.length - 1;

const runXml = (text: string, { color, properties }: { color: string; properties: string }): string =>
  word.run(text, `${properties}<w:color w:val="${color}"/>`);

function propertiesXml(plan: ParagraphPlan, color: string): string {
  const { alignment, left, right, firstLine, before, after, spacing, tab, listLevel } = plan;
  const indent = firstLine < 0 ? `w:hanging="${-firstLine}"` : `w:firstLine="${firstLine}"`;
  const flag = (name: string, isOn: boolean): string => `<w:${name} w:val="${isOn ? 1 : 0}"/>`;
  return [
    flag('keepNext', plan.keepsWithNext),
    flag('keepLines', plan.keepsLines),
    flag('pageBreakBefore', plan.breaksPage),
    flag('widowControl', plan.hasWidowControl),
    listLevel === undefined ? '' : word.item(listLevel),
    tab === undefined
      ? ''
      : `<w:tabs><w:tab w:val="${tab.alignment}" w:pos="${tab.alignment === 'right' ? 8_800 : 5_000}"/></w:tabs>`,
    `<w:spacing w:before="${before}" w:after="${after}" ${spacing}/>`,
    `<w:ind w:left="${left}" w:right="${right}" ${indent}/>`,
    word.aligned(alignment),
    `<w:rPr><w:color w:val="${color}"/></w:rPr>`,
  ].join('');
}

export const storyKinds = ['default', 'first', 'even'] as const;
const storyRun = (text: string): string => runXml(text, { color: storyColor, properties: '' });
const fieldXml = (code: string): string => word.field(code, `<w:color w:val="${storyColor}"/>`);

interface StoriesPlan {
  readonly stories: number;
  readonly hasEvenPages: boolean;
  /** Headers of many lines move the text of their pages down. */
  readonly headerLines: number;
}

function storiesOf({ stories, headerLines }: StoriesPlan): { headers: string[]; footers: string[] } {
  const kinds = storyKinds.slice(0, stories);
  return {
    headers: kinds.map((kind) => `<w:p>${storyRun(`${kind} header`)}</w:p>`.repeat(headerLines)),
    footers: kinds.map(
      (kind) =>
        `<w:p>${storyRun(`${kind} footer, page `)}${fieldXml('PAGE')}${storyRun(' of ')}${fieldXml('NUMPAGES')}</w:p>`,
    ),
  };
}

/**
 * Documents with only what direct layout supports. It may still refuse some, such as one with a line that is too close
 * to call.
 */
export const plannedDocument: fc.Arbitrary<PlannedDocument> = fc
  .record({
    blocks: fc.array(
      fc.oneof(
        { weight: 60, arbitrary: textParagraph },
        { weight: 12, arbitrary: listParagraph },
        { weight: 8, arbitrary: tabbedParagraph },
        { weight: 10, arbitrary: tablePlan },
        { weight: 1, arbitrary: justifiedParagraph },
      ),
      { minLength: 1, maxLength: 25, size: 'max' },
    ),
    // A document does not end with a table, and tables do not touch.
    between: cellParagraph,
    stories: fc.record({
      stories: fc.integer({ min: 0, max: 3 }),
      hasEvenPages: fc.boolean(),
      headerLines: fc.constantFrom(1, 1, 6),
    }),
  })
  .map(({ blocks, between, stories }): PlannedDocument => {
    const planner = new Planner();
    const built = blocks.flatMap((plan) =>
      'widths' in plan ? [planner.table(plan), planner.paragraph(between)] : [planner.paragraph(plan)],
    );
    const { hasEvenPages } = stories;
    const levels = listLevels.map(({ format, text }, index) => word.level(index, format, text, listIndent));
    const parts = {
      settings: `${hasEvenPages ? '<w:evenAndOddHeaders/>' : ''}<w:defaultTabStop w:val="720"/>`,
      numbering: word.lists(levels),
    };
    const input = { ...word.document(built.map(({ xml }) => xml).join(''), parts), ...storiesOf(stories) };
    return { input, blocks: built.map(({ planned }) => planned), stories: stories.stories, hasEvenPages };
  });
