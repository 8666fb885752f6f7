import type { Block, DocumentTree, Paragraph, Section } from '../document/tree.ts';
import type { TextFontOf } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { addStories, textArea } from './add-stories.ts';
import type { LineContext } from './fill-lines.ts';
import { type Item, moveItem } from './items.ts';
import {
  borderHeights,
  heightOf,
  layOutParagraph,
  type ParagraphLayout,
  paragraphHeight,
  paragraphItems,
  spaceBetween,
} from './lay-out-paragraph.ts';
import { borderBelow, layOutTable, type RowLayout, rowsHeight, rowsItems, type TableLayout } from './lay-out-table.ts';
import type { Line } from './line.ts';
import type { OpenPage, Page } from './page.ts';
import { spaceBelow } from './stack.ts';
import { stackBlocks } from './stack-blocks.ts';

const mostPages = 20_000;
/** A third of a twip: portions of text are rounded to twips. */
const slackDots = 2;

/** Fills the pages of a document. Throws UnknownFeature. */
export function layOutDocument(tree: DocumentTree, fontOf: TextFontOf): readonly Page[] {
  const pages: OpenPage[] = [];
  const { addsSpaces, tabDistance } = tree;
  const context = { fontOf, addsSpaces, tabDistance, slack: slackDots, numbers: undefined };
  for (const section of tree.sections) new SectionFlow(section, pages, context).place();
  addStories(pages, context);
  return pages;
}

type BlockLayout = ParagraphLayout | (TableLayout & { readonly kind: 'table' });

class SectionFlow {
  readonly #section: Section;
  readonly #pages: OpenPage[];
  readonly #context: LineContext;
  #page: OpenPage;
  #y = 0;
  #bottom = 0;
  /** The block above on this page. */
  #previous: BlockLayout | undefined;
  /** Whether a break that the document asks for begins the page: then the space above its first paragraph stays. */
  #keepsSpaceAbove = true;

  constructor(section: Section, pages: OpenPage[], context: LineContext) {
    this.#section = section;
    this.#pages = pages;
    this.#context = context;
    this.#page = this.#newPage();
  }

