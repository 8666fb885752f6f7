import type { Render } from '../../core/render/render-state.ts';
import { numberingOf } from '../../core/styles/numbering.ts';
import { PropertyList } from '../../core/styles/property-list.ts';
import type { Block, Inline, TableBlock } from './blocks.ts';
import { collectBlocks } from './collect-blocks.ts';
import { HtmlProblem, htmlLimits } from './html-limits.ts';
import { type BlockStyle, ParagraphStyler } from './paragraph-styler.ts';
import { parseHtml } from './parse-html.ts';
import { writeBlocks } from './write-blocks.ts';
import { type LinkWriter, writeRuns } from './write-runs.ts';

/** The position at which HTML is written. */
interface RichPlace {
  readonly partName: string;
  /** The `w:rPr` of the tag, empty without one. */
  readonly runProperties: string;
  readonly mayLink: boolean;
}

interface WrittenBlocks {
  readonly pieces: readonly string[];
  readonly startsWithTable: boolean;
  readonly endsWithTable: boolean;
}

/** Writes HTML for one render. Loads the template's styles and numbering on first use. */
export class RichContent {
  readonly #render: Render;
  #chars = 0;
  #styler: ParagraphStyler | undefined;

  constructor(render: Render) {
    this.#render = render;
  }

  /** HTML as paragraphs and tables in the formatting of the paragraph that they replace. Throws HtmlProblem. */
  blocks(html: string, place: RichPlace, paragraphProperties: string, charge: (xml: string) => void): WrittenBlocks {
    const tag: BlockStyle = {
      paragraph: PropertyList.parse('w:pPr', paragraphProperties),
      run: PropertyList.parse('w:rPr', place.runProperties),
    };
    const blocks = this.#read(html, tag.run);
    const pieces: string[] = [];
    writeBlocks(blocks, {
      styler: this.#paragraphStyler(),
      links: this.#links(place),
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

  /** HTML as runs within a paragraph, one line per HTML paragraph. Throws HtmlProblem. */
  runs(html: string, place: RichPlace): string {
    const run = PropertyList.parse('w:rPr', place.runProperties);
    return writeRuns(flattenBlocks(this.#read(html, run)), run, this.#links(place));
  }

  /** The text of HTML, one line per paragraph. Throws HtmlProblem. */
  text(html: string): string {
    const inlines = flattenBlocks(this.#read(html, PropertyList.parse('w:rPr', '')));
    return inlines.map((inline) => (inline.kind === 'break' ? '\n' : inline.text)).join('');
  }

  #read(html: string, run: PropertyList): readonly Block[] {
    if (html === '') return [];
    this.#chars += html.length;
    if (this.#chars > htmlLimits.renderChars)
      throw new HtmlProblem(`is more than the ${htmlLimits.renderChars} characters of HTML one document may have`);
    return collectBlocks(parseHtml(html), this.#paragraphStyler().baseHalfPoints(run));
  }

  #links(place: RichPlace): LinkWriter {
    const { hyperlinks } = this.#render;
    return { open: (url) => hyperlinks.open(url, place), runProperties: (base) => hyperlinks.runProperties(base) };
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

function plain(text: string): Inline {
  return { kind: 'text', text, format: {}, link: undefined };
}
