import { UnknownFeature } from '../unknown-feature.ts';
import type { Block, Stories } from './tree.ts';

export type StoryKind = 'header' | 'footer';

interface Filling {
  readonly hasFirstPage: boolean;
  readonly hasEvenPages: boolean;
  /** Whether the document has no other section. */
  readonly isOnlySection: boolean;
  readonly empty: () => readonly Block[];
}

/**
 * LibreOffice has space for a header or footer on each page of a section or on none: pages without one have an empty paragraph. A first one
 * alone counts only if the section asks for it, one of even pages always. Throws UnknownFeature where other sections take over one of
 * some pages.
 */
export function fillStories(stories: Stories, { hasFirstPage, hasEvenPages, isOnlySection, empty }: Filling): Stories {
  const { default: usual, first, even } = stories;
  if (usual === undefined && even === undefined && (first === undefined || !hasFirstPage)) return stories;
  if (usual === undefined && !isOnlySection) throw new UnknownFeature('a header or footer of some pages');
  return {
    default: usual ?? empty(),
    first: first ?? (hasFirstPage ? empty() : undefined),
    even: even ?? (hasEvenPages ? empty() : undefined),
  };
}
