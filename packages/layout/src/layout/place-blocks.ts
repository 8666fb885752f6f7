import type { DocumentTree, Paragraph, Section } from '../document/tree.ts';
import type { TextFontOf } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { addStories, textArea } from './add-stories.ts';
import { anchoredItems } from './anchored-items.ts';
import {
  type BlockLayout,
  beginsPage,
  bordersOf,
  gapBetween,
  hasNotes,
  keepsWith,
  layOutBlock,
  linesAbove,
} from './block-layout.ts';
import { cutRows, headingsOf, requireKnownCut } from './cut-rows.ts';
import { countNodes, estimatedPageStarts } from './estimated-pages.ts';
import { type Item, moveItem } from './items.ts';
import {
  borderHeights,
  heightOf,
  type ParagraphLayout,
  paragraphHeight,
  paragraphItems,
  spaceOfUpper,
} from './lay-out-paragraph.ts';
import { rowsHeight, rowsItems, type TableLayout } from './lay-out-table.ts';
import type { Line } from './line.ts';
import type { LineContext } from './line-context.ts';
import type { OpenPage, Page } from './page.ts';
import { notesHeight } from './page-notes.ts';
import type { RowLayout } from './row-layout.ts';
import { BlockStructure, documentElement, type TextElements } from './structure.ts';

const mostPages = 20_000;
/** Less than a hundredth of a twip, as a tolerance for sums of widths, which are inexact. */
const slackDots = 0.05;

/** Lays out a document in pages. Throws UnknownFeature. */
export function layOutDocument(tree: DocumentTree, fontOf: TextFontOf): readonly Page[] {
  const pages: OpenPage[] = [];
  const { addsSpaces, tabDistance, isOfWord2013, keepsBrokenLines, decimalPoint } = tree;
  const settings = { addsSpaces, tabDistance, isOfWord2013, keepsBrokenLines, decimalPoint };
  const context = { ...settings, fontOf, slack: slackDots, numbers: undefined, structure: documentElement };
  const nodes = tree.sections.reduce((sum, { blocks }) => sum + countNodes(blocks), 0);
  for (const section of tree.sections) new SectionFlow(section, pages, { ...context, nodes }).place();
  addStories(pages, context);
  return pages;
}

interface FlowContext extends LineContext {
  /** The number of nodes in the whole document (see `countNodes`). */
  readonly nodes: number;
}

class SectionFlow {
  readonly #section: Section;
  readonly #pages: OpenPage[];
  readonly #context: FlowContext;
  readonly #structure: BlockStructure;
  #estimatedStarts: ReadonlySet<number> | undefined;
  #page: OpenPage;
  #y = 0;
  #bottom = 0;
  /** The previous block on this page. */
  #previous: BlockLayout | undefined;
  /** Whether the page begins at an explicit break, which preserves the space above its first paragraph. */
  #keepsSpaceAbove = true;

  constructor(section: Section, pages: OpenPage[], context: FlowContext) {
    this.#section = section;
    this.#pages = pages;
    this.#context = context;
    this.#structure = new BlockStructure(context.structure, section.blocks);
    this.#page = this.#newPage();
  }

