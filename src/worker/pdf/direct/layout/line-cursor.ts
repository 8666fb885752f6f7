import { dotsPerTwip } from '../fonts/sized-font.ts';
import type { Piece } from './pieces.ts';

/** What Writer lays out as one portion of a line: the text of a run, or a single thing. */
type Portion = object;

/**
 * The place on a line behind its pieces, in dots. Writer cuts each portion to whole twips once another one follows
 * (`SwFntObj::GetTextSize`).
 */
export class LineCursor {
  /** Behind the last piece, without the spaces behind it. */
  x: number;
  /** The width of the spaces behind the last piece. */
  pending = 0;
  /** How much further to the right the place may be in LibreOffice: not all portions are known. */
  doubt = 0;
  /** How much further to the left it may be: Writer's sums of whole twips may be a little too small. */
  overlap = 0;
  #start: number;
  #portion: Portion | undefined;
  /** Behind the last character. */
  #spacing = 0;

  /** `x` is in whole twips, as all places are where a portion begins. */
  constructor(x: number) {
    this.x = x;
    this.#start = x;
  }

  /** Up to where the last piece must fit on the line: spacing is between characters (vcl, `GenericSalLayout::GetTextBreak`). */
  get edge(): number {
    return this.x - this.#spacing;
  }

  /** Where the portion of the last piece begins. */
  get portionStart(): number {
    return this.#start;
  }

  /**
   * By how much an aligned line ends before the place behind its last character, in dots: Writer leaves out its spacing, and adds a negative one twice
   * where the portion ends too, without spaces.
   */
  spacingAtEnd(next: Piece | undefined): number {
    const isInside = this.pending > 0 || (next !== undefined && portionOf(next) === this.#portion);
    return this.#spacing > 0 || isInside ? this.#spacing : 2 * this.#spacing;
  }

  /** Goes to the place of another one. */
  startAs(other: LineCursor): void {
    this.x = other.x;
    this.pending = other.pending;
    this.doubt = other.doubt;
    this.overlap = other.overlap;
    this.#start = other.#start;
    this.#portion = other.#portion;
    this.#spacing = other.#spacing;
  }

  /** Goes behind a piece of text or a picture, and returns where it begins. */
  add(piece: Piece): number {
    const portion = portionOf(piece);
    if (portion !== this.#portion) {
      // Two portions of text that may be one.
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

  /** Cuts the portion to whole twips, with the spaces behind it. */
  endPortion(): void {
    // Writer adds the spacing behind the last character again, unless it is negative.
    this.moveTo(this.#cut(this.x + this.pending - Math.min(0, this.#spacing)));
  }

  /** Cuts the portion to whole twips, without the spaces behind it. */
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

/** Sums of widths are not exact. */
const rounding = 0.001;

/** A width in dots without a part of a twip. */
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
