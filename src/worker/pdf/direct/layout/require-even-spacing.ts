import { UnknownFeature } from '../unknown-feature.ts';
import type { Line } from './line.ts';

/**
 * For the lines of a paragraph of which one is full: throws UnknownFeature for text of several heights with space between the lines. Writer
 * may take the space below a full line from text of the next one.
 */
export function requireEvenSpacing(lines: readonly Line[]): void {
  if (lines.every(({ spacing }) => spacing === 0)) return;
  const [first, ...others] = lines.flatMap(({ fragments }) =>
    fragments.flatMap((fragment) => (fragment.kind === 'text' ? [fragment.font.lineHeight] : [])),
  );
  if (others.some((height) => height !== first))
    throw new UnknownFeature('text of several heights in a paragraph with space between its lines');
}
