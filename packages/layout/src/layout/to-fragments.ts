import type { TabStop } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { Fragment, TextFragment } from './line.ts';
import type { Piece, WordPiece } from './pieces.ts';
import { fillTab } from './tab-leader.ts';

/** A piece on a line, with its position. */
export interface Placed {
  readonly piece: Piece;
  x: number;
  /** The width of its trailing spaces, or of a tab. */
  gap: number;
  /** The characters that fill a tab. */
  readonly leader?: TabStop['leader'];
}

/** Writer merges the underlines of neighbours that differ in font or underline into one of its own. */
function requireSameLine({ font, format }: TextFragment, { font: nextFont, run }: WordPiece): void {
  const isJoined =
    (format.underline !== 'none' && run.format.underline !== 'none') || (format.isStruck && run.format.isStruck);
  if (isJoined && format.underline !== run.format.underline)
    throw new UnknownFeature('lines of several kinds under text');
  if (isJoined && font !== nextFont) throw new UnknownFeature('lines at text in fonts that differ');
}

/**
 * The maximum length of a text with character spacing. LibreOffice rounds the position of each character, so a longer
 * text may be off by more than a pixel.
 */
const mostSpaced = 45;

function requireShort({ words, font }: TextFragment): void {
  if (font.spacing !== 0 && words.reduce((sum, { text }) => sum + text.length + 1, 0) > mostSpaced)
    throw new UnknownFeature('a long line of text with spacing');
}

/**
 * Joins the words of each run on a line. `move` is added to their positions, and `limit` is where trailing spaces are
 * clipped, in dots.
 */
export function toFragments(placed: readonly Placed[], move: number, limit: number): Fragment[] {
  const fragments: Fragment[] = [];
  const end = placed.findLastIndex(({ piece: { kind } }) => kind !== 'line-break');
  let open: { -readonly [K in keyof TextFragment]: TextFragment[K] } | undefined;
  let run: WordPiece['run'] | undefined;
  let [words, gaps]: [TextFragment['words'][number][], number[]] = [[], []];
  for (const [index, { piece, x, gap: space, leader = '' }] of placed.entries()) {
    if (piece.kind === 'picture') {
      const { picture } = piece;
      fragments.push({
        kind: 'picture',
        x: x + move + picture.spaceLeft * dotsPerTwip,
        width: picture.width * dotsPerTwip,
        picture,
      });
    }
    if (piece.kind === 'tab' && leader !== '') {
      const filled = fillTab(leader, { ...piece, x: x + move, width: space });
      if (filled !== undefined) fragments.push(filled);
    }
    if (piece.kind !== 'word') {
      open = undefined;
      continue;
    }
    const isLast = index === end;
    const gap = isLast ? 0 : space;
    if (open === undefined || run !== piece.run) {
      [words, gaps] = [[], []];
      run = piece.run;
      const link = piece.run.kind === 'text' ? piece.run.link : undefined;
      if (open !== undefined) requireSameLine(open, piece);
      open = {
        kind: 'text',
        x: x + move,
        width: 0,
        trailing: 0,
        words,
        gaps,
        font: piece.font,
        format: piece.run.format,
        link,
      };
      fragments.push(open);
    }
    words.push(piece.word);
    gaps.push(gap);
    open.width += piece.word.width + gap;
    // Writer prints trailing spaces only if all of them fit.
    open.trailing = isLast && x + move + piece.word.width + piece.gap <= limit ? piece.gap : 0;
  }
  for (const fragment of fragments) if (fragment.kind === 'text') requireShort(fragment);
  return fragments;
}
