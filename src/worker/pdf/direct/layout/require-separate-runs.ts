import type { TextFont } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { Piece } from './pieces.ts';

/**
 * Throws UnknownFeature where the characters on both sides of the end of a run join or are kerned in the font of either: Writer shapes
 * each run together with the text around it (`SwTextSizeInfo::GetLayoutContext`). So it does within words that begin or end with capitals by their
 * format: LibreOffice prints one of their letters twice, or not at all, if they are near the end of a line.
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
 * Throws UnknownFeature for ligatures in a paragraph that has text with spacing in the same font: Writer forms often none behind such text,
 * but not always.
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
