import type { Paragraph, PictureInline, TabStop } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import type { TextFont, TextFontOf } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { fittingCharacters } from './fitting-characters.ts';
import type { Fragment, Line } from './line.ts';
import { lineHeight } from './line-height.ts';
import { type PageNumbers, type Piece, toPieces } from './pieces.ts';
import { type Placed, toFragments } from './to-fragments.ts';

export interface LineContext {
  readonly fontOf: TextFontOf;
  /** Whether the spaces below and above two paragraphs add up. */
  readonly addsSpaces: boolean;
  /** Between default tab stops, in twips; undefined if the document does not say. */
  readonly tabDistance: number | undefined;
  /** Words that end closer to the end of their line than this, in dots, may be on either side of it in LibreOffice. */
  readonly slack: number;
  /** Undefined where pages are not known yet. */
  readonly numbers: PageNumbers | undefined;
}

/** Breaks a paragraph into lines of a column of this width in twips. Throws UnknownFeature. */
export function fillLines(paragraph: Paragraph, width: number, context: LineContext): Line[] {
  const filler = new LineFiller(paragraph, width, context);
  const units = [...unitsOf(toPieces(paragraph, context.fontOf, context.numbers))];
  for (const [index, unit] of units.entries()) filler.add(unit, units[index + 1]);
  return filler.end();
}

/** Pieces between which no line may end. */
function* unitsOf(pieces: readonly Piece[]): Generator<readonly Piece[]> {
  let unit: Piece[] = [];
  for (const piece of pieces) {
    if (piece.kind !== 'word' && unit.length > 0) {
      yield unit;
      unit = [];
    }
    unit.push(piece);
    if (piece.kind === 'word' && !piece.canEnd) continue;
    yield unit;
    unit = [];
  }
  if (unit.length > 0) yield unit;
}

/**
 * The space that the end of an italic run needs for its slant: if the run would fit without it, Writer may end the line before its
 * last word (`SwTextGuess::Guess`).
 */
function slantOf(unit: readonly Piece[], next: readonly Piece[] | undefined): number {
  const [last, following] = [unit.at(-1), next?.[0]];
  if (last?.kind !== 'word' || !last.run.format.isItalic) return 0;
  if (following?.kind === 'word' && following.run === last.run) return 0;
  return Math.ceil(last.font.lineHeight / 12) * dotsPerTwip;
}

/** A tab whose width follows from the text behind it. */
interface OpenTab {
  /** Where the tab begins, and the stop. */
  readonly start: number;
  readonly stop: TabStop;
  /** The first piece behind the tab. */
  readonly from: number;
}

/** So many runs on a line may be cut without being seen: each of them loses half a twip on average. */
const mostRuns = 20;

/** A shorter way to a default stop leads to the one behind it. */
const leastTab = 60;

class LineFiller {
  readonly #paragraph: Paragraph;
  readonly #context: LineContext;
  readonly #lines: Line[] = [];
  /** Ends of lines, from the left margin of the text. */
  readonly #limit: number;
  #placed: Placed[] = [];
  #x: number;
  /** The width of the spaces behind the last piece. */
  #pending = 0;
  #openTab: OpenTab | undefined;
  #endsWithBreak = false;

