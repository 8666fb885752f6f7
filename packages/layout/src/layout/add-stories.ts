import type { Block } from '../document/tree.ts';
import type { TextFontOf } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type Item, moveItem, type Story } from './items.ts';
import type { LineContext } from './line-context.ts';
import type { OpenPage, Page } from './page.ts';
import { pageBorderRules } from './page-border-rules.ts';
import { noteItems } from './page-notes.ts';
import type { PageNumbers } from './pieces.ts';
import { isPicture, placePictures } from './place-pictures.ts';
import { type Stack, spaceAtEnd } from './stack.ts';
import { stackBlocks } from './stack-blocks.ts';

/**
 * The top and bottom of a page's text area, in twips from the page's top. A header or footer that fills its margin
 * pushes the text. Throws UnknownFeature if no space is left.
 */
export function textArea(page: Page, context: LineContext): [top: number, bottom: number] {
  const { geometry } = page;
  const { header, footer } = stackStories(page, context, page.number);
  const top = Math.max(geometry.top, header.height === 0 ? 0 : geometry.header + header.height);
  const bottom = geometry.height - Math.max(geometry.bottom, footer.height === 0 ? 0 : geometry.footer + footer.height);
  if (bottom - top < leastHeight) throw new UnknownFeature('a page without space for text');
  return [top, bottom];
}

const leastHeight = 1_000;

/**
 * Adds headers, footers, footnotes and page borders once all pages are known (ECMA-376 part 1, 17.10). Throws
 * UnknownFeature.
 */
export function addStories(pages: readonly OpenPage[], context: LineContext): void {
  for (const page of pages) {
    const { geometry } = page;
    const { header, footer } = stackStories(page, context, pages.length);
    const before = stackStories(page, context, page.number);
    if (header.height !== before.header.height || footer.height !== before.footer.height)
      throw new UnknownFeature('a header or footer that grows with the number of pages');
    const footerTop = geometry.height - geometry.footer - footer.height;
    const stories = [
      ...header.items.map((item) => ofStory('Header', item, geometry.left, geometry.header)),
      ...footer.items.map((item) => ofStory('Footer', item, geometry.left, footerTop)),
    ];
    const others = [...noteItems(page, context), ...pageBorderRules(page.section)];
    if (page.items.some(isPicture) || stories.some(isPicture)) {
      const area = { ...page, isOnlyPage: pages.length === 1 };
      const placed = placePictures(stories, [...page.items, ...others], area);
      page.items.splice(0, page.items.length, ...placed.items);
      page.layers = placed.layers;
    } else page.items.push(...stories, ...others);
  }
}

function ofStory(story: Story, item: Item, x: number, y: number): Item {
  return { ...moveItem(item, x, y), story };
}

function stackStories(page: Page, context: LineContext, pages: number): { header: Stack; footer: Stack } {
  const { section, geometry, number, isFirst } = page;
  const isEven = section.hasEvenPages && number % 2 === 0;
  const kind = isFirst && section.hasFirstPage ? 'first' : isEven ? 'even' : 'default';
  const width = geometry.width - geometry.left - geometry.right;
  const numbers = { page: String(number), pages: String(pages) };
  const stack = (blocks: readonly Block[] | undefined): Stack =>
    stackStory(blocks ?? none, width, { ...context, numbers, structure: undefined });
  return { header: stack(section.headers[kind]), footer: stack(section.footers[kind]) };
}

const none: readonly Block[] = [];
/** Layouts of a header or footer, keyed by what they depend on. */
type KnownStacks = Map<string, Stack>;
const mostStacks = 50;
/** Keyed by the fonts and the blocks, which documents of a template share. */
const known = new WeakMap<TextFontOf, WeakMap<readonly Block[], KnownStacks>>();

function stacksOf(blocks: readonly Block[], fontOf: TextFontOf): KnownStacks {
  const ofFonts = known.get(fontOf) ?? new WeakMap<readonly Block[], KnownStacks>();
  known.set(fontOf, ofFonts);
  const stacks = ofFonts.get(blocks) ?? new Map<string, Stack>();
  ofFonts.set(blocks, stacks);
  return stacks;
}

function stackStory(blocks: readonly Block[], width: number, context: LineContext & { numbers: PageNumbers }): Stack {
  const { page, pages } = context.numbers;
  const stacks = stacksOf(blocks, context.fontOf);
  const key = hasNumbers(blocks) ? `${width} ${page} ${pages}` : String(width);
  const last = stacks.get(key);
  if (last !== undefined) return last;
  const made = stackBlocks(blocks, width, context);
  const stack = { ...made, height: made.height + spaceAtEnd(made.last) };
  if (stacks.size >= mostStacks) stacks.clear();
  stacks.set(key, stack);
  return stack;
}

function hasNumbers(blocks: readonly Block[]): boolean {
  return blocks.some((block) =>
    block.kind === 'table'
      ? block.rows.some(({ cells }) => cells.some((cell) => hasNumbers(cell.blocks)))
      : block.inlines.some(({ kind }) => kind === 'page' || kind === 'pages'),
  );
}