  place(): void {
    const { geometry, blocks } = this.#section;
    const width = geometry.width - geometry.left - geometry.right;
    const laid = blocks.map((block): BlockLayout => layOutBlock(block, width, this.#context));
    for (const [index, one] of laid.entries()) {
      if (one.kind === 'paragraph' && one.paragraph.format.breaksPageBefore && this.#previous !== undefined)
        this.#breakPage();
      if (this.#previous !== undefined && !this.#fitsWithNext(laid, index)) this.#endPage(false);
      if (one.kind === 'paragraph') this.#placeParagraph(one);
      else this.#placeTable(one);
    }
  }

  #newPage(): OpenPage {
    const section = this.#section;
    const before = this.#pages.at(-1);
    const isFirst = before?.section !== section;
    const number = (isFirst ? section.firstNumber : undefined) ?? (before?.number ?? 0) + 1;
    const page = { section, geometry: section.geometry, number, isFirst, items: [], headings: [] };
    if (this.#pages.push(page) > mostPages) throw new UnknownFeature('very many pages');
    [this.#y, this.#bottom] = textArea(page, this.#context);
    return page;
  }

  #breakPage(): void {
    const isEmpty = this.#page.items.every((item) => item.kind === 'line' && item.line.fragments.length === 0);
    if (isEmpty) throw new UnknownFeature('an empty page');
    this.#endPage(true);
  }

  #endPage(keepsSpaceAbove: boolean): void {
    this.#page = this.#newPage();
    this.#previous = undefined;
    this.#keepsSpaceAbove = keepsSpaceAbove;
  }

  #add(items: readonly Item[], top: number, left = 0): void {
    for (const item of items) this.#page.items.push(moveItem(item, this.#section.geometry.left + left, top));
  }

  #spaceAbove(layout: ParagraphLayout): number {
    if (this.#previous !== undefined) return gapBetween(this.#previous, layout, this.#context);
    return this.#keepsSpaceAbove ? layout.paragraph.format.before : 0;
  }

  /** Whether a paragraph fits on the page with those that it must stay together with, or need not. */
  #fitsWithNext(laid: readonly BlockLayout[], index: number): boolean {
    let y = this.#y;
    let previous = this.#previous;
    for (let at = index; at < laid.length; at++) {
      const one = laid[at];
      if (one === undefined) return true;
      y += previous === undefined ? 0 : gapBetween(previous, one, this.#context);
      const isLast = at === laid.length - 1;
      if (one.kind === 'table') {
        if (at === index) return true;
        const fits = y + rowsHeight(one.rows) <= this.#bottom;
        if (!fits) throw new UnknownFeature('a table that stays with a paragraph at a page end');
        return true;
      }
      if (!one.paragraph.format.keepsWithNext || isLast) {
        if (at === index) return true;
        const least = leastLines(one.paragraph, one.lines.length);
        return y + heightOf(one.lines.slice(0, Math.max(1, least))) <= this.#bottom;
      }
      y += paragraphHeight(one);
      if (y > this.#bottom) return false;
      previous = one;
    }
    return true;
  }

  #placeParagraph(layout: ParagraphLayout): void {
    const { paragraph, lines } = layout;
    const borders = borderHeights(paragraph);
    let rest = lines;
    while (rest.length > 0) {
      const above = rest === lines ? this.#spaceAbove(layout) : 0;
      const free = this.#bottom - this.#y - above - borders.above - borders.below;
      const kept = linesAbove(paragraph, rest, free);
      if (kept === 0) {
        if (this.#previous === undefined && rest === lines)
          throw new UnknownFeature('a paragraph that does not fit on a page');
        this.#endPage(false);
        continue;
      }
      if (rest === lines) this.#addHeading(paragraph, this.#y + above);
      this.#y += above;
      const here = rest.slice(0, kept);
      this.#add(paragraphItems(layout, here, 0), this.#y);
      this.#y += borders.above + heightOf(here) + borders.below;
      rest = rest.slice(kept);
      if (rest.length > 0) this.#endPage(false);
      this.#previous = layout;
    }
  }

  #placeTable(table: TableLayout & { kind: 'table' }): void {
    if (this.#previous !== undefined) this.#y += gapBetween(this.#previous, table, this.#context);
    const count = table.rows.findIndex(({ row }) => !row.isHeading);
    const headings = table.rows.slice(0, Math.max(0, count));
    let rest = table.rows;
    while (rest.length > 0) {
      const isRepeated = rest !== table.rows && headings.length > 0;
      const repeated = isRepeated ? headings : [];
      const fit = rowsThatFit(rest, repeated, this.#bottom - this.#y);
      if (fit < rest.length) this.#requirePlainEnd(rest, fit, repeated);
      if (fit <= (isRepeated ? 0 : Math.min(headings.length, rest.length - 1))) {
        if (this.#previous === undefined) throw new UnknownFeature('a row that does not fit on a page');
        this.#endPage(false);
        continue;
      }
      const here = [...repeated, ...rest.slice(0, fit)];
      this.#add(rowsItems(here), this.#y, table.left);
      this.#y += rowsHeight(here);
      rest = rest.slice(fit);
      if (rest.length > 0) this.#endPage(false);
      this.#previous = table;
    }
  }

  /** Throws UnknownFeature for a page end where a row may be split, or moves with the next one. */
  #requirePlainEnd(rest: readonly RowLayout[], fit: number, repeated: readonly RowLayout[]): void {
    const [before, next] = [rest[fit - 1], rest[fit]];
    if (before?.keepsWithNext === true) throw new UnknownFeature('rows that stay together at a page end');
    if (next === undefined || !next.row.canSplit || next.row.isExact || next.row.isHeading) return;
    const used = rowsHeight([...repeated, ...rest.slice(0, fit)]);
    const free = this.#bottom - this.#y - used;
    const leastHeights = next.cells.map(({ cell, stack }) => {
      const line = stack.items.find((item) => item.kind === 'line');
      return cell.marginTop + (line?.kind === 'line' ? line.top + line.line.height : 0);
    });
    // A row is split only if each cell keeps a line.
    if (free >= next.borderAbove + Math.max(0, ...leastHeights)) throw new UnknownFeature('a row over a page end');
  }

  #addHeading({ format, inlines }: Paragraph, top: number): void {
    if (format.outlineLevel === undefined) return;
    const title = inlines
      .map((inline) => (inline.kind === 'text' ? inline.text : ' '))
      .join('')
      .trim();
    if (title !== '') this.#page.headings.push({ title, level: format.outlineLevel, top });
  }
}

function layOutBlock(block: Block, width: number, context: LineContext): BlockLayout {
  if (block.kind === 'paragraph') return layOutParagraph(block, width, context);
  return { kind: 'table', ...layOutTable(block, context, stackBlocks) };
}

function gapBetween(upper: BlockLayout, lower: BlockLayout, context: LineContext): number {
  if (upper.kind === 'paragraph')
    return lower.kind === 'paragraph' ? spaceBetween(upper, lower, context) : spaceBelow(upper);
  if (lower.kind === 'paragraph') return lower.paragraph.format.before;
  throw new UnknownFeature('tables that touch');
}

/** How many rows fit below those that are repeated. */
function rowsThatFit(rows: readonly RowLayout[], repeated: readonly RowLayout[], free: number): number {
  let used = repeated.reduce((sum, { height }) => sum + height, 0);
  for (const [index, row] of rows.entries()) {
    used += row.height;
    if (used + borderBelow([row]) > free) return index;
  }
  return rows.length;
}

/** The fewest lines of a paragraph that may stand alone above and below a page end. */
function leastLines({ format }: Paragraph, count: number): number {
  if (format.keepsLines) return count;
  return format.hasWidowControl ? Math.min(2, count) : 1;
}

/** How many lines stay above a page end with this much free space. */
function linesAbove(paragraph: Paragraph, lines: readonly Line[], free: number): number {
  let fit = 0;
  while (fit < lines.length && heightOf(lines.slice(0, fit + 1)) <= free) fit++;
  if (fit === lines.length) return fit;
  const least = leastLines(paragraph, lines.length);
  const kept = Math.min(fit, lines.length - least);
  return kept >= least ? kept : 0;
}
