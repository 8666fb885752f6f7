import type { Size } from '../../core/pictures/picture.ts';
import type { Render } from '../../core/render/render-state.ts';
import { numberingOf } from '../../core/styles/numbering.ts';
import { PropertyList } from '../../core/styles/property-list.ts';
import type { Block, Inline, TableBlock } from './blocks.ts';
import { collectBlocks } from './collect-blocks.ts';
import { HtmlProblem, htmlLimits } from './html-limits.ts';
import { writePicture } from './html-picture.ts';
import { markdownToHtml } from './markdown-to-html.ts';
import { type BlockStyle, ParagraphStyler } from './paragraph-styler.ts';
import { parseHtml } from './parse-html.ts';
import { writeBlocks } from './write-blocks.ts';
import { type RunOptions, writeRuns } from './write-runs.ts';

/** Formatted text of the data. */
export interface RichText {
  readonly text: string;
  readonly isMarkdown: boolean;
  /** The JSON path of the value. */
  readonly path: () => string;
}

/** The position at which formatted text is written. */
interface RichPlace {
  readonly partName: string;
  /** The `w:rPr` of the tag, empty without one. */
  readonly runProperties: string;
  readonly mayLink: boolean;
  readonly space: Size;
}

interface WrittenBlocks {
  readonly pieces: readonly string[];
  readonly startsWithTable: boolean;
  readonly endsWithTable: boolean;
}

/** Writes HTML and Markdown for one render. Loads the template's styles and numbering on first use. */
export class RichContent {
  readonly #render: Render;
  #chars = 0;
  #styler: ParagraphStyler | undefined;

  constructor(render: Render) {
    this.#render = render;
  }

  /** Writes paragraphs and tables, with the formatting of the paragraph that they replace. Throws HtmlProblem. */
  blocks(rich: RichText, place: RichPlace, paragraphProperties: string, charge: (xml: string) => void): WrittenBlocks {
    const tag: BlockStyle = {
      paragraph: PropertyList.parse('w:pPr', paragraphProperties),
      run: PropertyList.parse('w:rPr', place.runProperties),
    };
    const blocks = this.#read(rich, tag.run);
    const pieces: string[] = [];
    writeBlocks(blocks, {
      styler: this.#paragraphStyler(),
      runs: (space) => this.#runOptions(rich, { ...place, space }),
      space: place.space,
      tableStyleId: this.#render.styles().find('table', 'table grid')?.id,
      tag,
      push: (xml) => {
        charge(xml);
        pieces.push(xml);
      },
    });
    const startsWithTable = blocks[0]?.kind === 'table';
    return { pieces, startsWithTable, endsWithTable: blocks.at(-1)?.kind === 'table' };
  }

  /** Writes runs for within a paragraph, with a line for each paragraph of the text. Throws HtmlProblem. */
  runs(rich: RichText, place: RichPlace): string {
    const run = PropertyList.parse('w:rPr', place.runProperties);
    return writeRuns(flattenBlocks(this.#read(rich, run)), run, this.#runOptions(rich, place));
  }

  /** Writes the plain text, with a line for each paragraph. Throws HtmlProblem. */
  text(rich: RichText): string {
    const inlines = flattenBlocks(this.#read(rich, PropertyList.parse('w:rPr', '')));
    return inlines.map(textOf).join('');
  }

  #read({ text, isMarkdown, path }: RichText, run: PropertyList): readonly Block[] {
    if (text === '') return [];
    this.#chars += text.length;
    const name = isMarkdown ? 'Markdown' : 'HTML';
    if (this.#chars > htmlLimits.renderChars)
      throw new HtmlProblem(`is more than the ${htmlLimits.renderChars} characters of ${name} one document may have`);
    if (!isMarkdown && text.length > htmlLimits.valueChars)
      throw new HtmlProblem(`holds more than ${htmlLimits.valueChars} characters of HTML`);
    return collectBlocks(parseHtml(isMarkdown ? markdownToHtml(text) : text), {
      baseHalfPoints: this.#paragraphStyler().baseHalfPoints(run),
      omitPicture: () => this.#render.omitted.add(path()),
    });
  }

  #runOptions({ path }: RichText, place: RichPlace): RunOptions {
    const { hyperlinks } = this.#render;
    const { partName, space, mayLink } = place;
    const state = { render: this.#render, partName };
    return {
      links: { open: (url) => hyperlinks.open(url, place), runProperties: (base) => hyperlinks.runProperties(base) },
      writePicture: (picture) => writePicture(picture, { space, mayLink, path }, state),
      codeStyleId: this.#render.styles().find('character', 'html code')?.id,
    };
  }

  #paragraphStyler(): ParagraphStyler {
    this.#styler ??= new ParagraphStyler(this.#render.styles(), () => numberingOf(this.#render));
    return this.#styler;
  }
}

const lineBreak: Inline = { kind: 'break' };

/** Flattens blocks into one paragraph, with a line per paragraph, list item and table row. */
function flattenBlocks(blocks: readonly Block[]): readonly Inline[] {
  const lines = linesOf(blocks, new Map());
  return lines.flatMap((line, i) => (i === 0 ? line : [lineBreak, ...line]));
}

type Counts = Map<object, number>;

function linesOf(blocks: readonly Block[], counts: Counts): readonly (readonly Inline[])[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'table') return rowsOf(block, counts);
    const { list } = block;
    if (list?.isNumbered !== true) return [block.content];
    const number = counts.get(list.list) ?? list.list.start;
    counts.set(list.list, number + 1);
    const mark = list.list.format === 'bullet' ? '• ' : `${number}. `;
    return [[plain(mark), ...block.content]];
  });
}

function rowsOf({ rows }: TableBlock, counts: Counts): readonly (readonly Inline[])[] {
  return rows.map(({ cells }) =>
    cells.flatMap(({ blocks }, i) => {
      const text = linesOf(blocks, counts).flatMap((line, j) => (j === 0 ? line : [plain(' '), ...line]));
      return i === 0 ? text : [plain('\t'), ...text];
    }),
  );
}

function textOf(inline: Inline): string {
  if (inline.kind === 'break') return '\n';
  return inline.kind === 'picture' ? inline.alt : inline.text;
}

function plain(text: string): Inline {
  return { kind: 'text', text, format: {}, link: undefined };
}
