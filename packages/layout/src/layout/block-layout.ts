import type { Block, Paragraph } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { borderHeights, heightOf, layOutParagraph, type ParagraphLayout, spaceBetween } from './lay-out-paragraph.ts';
import { layOutTable, type TableLayout } from './lay-out-table.ts';
import type { Line } from './line.ts';
import type { LineContext } from './line-context.ts';
import { spaceBelow } from './stack.ts';
import { stackBlocks } from './stack-blocks.ts';

/** The layout of a block, and its constraints on page breaks. */
export type BlockLayout = ParagraphLayout | (TableLayout & { readonly kind: 'table' });

export const hasNotes = (block: BlockLayout): block is ParagraphLayout =>
  block.kind === 'paragraph' && block.paragraph.notes.length > 0;

export const beginsPage = (block: BlockLayout): boolean =>
  block.kind === 'paragraph' && block.paragraph.format.breaksPageBefore;

/**
 * Whether a block stays on the page of the next one. A table does if all of its rows request it themselves (Writer,
 * `SwTabFrame::AreAllRowsKeepWithNext`).
 */
export function keepsWith(block: BlockLayout, next: BlockLayout | undefined): boolean {
  if (next === undefined || beginsPage(next)) return false;
  if (block.kind === 'paragraph') return block.paragraph.format.keepsWithNext;
  return block.rows.length > 1 && block.rows.every((row) => row.row.isHeading || row.keepsItself);
}

export function bordersOf({ paragraph }: ParagraphLayout): number {
  const { above, below } = borderHeights(paragraph);
  return above + below;
}

export function layOutBlock(block: Block, width: number, context: LineContext): BlockLayout {
  if (block.kind === 'paragraph') return layOutParagraph(block, width, context);
  return { kind: 'table', ...layOutTable(block, width, context, stackBlocks) };
}

export function gapBetween(upper: BlockLayout, lower: BlockLayout, context: LineContext): number {
  if (upper.kind === 'paragraph')
    return lower.kind === 'paragraph' ? spaceBetween(upper, lower.paragraph, context) : spaceBelow(upper);
  if (lower.kind === 'paragraph') return lower.paragraph.format.before;
  throw new UnknownFeature('tables that touch');
}

/** The minimum number of lines of a paragraph on each side of a page end. */
function leastLines({ format }: Paragraph, count: number): number {
  if (format.keepsLines) return count;
  return format.hasWidowControl ? Math.min(2, count) : 1;
}

/** The number of lines that stay above a page end with this much free space. */
export function linesAbove(paragraph: Paragraph, lines: readonly Line[], free: number): number {
  let fit = 0;
  while (fit < lines.length && heightOf(lines.slice(0, fit + 1)) <= free) fit++;
  if (fit === lines.length) return fit;
  const least = leastLines(paragraph, lines.length);
  const kept = Math.min(fit, lines.length - least);
  return kept >= least ? kept : 0;
}
