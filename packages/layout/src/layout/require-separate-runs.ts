import type { TextFont } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { Piece } from './pieces.ts';

/**
 * Throws UnknownFeature if the characters on both sides of a run's end are joined or kerned in either font, because
 * Writer shapes each run together with the surrounding text (`SwTextSizeInfo::GetLayoutContext`). The same applies
 * within words whose format makes them begin or end with capitals: near a line end LibreOffice prints one of their
 * letters twice, or not at all.
 */
export function requireSeparateRuns(pieces: readonly Piece[]): void {
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    if (piece.kind !== 'word' || next?.kind !== 'word' || piece.run === next.run) continue;
    if (piece.spaces === 0 && piece.run.format.isUpperCase !== next.run.format.isUpperCase)
      throw new UnknownFeature('a word of capitals and other letters by their format');
    const before = piece.spaces > 0 ? ' ' : piece.word.text.slice(-1);
    const after = next.word.text === '' ? ' ' : next.word.text.slice(0, 1);
    if (joins(piece.font, before, after) || (next.font !== piece.font && joins(next.font, before, after)))
      throw new UnknownFeature('letters that join over the end of a run');
  }
}

/**
 * Throws UnknownFeature for ligatures in a paragraph that has text with spacing in the same font. After such text
 * Writer often forms no ligatures, but not always.
 */
export function requireKnownLigatures(pieces: readonly Piece[]): void {
  if (!pieces.some((piece) => piece.kind === 'word' && piece.font.spacing !== 0)) return;
  const words = pieces.filter((piece) => piece.kind === 'word');
  const spaced = words.filter(({ font }) => font.spacing !== 0);
  for (const { word, font } of words) {
    const { face, halfPoints } = font;
    const hasLigature = font.spacing === 0 && word.glyphs.length < word.text.length;
    if (hasLigature && spaced.some((one) => one.font.face === face && one.font.halfPoints === halfPoints))
      throw new UnknownFeature('ligatures beside text with spacing');
  }
}

function joins(font: TextFont, before: string, after: string): boolean {
  const alone = [...font.shape(before).glyphs, ...font.shape(after).glyphs];
  const { glyphs } = font.shape(before + after);
  return glyphs.length !== alone.length || glyphs.some(({ advance }, index) => advance !== alone[index]?.advance);
}
