import { dotsPerTwip } from '../fonts/sized-font.ts';
import type { Piece } from './pieces.ts';

/** What Writer lays out as one portion of a line: the text of a run, or a single object. */
type Portion = object;

/**
 * The position after the pieces on a line, in dots. Writer truncates each portion to whole twips once another one
 * follows (`SwFntObj::GetTextSize`).
 */
export class LineCursor {
  /** The position after the last piece, excluding its trailing spaces. */
  x: number;
  /** The width of the spaces after the last piece. */
  pending = 0;
  /** How much further right the position may be in LibreOffice, because not all portions are known. */
  doubt = 0;
  /** How much further left the position may be, because Writer's sums of whole twips may be slightly too small. */
  overlap = 0;
  #start: number;
  #portion: Portion | undefined;
  /** The spacing after the last character. */
  #spacing = 0;

  /** `x` is in whole twips, like every position where a portion begins. */
  constructor(x: number) {
    this.x = x;
    this.#start = x;
  }

  /**
   * The position that must fit on the line: it excludes spacing, which is between characters (vcl,
   * `GenericSalLayout::GetTextBreak`).
   */
  get edge(): number {
    return this.x - this.#spacing;
  }

  /** The start of the last piece's portion. */
  get portionStart(): number {
    return this.#start;
  }

  /**
   * By how much an aligned line ends before the position after its last character, in dots. Writer omits its spacing,
   * but adds negative spacing twice if the portion also ends there, without spaces.
   */
  spacingAtEnd(next: Piece | undefined): number {
    const isInside = this.pending > 0 || (next !== undefined && portionOf(next) === this.#portion);
    return this.#spacing > 0 || isInside ? this.#spacing : 2 * this.#spacing;
  }

  /** Copies the position of another cursor. */
  startAs(other: LineCursor): void {
    this.x = other.x;
    this.pending = other.pending;
    this.doubt = other.doubt;
    this.overlap = other.overlap;
    this.#start = other.#start;
    this.#portion = other.#portion;
    this.#spacing = other.#spacing;
  }

  /** Advances past a piece of text or a picture, and returns its start. */
  add(piece: Piece): number {
    const portion = portionOf(piece);
    if (portion !== this.#portion) {
      // Whether the portions are certainly separate.
      const isKnown = this.#portion === undefined || piece.kind !== 'word' || isApart(piece.run);
      this.endPortion();
      if (!isKnown) this.doubt += dotsPerTwip;
      this.#portion = portion;
    }
    const x = this.x + this.pending;
    this.x = x + widthOf(piece);
    this.pending = piece.kind === 'word' ? piece.gap : 0;
    this.#spacing = piece.kind === 'word' ? piece.font.spacing * dotsPerTwip : 0;
    return x;
  }

  /** Truncates the portion, including trailing spaces, to whole twips. */
  endPortion(): void {
    // Writer adds the spacing after the last character again, unless it is negative.
    this.moveTo(this.#cut(this.x + this.pending - Math.min(0, this.#spacing)));
  }

  /** Truncates the portion, excluding trailing spaces, to whole twips. */
  endText(): number {
    return this.#cut(this.x);
  }

  #cut(end: number): number {
    const width = end - this.#start;
    const twips = width / dotsPerTwip;
    if (width > 0 && Math.abs(twips - Math.round(twips)) < rounding) this.overlap += dotsPerTwip;
    return this.#start + wholeTwips(width);
  }

  moveTo(x: number): void {
    this.x = x;
    this.pending = 0;
    this.#start = x;
    this.#spacing = 0;
    this.#portion = undefined;
  }
}

/** A tolerance for sums of widths, which are inexact. */
const rounding = 0.001;

/** A width in dots, truncated to whole twips. */
export function wholeTwips(dots: number): number {
  return Math.floor(dots / dotsPerTwip + rounding) * dotsPerTwip;
}

export function portionOf(piece: Piece): Portion {
  return piece.kind === 'word' ? piece.run : piece;
}

function isApart(run: (Piece & { kind: 'word' })['run']): boolean {
  return run.kind !== 'text' || run.isApart;
}

function widthOf(piece: Piece): number {
  if (piece.kind === 'word') return piece.word.width;
  if (piece.kind !== 'picture') return 0;
  const { spaceLeft, width, spaceRight } = piece.picture;
  return (spaceLeft + width + spaceRight) * dotsPerTwip;
}