  constructor(paragraph: Paragraph, width: number, context: LineContext) {
    this.#paragraph = paragraph;
    this.#context = context;
    this.#limit = (width - paragraph.format.right) * dotsPerTwip;
    this.#x = (paragraph.format.left + paragraph.format.firstLine) * dotsPerTwip;
    if (this.#limit <= paragraph.format.left * dotsPerTwip) throw new UnknownFeature('a narrow column');
  }

  add(unit: readonly Piece[], next: readonly Piece[] | undefined): void {
    const [first] = unit;
    if (first?.kind === 'line-break') {
      this.#placed.push({ piece: first, x: this.#x });
      this.#endLine(true);
      this.#endsWithBreak = true;
      return;
    }
    this.#endsWithBreak = false;
    if (first?.kind === 'tab') {
      this.#addTab(first);
      return;
    }
    const width = widthOf(unit);
    const excess = this.#end(width) - this.#limit;
    if (excess > -this.#context.slack - slantOf(unit, next) && excess < this.#context.slack + this.#lossOf(unit))
      throw new UnknownFeature('a line break that is too close to call');
    if (excess > 0) {
      const last = this.#placed.at(-1)?.piece;
      if (last !== undefined) this.#endLine(false);
      if (this.#x + width > this.#limit - this.#context.slack) {
        // Writer may cut the word on the line of the tab.
        if (last?.kind === 'tab') throw new UnknownFeature('a word behind a tab that is longer than its line');
        this.#addLongWord(unit);
        return;
      }
    }
    this.#place(unit);
  }

  #place(unit: readonly Piece[]): void {
    this.#x += this.#pending;
    this.#pending = 0;
    for (const piece of unit) {
      this.#placed.push({ piece, x: this.#x + this.#pending });
      this.#x += this.#pending + ownWidth(piece);
      this.#pending = piece.kind === 'word' ? piece.gap : 0;
    }
  }

  /** Ends lines inside of a word that is longer than one, where a character does not fit (Writer, `SwTextGuess::Guess`). */
  #addLongWord(unit: readonly Piece[]): void {
    const [piece, ...others] = unit;
    if (piece?.kind === 'picture') throw new UnknownFeature('a picture that is wider than its line');
    if (piece?.kind !== 'word' || others.length > 0) throw new UnknownFeature('a long word in several formats');
    let rest = piece.word.text;
    for (;;) {
      const fitting = fittingCharacters(piece.font, rest, this.#limit - this.#x, this.#context.slack);
      if (fitting === rest.length) break;
      const word = piece.font.shape(rest.slice(0, fitting));
      this.#place([{ ...piece, word, spaces: 0, gap: 0 }]);
      this.#endLine(false);
      rest = rest.slice(fitting);
    }
    this.#place([{ ...piece, word: piece.font.shape(rest) }]);
  }

  end(): Line[] {
    if (this.#placed.length > 0 || this.#lines.length === 0 || this.#endsWithBreak) this.#endLine(true);
    return this.#lines;
  }

  /** The most that a line with a unit behind it loses: Writer cuts each run on it but the last to whole twips. */
  #lossOf(unit: readonly Piece[]): number {
    const runs = [...this.#placed.map(({ piece }) => piece), ...unit].map((piece) =>
      'run' in piece ? piece.run : piece,
    );
    const ends = runs.filter((run, index) => index > 0 && run !== runs[index - 1]).length;
    if (ends > mostRuns) throw new UnknownFeature('a line of many runs');
    return ends * dotsPerTwip;
  }

  /** Where the line would end with a text of this width behind it. */
  #end(width: number): number {
    const end = this.#x + this.#pending + width;
    const tab = this.#openTab;
    if (tab === undefined) return end;
    return Math.max(end, tab.stop.position * dotsPerTwip);
  }

  #addTab(piece: Piece & { kind: 'tab' }): void {
    this.#closeTab();
    this.#x += this.#pending;
    this.#pending = 0;
    const stop = this.#nextStop(this.#x / dotsPerTwip);
    if (stop.position * dotsPerTwip > this.#limit) throw new UnknownFeature('a tab behind the end of the line');
    this.#placed.push({ piece, x: this.#x });
    if (stop.leader !== '') throw new UnknownFeature('a tab with a leader');
    if (stop.alignment === 'left') this.#x = stop.position * dotsPerTwip;
    else this.#openTab = { start: this.#x, stop, from: this.#placed.length };
  }

  /** Moves the text behind a centred or right tab. */
  #closeTab(): void {
    const tab = this.#openTab;
    if (tab === undefined) return;
    this.#openTab = undefined;
    const text = this.#x - tab.start;
    const free = tab.stop.position * dotsPerTwip - tab.start;
    const move = Math.max(0, tab.stop.alignment === 'right' ? free - text : free - Math.round(text / 2));
    for (const placed of this.#placed.slice(tab.from)) placed.x += move;
    this.#x += move;
  }

