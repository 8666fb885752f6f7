import type { ParagraphFormat, TabStop } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';

/** If a default stop is closer than this, the tab goes to the next one. */
const leastTab = 60;

/** The next stop after a position on a line, in twips. Throws UnknownFeature. */
export function nextStop(
  { tabs, left, firstLine }: ParagraphFormat,
  x: number,
  tabDistance: number | undefined,
): TabStop {
  const own = tabs.find((stop) => stop.position > x);
  // Within a hanging indent, the indent is a stop (Writer, `SwTextFormatter::NewTabPortion`).
  const isHanging = firstLine < 0 && x < left;
  if (isHanging && (own === undefined || own.position > left)) return { position: left, alignment: 'left', leader: '' };
  if (own !== undefined) return own;
  if (tabDistance === undefined) throw new UnknownFeature('a tab without a stop');
  const position = (Math.floor(x / tabDistance) + 1) * tabDistance;
  if (position - x < leastTab) throw new UnknownFeature('a tab just before a default stop');
  return { position, alignment: 'left', leader: '' };
}
