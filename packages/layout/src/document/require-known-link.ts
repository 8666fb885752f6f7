import { UnknownFeature } from '../unknown-feature.ts';
import type { Inline } from './tree.ts';

/**
 * Throws UnknownFeature for links in several formats or with tabs: LibreOffice applies properties of the last run to
 * the other runs, and makes the tab leaders part of the link.
 */
export function requireKnownLink(linked: readonly Inline[]): void {
  if (linked.some(({ kind }) => kind === 'tab')) throw new UnknownFeature('a tab in a link');
  const formats = new Set(linked.map(({ format }) => format));
  if (new Set([...formats].map((format) => JSON.stringify(format))).size > 1)
    throw new UnknownFeature('a link in several formats');
}