  /** The next of the paragraph's stops. */
  #nextStop(x: number): TabStop {
    const { tabs, left, firstLine } = this.#paragraph.format;
    const own = tabs.find((stop) => stop.position > x);
    // Inside of a hanging indent, the indent is a stop (Writer, `SwTextFormatter::NewTabPortion`).
    const isHanging = firstLine < 0 && x < left;
    if (isHanging && (own === undefined || own.position > left))
      return { position: left, alignment: 'left', leader: '' };
    if (own !== undefined) return own;
    const distance = this.#context.tabDistance;
    if (distance === undefined) throw new UnknownFeature('a tab without a stop');
    const position = (Math.floor(x / distance) + 1) * distance;
    if (position - x < leastTab) throw new UnknownFeature('a tab just before a default stop');
    return { position, alignment: 'left', leader: '' };
  }

  #endLine(isLast: boolean): void {
    this.#closeTab();
    const { format, mark } = this.#paragraph;
    const markFont = this.#context.fontOf(mark);
    const pictures = this.#placed.flatMap(({ piece }) => (piece.kind === 'picture' ? [piece.picture] : []));
    const fonts = textFonts(this.#placed) ?? this.#emptyFonts(markFont, pictures);
    const heights = pictures.map((picture) => picture.height);
    const height = lineHeight(format, fonts, heights, markFont);
    this.#lines.push({ ...height, fragments: this.#fragments(isLast) });
    this.#placed = [];
    this.#x = format.left * dotsPerTwip;
    this.#pending = 0;
  }

  /**
   * The fonts of a line without words: that of a break that is alone on it, or of the paragraph mark. Throws UnknownFeature if the line has
   * other fonts, which Writer counts or not, and they are higher than its pictures.
   */
  #emptyFonts(mark: TextFont, pictures: readonly PictureInline[]): readonly TextFont[] {
    const [first, ...others] = this.#placed;
    if (first?.piece.kind === 'line-break' && others.length === 0) return [first.piece.font];
    const { line, lineRule } = this.#paragraph.format;
    const isSpaced = lineRule === 'auto' && line !== 240;
    const highest = isSpaced ? 0 : Math.max(0, ...pictures.map(({ height }) => height));
    for (const { piece } of this.#placed) {
      const font = piece.kind === 'picture' ? this.#context.fontOf(piece.picture.format) : piece.font;
      if (font !== mark && Math.max(font.lineHeight, mark.lineHeight) > highest)
        throw new UnknownFeature('another font in a line without words');
    }
    return pictures.length > 0 ? [] : [mark];
  }

  #fragments(isLast: boolean): Fragment[] {
    const { alignment } = this.#paragraph.format;
    const free = this.#limit - this.#x;
    const move = alignment === 'right' ? free : alignment === 'center' ? Math.floor(free / 2) : 0;
    if (alignment === 'both' && !isLast) throw new UnknownFeature('justified lines');
    return toFragments(this.#placed, move, this.#limit);
  }
}

function ownWidth(piece: Piece): number {
  if (piece.kind === 'word') return piece.word.width;
  return piece.kind === 'picture' ? piece.picture.width * dotsPerTwip : 0;
}

function widthOf(unit: readonly Piece[]): number {
  let [width, pending] = [0, 0];
  for (const piece of unit) {
    width += pending + ownWidth(piece);
    pending = piece.kind === 'word' ? piece.gap : 0;
  }
  return width;
}

/**
 * The fonts of the words on a line, undefined if there are none. Tabs and breaks are as high as the rest of their line (Writer,
 * `SwBreakPortion::Format`). A run of nothing but spaces at the end of a line is counted or not, which is decisive if it is of
 * another font.
 */
function textFonts(placed: readonly Placed[]): readonly TextFont[] | undefined {
  const last = placed.findLastIndex(({ piece }) => piece.kind === 'word' && piece.word.text !== '');
  if (last < 0) return undefined;
  const fonts = new Set<TextFont>();
  for (const [index, { piece }] of placed.entries()) {
    if (piece.kind !== 'word' || fonts.has(piece.font)) continue;
    if (index > last) throw new UnknownFeature('spaces of another font at the end of a line');
    fonts.add(piece.font);
  }
  return [...fonts];
}
