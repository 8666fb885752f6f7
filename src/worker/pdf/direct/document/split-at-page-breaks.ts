import { UnknownFeature } from '../unknown-feature.ts';
import type { Inline, Paragraph } from './tree.ts';

export interface SplitParagraph {
  readonly paragraphs: readonly Paragraph[];
  /** Whether the page ends behind the last of them. */
  readonly endsPage: boolean;
}

/**
 * Divides a paragraph at its page breaks, as LibreOffice does: what follows a break is a paragraph that begins a page, and a break at the
 * end acts on the next paragraph. Throws UnknownFeature for formats that both parts would share.
 */
export function splitAtPageBreaks(paragraph: Paragraph): SplitParagraph {
  const parts: Inline[][] = [[]];
  for (const inline of paragraph.inlines) {
    if (inline.kind === 'page-break') parts.push([]);
    else parts.at(-1)?.push(inline);
  }
  if (parts.length === 1) return { paragraphs: [paragraph], endsPage: false };
  const { format } = paragraph;
  const borders = [format.borderTop, format.borderBottom, format.shading];
  const isBound = paragraph.anchored.length > 0 || paragraph.notes.length > 0;
  if (format.numbering.id !== '0' || borders.some((one) => one !== undefined) || isBound)
    throw new UnknownFeature('a page break in such a paragraph');
  const endsPage = parts.at(-1)?.length === 0;
  if (endsPage) parts.pop();
  const [first, ...others] = parts;
  if (others.some((inlines) => inlines.length === 0)) throw new UnknownFeature('page breaks side by side');
  const isFirstEmpty = first === undefined || first.length === 0;
  const behind = others.map((inlines, index) => {
    // Only a break at its beginning leaves a paragraph its space above.
    const format = { ...paragraph.format, firstLine: 0, breaksPageBefore: true };
    return { ...paragraph, inlines, format: isFirstEmpty && index === 0 ? format : { ...format, before: 0 } };
  });
  return {
    paragraphs: isFirstEmpty && behind.length > 0 ? behind : [{ ...paragraph, inlines: first ?? [] }, ...behind],
    endsPage,
  };
}

/** A paragraph behind a page break has no space above. */
export function beginPage(paragraph: Paragraph): Paragraph {
  return { ...paragraph, format: { ...paragraph.format, breaksPageBefore: true, before: 0 } };
}
