import type { Block, DocumentTree, PageGeometry, Paragraph, Section } from '../document/tree.ts';
import type { TextFontOf } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { fillLines, type LineContext } from './fill-lines.ts';
import type { Line } from './line.ts';
import type { PageNumbers } from './pieces.ts';

/** A line where it stands on a page, in twips from the upper left corner. */
export interface PlacedLine {
  readonly kind: 'line';
  /** The left margin of its column, and its top. */
  readonly left: number;
  readonly top: number;
  readonly line: Line;
}

export interface Heading {
  readonly title: string;
  readonly level: number;
  readonly top: number;
}

export interface Page {
  readonly section: Section;
  readonly geometry: PageGeometry;
  readonly items: readonly PlacedLine[];
  readonly headings: readonly Heading[];
}

interface OpenPage {
  readonly section: Section;
  readonly geometry: PageGeometry;
  readonly items: PlacedLine[];
  readonly headings: Heading[];
}

const mostPages = 20_000;

/** Fills the pages of a document. Throws UnknownFeature. */
export function layOutDocument(tree: DocumentTree, fontOf: TextFontOf): readonly Page[] {
  const pages: OpenPage[] = [];
  const context: LineContext = { fontOf, defaultTab: tree.defaultTab, numbers: undefined };
  for (const section of tree.sections) new SectionFlow(section, pages, context).place();
  if (pages.length > mostPages) throw new UnknownFeature('very many pages');
  addStories(pages, context);
  return pages;
}

interface Laid {
  readonly paragraph: Paragraph;
  readonly lines: readonly Line[];
}

class SectionFlow {
  readonly #section: Section;
  readonly #pages: OpenPage[];
  readonly #context: LineContext;
  readonly #firstPage: number;
  readonly #bottom: number;
  #page: OpenPage;
  #y: number;
  #previous: Laid | undefined;
  /** Whether a break that the document asks for begins the page: then the space above its first paragraph stays. */
  #keepsSpaceAbove = true;

  constructor(section: Section, pages: OpenPage[], context: LineContext) {
    this.#section = section;
    this.#pages = pages;
    this.#context = context;
    this.#firstPage = pages.length;
    this.#bottom = section.geometry.height - section.geometry.bottom;
    this.#page = this.#newPage();
    this.#y = section.geometry.top;
  }

  place(): void {
    const laid = this.#section.blocks.map((block) => this.#layOut(block));
    for (const [index, one] of laid.entries()) {
      if (one.paragraph.format.breaksPageBefore && this.#page.items.length > 0) this.#endPage(true);
      if (this.#previous !== undefined && !this.#fitsWithNext(laid, index)) this.#endPage(false);
      this.#placeParagraph(one);
    }
  }

  #newPage(): OpenPage {
    const { geometry } = this.#section;
    const page = { section: this.#section, geometry, items: [], headings: [] };
    this.#pages.push(page);
    if (this.#pages.length - this.#firstPage > mostPages) throw new UnknownFeature('very many pages');
    return page;
  }

  #endPage(keepsSpaceAbove: boolean): void {
    this.#page = this.#newPage();
    this.#y = this.#section.geometry.top;
    this.#previous = undefined;
    this.#keepsSpaceAbove = keepsSpaceAbove;
  }

  #layOut(block: Block): Laid {
    const { geometry } = this.#section;
    const lines = fillLines(block, geometry.width - geometry.left - geometry.right, this.#context);
    return { paragraph: block, lines };
  }

  #spaceAbove(paragraph: Paragraph): number {
    if (this.#previous !== undefined) return spaceBetween(this.#previous, paragraph);
    return this.#keepsSpaceAbove ? paragraph.format.before : 0;
  }

  /** Whether a paragraph fits on the page with those that it must stay together with, or need not. */
  #fitsWithNext(laid: readonly Laid[], index: number): boolean {
    let y = this.#y;
    let previous = this.#previous;
    for (let at = index; at < laid.length; at++) {
      const one = laid[at];
      if (one === undefined) return true;
      const { paragraph, lines } = one;
      y += previous === undefined ? 0 : spaceBetween(previous, paragraph);
      if (!paragraph.format.keepsWithNext || at === laid.length - 1) {
        if (at === index) return true;
        const least = leastLines(paragraph, lines.length);
        return y + heightOf(lines.slice(0, Math.max(1, least))) <= this.#bottom;
      }
      y += heightOf(lines);
      if (y > this.#bottom) return false;
      previous = one;
    }
    return true;
  }

  #placeParagraph(laid: Laid): void {
    const { paragraph, lines } = laid;
    let rest = lines;
    while (rest.length > 0) {
      const above = rest === lines ? this.#spaceAbove(paragraph) : 0;
      const kept = linesAbove(paragraph, rest, this.#bottom - this.#y - above);
      if (kept === 0) {
        if (this.#previous === undefined && rest === lines && this.#page.items.length === 0)
          throw new UnknownFeature('a line that is higher than its page');
        this.#endPage(false);
        continue;
      }
      if (rest === lines) this.#addHeading(paragraph, above);
      this.#y += above;
      const here = rest.slice(0, kept);
      for (const [index, line] of here.entries()) {
        this.#y += here[index - 1]?.spacing ?? 0;
        this.#page.items.push({ kind: 'line', left: this.#section.geometry.left, top: this.#y, line });
        this.#y += line.height;
      }
      rest = rest.slice(kept);
      if (rest.length > 0) this.#endPage(false);
      this.#previous = laid;
    }
  }

  #addHeading({ format, inlines }: Paragraph, above: number): void {
    if (format.outlineLevel === undefined) return;
    const title = inlines
      .map((inline) => (inline.kind === 'text' ? inline.text : ' '))
      .join('')
      .trim();
    if (title !== '') this.#page.headings.push({ title, level: format.outlineLevel, top: this.#y + above });
  }
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

/** The height of lines that stand below each other, without the spacing below the last one. */
function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { height }, index) => sum + height + (lines[index - 1]?.spacing ?? 0), 0);
}

