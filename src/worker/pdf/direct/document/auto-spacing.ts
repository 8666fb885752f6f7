import { UnknownFeature } from '../unknown-feature.ts';
import type { Block, Paragraph, ParagraphFormat } from './tree.ts';

/** Space above and below paragraphs that leave it to the program, as browsers do (ECMA-376 part 1, 17.3.1.33). */
export interface AutoSpacing {
  /** In twips. */
  readonly space: number;
  /** Whether there is none above the first paragraph of the document or of a cell, and below the last one of a cell. */
  readonly isDroppedAtEdges: boolean;
}

type SpacedFormat = Pick<ParagraphFormat, 'before' | 'after' | 'hasAutoBefore' | 'hasAutoAfter'>;

/** What a paragraph sets itself: its own space is stronger than automatic space of its style. A style's own space is weaker. */
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
 * Gives a paragraph that leaves its space to the program that of LibreOffice, if it is known. `table` is what the style of its table sets.
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
  // Between paragraphs of a list LibreOffice leaves it out.
  if (format.numbering.id !== '0') throw new UnknownFeature('automatic space in a list');
  if (table !== undefined && ['before', 'after', 'hasAutoBefore', 'hasAutoAfter'].some((name) => name in table))
    throw new UnknownFeature('automatic space in a table whose style sets space');
  const { space } = spacing;
  return { ...format, before: hasAutoBefore ? space : before, after: hasAutoAfter ? space : after };
}

/** The first paragraph of a document, without the automatic space above it. */
export function withoutAutoBefore(paragraph: Paragraph, { isDroppedAtEdges }: AutoSpacing): Paragraph {
  const { format } = paragraph;
  return isDroppedAtEdges && format.hasAutoBefore ? { ...paragraph, format: { ...format, before: 0 } } : paragraph;
}

function withoutAutoAfter(paragraph: Paragraph): Paragraph {
  const { format } = paragraph;
  return format.hasAutoAfter ? { ...paragraph, format: { ...format, after: 0 } } : paragraph;
}

/** The blocks of a cell without the automatic space at its edges. */
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
