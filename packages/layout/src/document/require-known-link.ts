import { UnknownFeature } from '../unknown-feature.ts';
import type { Inline } from './tree.ts';

/**
 * LibreOffice gives properties of the last run in a link to the others, and links the leaders of tabs. Throws
 * UnknownFeature.
 */
export function requireKnownLink(linked: readonly Inline[]): void {
  if (linked.some(({ kind }) => kind === 'tab')) throw new UnknownFeature('a tab in a link');
  const formats = new Set(linked.map(({ format }) => format));
  if (new Set([...formats].map((format) => JSON.stringify(format))).size > 1)
    throw new UnknownFeature('a link in several formats');
}