/**
 * The space between two paragraphs: the sum of what both ask for (Writer, `SwFlowFrame::CalcUpperSpace` with
 * `DocumentSettingId::PARA_SPACE_MAX`) and the line spacing of the upper one. A paragraph that wants none between its style
 * adds none.
 */
function spaceBetween({ paragraph: upper, lines }: Laid, lower: Paragraph): number {
  const isAlike = upper.style === lower.style;
  const after = isAlike && upper.format.hasContextualSpacing ? 0 : upper.format.after;
  const before = isAlike && lower.format.hasContextualSpacing ? 0 : lower.format.before;
  return after + before + (lines.at(-1)?.spacing ?? 0);
}

/** Headers and footers, once all pages are known. */
function addStories(pages: readonly OpenPage[], context: LineContext): void {
  let number = 0;
  for (const [index, page] of pages.entries()) {
    const { section, geometry } = page;
    const isFirst = pages[index - 1]?.section !== section;
    number = isFirst ? (section.firstNumber ?? number + 1) : number + 1;
    const kind =
      isFirst && section.hasFirstPage ? 'first' : section.hasEvenPages && number % 2 === 0 ? 'even' : 'default';
    const numbers = { page: String(number), pages: String(pages.length) };
    const header = layOutStory(section.headers[kind], geometry, context, numbers);
    const footer = layOutStory(section.footers[kind], geometry, context, numbers);
    if (geometry.header + header.height > geometry.top || geometry.footer + footer.height > geometry.bottom)
      throw new UnknownFeature('a header or footer that fills its margin');
    const footerTop = geometry.height - geometry.footer - footer.height;
    for (const { line, top } of header.lines)
      page.items.push({ kind: 'line', left: geometry.left, top: geometry.header + top, line });
    for (const { line, top } of footer.lines)
      page.items.push({ kind: 'line', left: geometry.left, top: footerTop + top, line });
  }
}

interface Story {
  readonly height: number;
  readonly lines: readonly { readonly line: Line; readonly top: number }[];
}

function layOutStory(
  blocks: readonly Block[] | undefined,
  geometry: PageGeometry,
  context: LineContext,
  numbers: PageNumbers,
): Story {
  const placed: { readonly line: Line; readonly top: number }[] = [];
  let y = 0;
  let previous: Laid | undefined;
  for (const block of blocks ?? []) {
    y += previous === undefined ? block.format.before : spaceBetween(previous, block);
    const lines = fillLines(block, geometry.width - geometry.left - geometry.right, { ...context, numbers });
    for (const [index, line] of lines.entries()) {
      y += lines[index - 1]?.spacing ?? 0;
      placed.push({ line, top: y });
      y += line.height;
    }
    previous = { paragraph: block, lines };
  }
  return { height: y + (previous?.paragraph.format.after ?? 0), lines: placed };
}
