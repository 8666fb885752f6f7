import type { TextFont } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';

/**
 * The number of leading characters of a word that fit into a width in dots. Throws UnknownFeature if none fits, if one
 * ends within `slack` of the limit, or if letters are joined or kerned there.
 */
export function fittingCharacters(font: TextFont, text: string, width: number, slack: number): number {
  const widthOf = (count: number): number => font.shape(text.slice(0, count)).width;
  let [least, most] = [0, 1];
  while (most < text.length && widthOf(most) <= width) [least, most] = [most, Math.min(text.length, most * 2)];
  if (most === text.length && widthOf(most) <= width) least = most;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (widthOf(middle) <= width) least = middle;
    else most = middle;
  }
  if (least === 0) throw new UnknownFeature('a character that is wider than its line');
  if ([least, most].some((count) => Math.abs(widthOf(count) - width) < slack))
    throw new UnknownFeature('a line break that is too close to call');
  if (least < text.length) requirePlain(font, text, least);
  return least;
}

const longestLigature = 4;

/** Throws UnknownFeature if letters next to the line end are joined or kerned. */
function requirePlain(font: TextFont, text: string, end: number): void {
  const { glyphs, segments } = font.shape(text.slice(0, end + longestLigature));
  if (segments.length > 1) throw new UnknownFeature('kerning in a word that is longer than its line');
  const starts = new Set(glyphs.map(({ start }) => start));
  if (!starts.has(end) || !starts.has(end - 1) || (end + 1 < text.length && !starts.has(end + 1)))
    throw new UnknownFeature('ligatures at the end of a line in a long word');
}