  place(): void {
    const { geometry, blocks } = this.#section;
    const width = geometry.width - geometry.left - geometry.right;
    const laid = blocks.map((block): BlockLayout => layOutBlock(block, width, this.#context));
    for (const [index, one] of laid.entries()) {
      if (one.kind === 'paragraph' && one.paragraph.format.breaksPageBefore && this.#previous !== undefined)
        this.#breakPage();
      if (this.#previous !== undefined && !this.#canBegin(laid, index)) {
        this.#requireSamePage(laid, index);
        this.#fillPage();
      }
      if (one.kind === 'table') this.#placeTable(one, laid, index);
      else if (hasNotes(one)) this.#placeWithNotes(one);
      else this.#placeParagraph(one);
    }
  }

  #newPage(): OpenPage {
    const section = this.#section;
    const before = this.#pages.at(-1);
    const isFirst = before?.section !== section;
    const number = (isFirst ? section.firstNumber : undefined) ?? (before?.number ?? 0) + 1;
    const page: OpenPage = {
      ...{ section, geometry: section.geometry, number, isFirst, items: [], layers: undefined, notes: [] },
      textTop: 0,
      textBottom: 0,
    };
    if (this.#pages.push(page) > mostPages) throw new UnknownFeature('very many pages');
    [this.#y, this.#bottom] = textArea(page, this.#context);
    [page.textTop, page.textBottom] = [this.#y, this.#bottom];
    return page;
  }

  #breakPage(): void {
    const isEmpty = this.#page.items.every((item) => item.kind === 'line' && item.line.fragments.length === 0);
    if (isEmpty) throw new UnknownFeature('an empty page');
    this.#endPage(true);
  }

  /** Continues on the next page. With notes, Writer may go back and break the page differently. */
  #fillPage(): void {
    if (this.#page.notes.length > 0) throw new UnknownFeature('a full page with footnotes');
    this.#endPage(false);
  }

  #endPage(keepsSpaceAbove: boolean): void {
    this.#page = this.#newPage();
    this.#previous = undefined;
    this.#keepsSpaceAbove = keepsSpaceAbove;
  }

  #add(items: readonly Item[], top: number, left = 0): void {
    for (const item of items) this.#page.items.push(moveItem(item, this.#section.geometry.left + left, top));
  }

  #addAnchored(layout: ParagraphLayout, lines: readonly Line[], top: number, elements: TextElements | undefined): void {
    if (layout.paragraph.anchored.length === 0) return;
    const above = this.#previous?.kind === 'paragraph' ? spaceOfUpper(this.#previous, layout.paragraph) : 0;
    const place = { top: 0, ownSpace: this.#spaceAbove(layout) - above, lines };
    this.#add(anchoredItems(layout, place, this.#context, elements?.text), top);
  }

  #spaceAbove(layout: ParagraphLayout): number {
    if (this.#previous !== undefined) return gapBetween(this.#previous, layout, this.#context);
    return this.#keepsSpaceAbove ? layout.paragraph.format.before : 0;
  }

  /** Whether a block can begin on this page, together with the blocks that must stay with it. */
  #canBegin(laid: readonly BlockLayout[], index: number): boolean {
    const one = laid[index];
    if (one === undefined || !keepsWith(one, laid[index + 1])) return true;
    return this.#fits(laid, index, this.#y, this.#previous);
  }

  /**
   * Throws UnknownFeature if blocks that stay together go to the next page, and the first one that does not fit begins
   * a page in Writer's estimate. Writer then leaves the preceding blocks behind, because it never has both on one page.
   */
  #requireSamePage(laid: readonly BlockLayout[], index: number): void {
    let [y, previous] = [this.#y, this.#previous];
    for (let at = index; ; at++) {
      const [one, next] = [laid[at], laid[at + 1]];
      if (one === undefined) return;
      y += previous === undefined ? 0 : gapBetween(previous, one, this.#context);
      y += one.kind === 'table' ? rowsHeight(one.rows) : paragraphHeight(one);
      if (y > this.#bottom || !keepsWith(one, next)) {
        this.#estimatedStarts ??= this.#estimateStarts();
        if (at > index && this.#estimatedStarts.has(at))
          throw new UnknownFeature('blocks that LibreOffice may split at a page end');
        return;
      }
      previous = one;
    }
  }

  /**
   * Throws UnknownFeature for a table that may be on another page in Writer's estimate, because Writer may then move
   * rows as a whole that it would otherwise split.
   */
  #requireSettled(index: number): void {
    this.#estimatedStarts ??= this.#estimateStarts();
    for (const start of this.#estimatedStarts)
      if (start > 0 && start <= index)
        throw new UnknownFeature('a row across a page end in a table after the first page');
  }

  #estimateStarts(): ReadonlySet<number> {
    const { blocks } = this.#section;
    return estimatedPageStarts(blocks, this.#pages[0]?.section === this.#section, this.#context.nodes);
  }

  /** Whether a block can begin at this height below another one, together with the blocks that must stay with it. */
  #fits(laid: readonly BlockLayout[], index: number, top: number, above: BlockLayout | undefined): boolean {
    let [y, previous] = [top, above];
    for (let at = index; ; at++) {
      const [one, next] = [laid[at], laid[at + 1]];
      if (one === undefined) return true;
      y += previous === undefined ? 0 : gapBetween(previous, one, this.#context);
      if (hasNotes(one) && !this.#hasSpaceForNotes(one, y + paragraphHeight(one)))
        throw new UnknownFeature('a footnote at a page end');
      const free = this.#bottom - y;
      const keeps = keepsWith(one, next);
      if (one.kind === 'table') {
        const headings = headingsOf(one).length;
        const cut = cutRows(one.rows, [], headings, free);
        if (cut.isSplit && cut.above.length <= headings + 1)
          throw new UnknownFeature('a row across a page end below what stays with it');
        if (cut.above.length === 0) return false;
        if (rowsHeight(one.rows) > free) return true;
      } else if (!keeps) return linesAbove(one.paragraph, one.lines, free - bordersOf(one)) > 0;
      else if (paragraphHeight(one) > free) return false;
      if (!keeps) return true;
      y += one.kind === 'table' ? rowsHeight(one.rows) : paragraphHeight(one);
      previous = one;
    }
  }

  /** The bottom of the text area if the notes of one more paragraph are added. */
  #bottomWith({ notes }: Paragraph): number {
    if (notes.length === 0) return this.#bottom;
    const { width, left, right } = this.#section.geometry;
    return this.#page.textBottom - notesHeight([...this.#page.notes, ...notes], width - left - right, this.#context);
  }

  /**
   * Whether a paragraph that ends here has space for its notes. Writer adds them line by line, and also requires the
   * spacing of the line and of the note. Only a paragraph with space for twice its notes and one more line is certain
   * to stay.
   */
  #hasSpaceForNotes({ paragraph, lines }: ParagraphLayout, end: number): boolean {
    const bottom = this.#bottomWith(paragraph);
    const highest = Math.max(0, ...lines.map(({ height, spacing }) => height + spacing));
    return end + highest + (this.#bottom - bottom) <= bottom;
  }

  /** A paragraph with notes stays whole, on the page of all its notes. */
  #placeWithNotes(layout: ParagraphLayout): void {
    const { paragraph, lines } = layout;
    if (paragraph.format.keepsWithNext)
      throw new UnknownFeature('a footnote in a paragraph that stays with the next one');
    const top = this.#y + this.#spaceAbove(layout);
    const end = top + paragraphHeight(layout);
    if (!this.#hasSpaceForNotes(layout, end)) throw new UnknownFeature('a footnote at a page end');
    const elements = this.#structure.textOf(paragraph);
    this.#addAnchored(layout, lines, top, elements);
    this.#add(paragraphItems(layout, lines, 0, elements), top);
    this.#page.notes.push(...paragraph.notes);
    [this.#y, this.#bottom, this.#previous] = [end, this.#bottomWith(paragraph), layout];
  }

  #placeParagraph(layout: ParagraphLayout): void {
    const { paragraph, lines } = layout;
    const borders = borderHeights(paragraph);
    const elements = this.#structure.textOf(paragraph);
    let rest = lines;
    while (rest.length > 0) {
      const above = rest === lines ? this.#spaceAbove(layout) : 0;
      const free = this.#bottom - this.#y - above - borders.above - borders.below;
      const kept = linesAbove(paragraph, rest, free);
      if (kept === 0) {
        if (this.#previous === undefined && rest === lines)
          throw new UnknownFeature('a paragraph that does not fit on a page');
        this.#fillPage();
        continue;
      }
      this.#y += above;
      const here = rest.slice(0, kept);
      if (rest === lines) this.#addAnchored(layout, here, this.#y, elements);
      this.#add(paragraphItems(layout, here, 0, elements), this.#y);
      this.#y += borders.above + heightOf(here) + borders.below;
      rest = rest.slice(kept);
      if (rest.length > 0) this.#fillPage();
      this.#previous = layout;
    }
  }

  #placeTable(table: TableLayout & { kind: 'table' }, laid: readonly BlockLayout[], index: number): void {
    if (this.#previous !== undefined) this.#y += gapBetween(this.#previous, table, this.#context);
    this.#structure.endLists();
    const headings = headingsOf(table);
    let rest = table.rows;
    let first = this.#page;
    while (rest.length > 0) {
      const isRepeated = rest !== table.rows && headings.length > 0;
      const repeated = isRepeated ? headings : [];
      const least = isRepeated ? 0 : Math.min(headings.length, rest.length - 1);
      const cut = cutRows(rest, repeated, least, this.#bottom - this.#y);
      if (cut.above.length === 0) {
        if (this.#previous === undefined) throw new UnknownFeature('a row that does not fit on a page');
        this.#fillPage();
        continue;
      }
      if (rest === table.rows) first = this.#page;
      if (cut.isSplit && !first.isFirst) this.#requireSettled(index);
      const moved = cut.below.length > 0 ? 0 : this.#rowsForNext(table, [...repeated, ...rest], laid, index);
      const above = moved === 0 ? cut.above : rest.slice(0, -moved);
      const below = moved === 0 ? cut.below : rest.slice(-moved);
      requireKnownCut(table, above.at(-1), below[0]);
      const here = [...repeated, ...above];
      this.#add(rowsItems(here, repeated.length), this.#y, table.left);
      this.#y += rowsHeight(here);
      rest = below;
      if (rest.length > 0) this.#fillPage();
      this.#previous = table;
    }
  }

  /**
   * The number of last rows that go to the next page because they stay with the block after the table, which does not
   * fit below it (Writer, `SwTabFrame::MakeAll`). 0 if that applies to all rows of the table.
   */
  #rowsForNext(table: BlockLayout, rows: readonly RowLayout[], laid: readonly BlockLayout[], index: number): number {
    const next = laid[index + 1];
    const kept = rows.length - 1 - rows.findLastIndex((row) => !row.keepsWithNext);
    if (kept === 0 || kept === rows.length || next === undefined || beginsPage(next)) return 0;
    if (this.#fits(laid, index + 1, this.#y + rowsHeight(rows), table)) return 0;
    const isWhole = table.kind === 'table' && rows.length === table.rows.length && rows[0] === table.rows[0];
    if (!isWhole || rows[rows.length - 1 - kept]?.row.isHeading === true)
      throw new UnknownFeature('the last rows of a table that stay with a paragraph at a page end');
    return kept;
  }
}
