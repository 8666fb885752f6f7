import type { Block } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { Item } from './items.ts';
import type { ParagraphHeights, ParagraphLayout } from './lay-out-paragraph.ts';
import type { Line } from './line.ts';
import type { LineContext } from './line-context.ts';
import type { TextElements } from './structure.ts';

/** The heights of stacked blocks, in twips. */
export interface StackHeights {
  /** Excludes the space below the last block. */
  readonly height: number;
  /** The last block, if it is a paragraph. */
  readonly last: ParagraphHeights | undefined;
}

/** Stacked blocks on one page: those of a cell, a header or a footer. */
export interface Stack extends StackHeights {
  readonly items: readonly Item[];
  readonly last: ParagraphLayout | undefined;
  /** Its paragraphs; undefined if it also has tables. */
  readonly parts: readonly StackedPart[] | undefined;
}

/** A paragraph of a stack, or the part of it that is on a page. */
export interface StackedPart {
  readonly layout: ParagraphLayout;
  readonly lines: readonly Line[];
  readonly elements: TextElements | undefined;
  /** In twips, excluding the space above it. */
  readonly top: number;
}

/** Lays out blocks in a column of this width in twips. */
export type StackBlocks = (blocks: readonly Block[], width: number, context: LineContext) => Stack;

/**
 * The space below the last paragraph of a cell, header or footer. Its line spacing depends on its text size (Writer,
 * `SwBorderAttrs::CalcLineSpacing_`).
 */
export function spaceAtEnd(last: ParagraphHeights | undefined): number {
  if (last === undefined) return 0;
  const { format, mark, styleHalfPoints } = last.paragraph;
  const percent = format.lineRule === 'auto' ? Math.round((format.line * 100) / 240) : 100;
  if (percent === 100) return format.after;
  if (mark.halfPoints !== styleHalfPoints) throw new UnknownFeature('a cell that ends with text of another size');
  return format.after + Math.floor((styleHalfPoints * 10 * (percent - 100) * 1.15) / 100);
}

/** The space below a paragraph that precedes a table. */
export function spaceBelow(last: ParagraphHeights | undefined): number {
  return last === undefined ? 0 : last.paragraph.format.after + (last.lines.at(-1)?.spacingBelow ?? 0);
}
