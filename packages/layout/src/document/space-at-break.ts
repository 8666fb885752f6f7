import { UnknownFeature } from '../unknown-feature.ts';
import type { Block, Paragraph } from './tree.ts';

export interface BreakContext {
  /** The previous block in the document; undefined for the first one. */
  readonly previous: Block | undefined;
  readonly beginsSection: boolean;
  /** Whether a page break drops the space above its paragraph, as in Word 2013. */
  readonly dropsSpace: boolean;
}

/**
 * The space above a paragraph that begins a page because of a break. It is reduced by the space below the previous
 * paragraph, which is on another page (LibreOffice, `SectionPropertyMap::CloseSectionGroup` and
 * `DomainMapper_Impl::finishParagraph`). Since Word 2013 there is none, unless the paragraph begins a section.
 */
export function spaceAtBreak({ format, style }: Paragraph, context: BreakContext): number {
  const { previous, beginsSection, dropsSpace } = context;
  if (previous === undefined) return format.before;
  if (dropsSpace && !beginsSection) return 0;
  const hasAuto = format.hasAutoBefore || (previous.kind === 'paragraph' && previous.format.hasAutoAfter);
  // The remaining automatic space depends on how the page break is written.
  if (hasAuto) throw new UnknownFeature('automatic space at the beginning of a page');
  if (previous.kind === 'table') return format.before;
  if (format.hasContextualSpacing && style === previous.style) return 0;
  return Math.max(0, format.before - previous.format.after);
}
