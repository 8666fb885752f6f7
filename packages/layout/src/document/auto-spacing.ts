import { UnknownFeature } from '../unknown-feature.ts';
import type { Block, Paragraph, ParagraphFormat } from './tree.ts';

/** The space above and below paragraphs with automatic spacing, as in browsers (ECMA-376 part 1, 17.3.1.33). */
export interface AutoSpacing {
  /** In twips. */
  readonly space: number;
  /**
   * Whether the space is dropped above the first paragraph of the document or of a cell, and below the last one of a
   * cell.
   */
  readonly isDroppedAtEdges: boolean;
}

type SpacedFormat = Pick<ParagraphFormat, 'before' | 'after' | 'hasAutoBefore' | 'hasAutoAfter'>;

/**
 * Applies a paragraph's own settings: its explicit space overrides the style's automatic space, but a style's explicit
 * space does not override automatic space.
 */
export function overrideAutoSpacing(
  own: Partial<ParagraphFormat>,
  inherited: Pick<SpacedFormat, 'hasAutoBefore' | 'hasAutoAfter'>,
): Partial<ParagraphFormat> {
  if (!inherited.hasAutoBefore && !inherited.hasAutoAfter) return own;
  return {
    ...(own.before !== undefined && { hasAutoBefore: false }),
    ...(own.after !== undefined && { hasAutoAfter: false }),
    ...own,
  };
}

/**
 * Replaces a paragraph's automatic space by LibreOffice's, if known. `table` is what the style of its table sets.
 * Throws UnknownFeature.
 */
export function resolveAutoSpacing(
  format: ParagraphFormat,
  spacing: AutoSpacing | undefined,
  table: Partial<SpacedFormat> | undefined,
): ParagraphFormat {
  const { hasAutoBefore, hasAutoAfter, before, after } = format;
  if (!hasAutoBefore && !hasAutoAfter) return format;
  if (spacing === undefined) throw new UnknownFeature('automatic space in a header, footer or note');
  // LibreOffice omits it between the paragraphs of a list.
  if (format.numbering.id !== '0') throw new UnknownFeature('automatic space in a list');
  if (table !== undefined && ['before', 'after', 'hasAutoBefore', 'hasAutoAfter'].some((name) => name in table))
    throw new UnknownFeature('automatic space in a table whose style sets space');
  const { space } = spacing;
  return { ...format, before: hasAutoBefore ? space : before, after: hasAutoAfter ? space : after };
}

/** The first paragraph of a document without automatic space above it. */
export function withoutAutoBefore(paragraph: Paragraph, { isDroppedAtEdges }: AutoSpacing): Paragraph {
  const { format } = paragraph;
  return isDroppedAtEdges && format.hasAutoBefore ? { ...paragraph, format: { ...format, before: 0 } } : paragraph;
}

function withoutAutoAfter(paragraph: Paragraph): Paragraph {
  const { format } = paragraph;
  return format.hasAutoAfter ? { ...paragraph, format: { ...format, after: 0 } } : paragraph;
}

/** The blocks of a cell without automatic space at its edges. */
export function trimAutoSpacing(blocks: readonly Block[], spacing: AutoSpacing | undefined): readonly Block[] {
  if (spacing?.isDroppedAtEdges !== true) return blocks;
  const [first, last] = [blocks[0], blocks.at(-1)];
  const isKept = !(first?.kind === 'paragraph' && first.format.hasAutoBefore);
  if (isKept && !(last?.kind === 'paragraph' && last.format.hasAutoAfter)) return blocks;
  return blocks.map((block, index) => {
    if (block.kind === 'table') return block;
    const trimmed = index === 0 ? withoutAutoBefore(block, spacing) : block;
    return index === blocks.length - 1 ? withoutAutoAfter(trimmed) : trimmed;
  });
}
