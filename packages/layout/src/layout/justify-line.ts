import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { portionOf } from './line-cursor.ts';
import { spacesOf } from './pieces.ts';
import type { Placed } from './to-fragments.ts';

/** Writer distributes the space of a line in hundredths of a twip (`SPACING_PRECISION_FACTOR`). */
const precision = 100;

/**
 * Distributes the remaining width of a line over the spaces after its last tab, or shrinks them if it is negative
 * (Writer, `SwTextAdjuster::CalcNewBlock`). Within a portion, each space changes by whole twips; the start of a portion
 * is more precise. `free` is in dots. Throws UnknownFeature.
 */
export function justifyLine(line: readonly Placed[], free: number): void {
  const placed = line
    .slice(line.findLastIndex(({ piece }) => piece.kind === 'tab') + 1)
    .filter(({ piece }) => piece.kind !== 'line-break');
  const last = placed.at(-1);
  let spaces = 0;
  for (const one of placed) if (one !== last) spaces += spacesOf(one.piece);
  if (spaces === 0) return;
  if (placed.some(({ piece }) => piece.kind === 'picture')) throw new UnknownFeature('a picture in a justified line');
  if (last?.piece.kind === 'word' && last.piece.word.text === '')
    throw new UnknownFeature('spaces in another format at the end of a justified line');
  const share = Math.trunc(((free / dotsPerTwip) * precision) / spaces);
  const added = Math.trunc(share / precision) * dotsPerTwip;
  let [start, own] = [0, 0];
  let portion: object | undefined;
  for (const one of placed) {
    if (portionOf(one.piece) !== portion) {
      start += Math.trunc((own * share) / precision) * dotsPerTwip;
      own = 0;
      portion = portionOf(one.piece);
    }
    one.x += start + own * added;
    if (one === last) break;
    own += spacesOf(one.piece);
    one.gap += spacesOf(one.piece) * added;
    if (one.gap < 0) throw new UnknownFeature('spaces that shrink to less than nothing');
  }
}
