import { UnknownFeature } from '../unknown-feature.ts';
import type { Block, Stories } from './tree.ts';

export type StoryKind = 'header' | 'footer';

interface Filling {
  readonly hasFirstPage: boolean;
  readonly hasEvenPages: boolean;
  /** Whether this is the only section of the document. */
  readonly isOnlySection: boolean;
  readonly empty: () => readonly Block[];
}

/**
 * LibreOffice reserves space for a header or footer on all pages of a section or on none, so pages without one get an
 * empty paragraph. A header of the first page counts only if the section enables it; one of even pages always counts.
 * Throws UnknownFeature if other sections inherit one that only some pages have.
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
