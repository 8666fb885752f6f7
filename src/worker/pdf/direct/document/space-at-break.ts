import { UnknownFeature } from '../unknown-feature.ts';
import type { Block, Paragraph } from './tree.ts';

export interface BreakContext {
  /** The block above in the document; undefined for the first one. */
  readonly previous: Block | undefined;
  readonly beginsSection: boolean;
  /** Whether a page break leaves no space above its paragraph, as in Word 2013. */
  readonly dropsSpace: boolean;
}

/**
 * The space above a paragraph that begins a page because the document asks for it: what it exceeds that below the paragraph before,
 * which is on another page (LibreOffice, `SectionPropertyMap::CloseSectionGroup` and `DomainMapper_Impl::finishParagraph`), and since
 * Word 2013 none unless it begins a section.
 */
export function spaceAtBreak({ format, style }: Paragraph, context: BreakContext): number {
  const { previous, beginsSection, dropsSpace } = context;
  if (previous === undefined) return format.before;
  if (dropsSpace && !beginsSection) return 0;
  const hasAuto = format.hasAutoBefore || (previous.kind === 'paragraph' && previous.format.hasAutoAfter);
  // What of it is left depends on how the page break is written.
  if (hasAuto) throw new UnknownFeature('automatic space at the beginning of a page');
  if (previous.kind === 'table') return format.before;
  if (format.hasContextualSpacing && style === previous.style) return 0;
  return Math.max(0, format.before - previous.format.after);
}
