import { textFill } from '../document/text-fill.ts';
import type { Paragraph, TabStop } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { splitAtDecimalPoint } from './decimal-tab.ts';
import { distanceBehind, piecesBeforeSpaces, requireKnownSlash, unknownSpaces } from './end-inside-unit.ts';
import { excessOf, type OpenLine, requireKnownShrinking, type Shrinking, shrinkingFor } from './fit-on-line.ts';
import { fittingCharacters } from './fitting-characters.ts';
import { justifyLine } from './justify-line.ts';
import type { Fragment, Line } from './line.ts';
import type { LineContext } from './line-context.ts';
import { LineCursor, wholeTwips } from './line-cursor.ts';
import { type LineEnd, requirePlainEnd, slantAtEnd } from './line-end.ts';
import { fontsOf, fontsWithoutWords, requireOwnHeight } from './line-fonts.ts';
import { lineHeight } from './line-height.ts';
import { mostExcessOf, requireEndInText, requireOtherEnd } from './no-break-spaces.ts';
import { type Piece, toPieces, type WordPiece } from './pieces.ts';
import { requireKnownLigatures, requireSeparateRuns } from './require-separate-runs.ts';
import { requireKnownTab, requireKnownText, requireKnownWidth } from './tab-leader.ts';
import { nextStop } from './tab-stops.ts';
import { type Placed, toFragments } from './to-fragments.ts';
import { type Unit, unitsOf } from './units.ts';

/** Breaks a paragraph into lines for a column of this width in twips. Throws UnknownFeature. */
export function fillLines(paragraph: Paragraph, width: number, context: LineContext): Line[] {
  if (paragraph.format.lineRule === 'exact' && paragraph.inlines.some(({ format }) => textFill(format) !== undefined))
    throw new UnknownFeature('shaded text in lines of an exact height');
  const filler = new LineFiller(paragraph, width, context);
  const pieces = toPieces(paragraph, context.fontOf, context.numbers);
  requireSeparateRuns(pieces);
  requireKnownLigatures(pieces);
  const units = unitsOf(pieces);
  for (const [index, unit] of units.entries()) filler.add(unit, units[index + 1]);
  return filler.end();
}

/** A tab whose width depends on the text after it. */
interface OpenTab {
  /** The start of the tab, and the position of its stop. */
  readonly start: number;
  readonly stop: TabStop;
  /** The first piece after the tab. */
  readonly from: number;
}

class LineFiller {
  readonly #paragraph: Paragraph;
  readonly #context: LineContext;
  readonly #lines: Line[] = [];
  /** The positions of line ends, from the left margin of the text. */
  readonly #limit: number;
  #placed: Placed[] = [];
  #cursor: LineCursor;
  #openTab: OpenTab | undefined;
  /** The total width of the left-aligned tabs on the line. */
  #tabWidth = 0;
  /** The run that is split at a decimal stop, and its rest. */
  #atDecimal: { readonly before: WordPiece['run']; readonly behind: WordPiece['run'] } | undefined;
  #endsWithBreak = false;
  /** The number of characters since the last space, tab or break; infinite if there is none. */
  #distance = Number.POSITIVE_INFINITY;
  #shrinking: Shrinking | undefined;
  /** The last unit added. */
  #before: Unit = [];

  constructor(paragraph: Paragraph, width: number, context: LineContext) {
    this.#paragraph = paragraph;
    this.#context = context;
    this.#limit = (width - paragraph.format.right) * dotsPerTwip;
    this.#cursor = new LineCursor((paragraph.format.left + paragraph.format.firstLine) * dotsPerTwip);
    if (this.#limit <= paragraph.format.left * dotsPerTwip) throw new UnknownFeature('a narrow column');
  }

  add(unit: Unit, next: Unit | undefined): void {
    this.#addUnit(unit, next);
    this.#before = unit;
    this.#distance = distanceBehind(unit, this.#distance);
  }

  #addUnit(unit: Unit, next: Unit | undefined): void {
    const [first] = unit;
    if (this.#shrinking !== undefined && first?.kind !== 'word')
      throw new UnknownFeature('a justified line of several kinds whose spaces may shrink');
    if (first?.kind === 'line-break') {
      this.#placed.push({ piece: first, x: this.#cursor.x, gap: 0 });
      this.#endLine('break');
      this.#endsWithBreak = true;
      return;
    }
    this.#endsWithBreak = false;
    if (first?.kind === 'tab') {
      this.#addTab(first);
      return;
    }
    const most = mostExcessOf(unit);
    if (this.#excessOf(unit, next) > most && !this.#shrinksFor(unit, next)) {
      const last = this.#placed.at(-1)?.piece;
      const ofPart = (part: Unit): number => this.#excessOf(part, undefined);
      requireEndInText(unit, { before: this.#before, last, excessOf: ofPart });
      requireKnownSlash(unit, { before: last, distance: this.#distance, excessOf: ofPart });
      const count = piecesBeforeSpaces(unit, ofPart);
      if (count > 0) {
        if (this.#context.isOfWord2013 && this.#paragraph.format.alignment === 'both')
          throw new UnknownFeature(unknownSpaces);
        this.#place(unit.slice(0, count));
        this.#endLine('full', unit[count]);
        this.#addUnit(unit.slice(count), next);
        return;
      }
      if (last !== undefined) this.#endLine('full', first);
      if (this.#excessOf(unit, next) > most) {
        // Writer may break the word on the line of the tab.
        if (last?.kind === 'tab') throw new UnknownFeature('a word after a tab that is longer than its line');
        this.#addLongWord(unit);
        return;
      }
    }
    this.#place(unit);
  }

  end(): Line[] {
    if (this.#placed.length > 0 || this.#lines.length === 0 || this.#endsWithBreak) this.#endLine('paragraph');
    const { inlines, format } = this.#paragraph;
    const hasTab = inlines.some((inline) => inline.kind === 'tab' && !inline.isOfLabel);
    if (hasTab && format.alignment === 'both' && this.#lines.length > 1)
      throw new UnknownFeature('tabs in justified text of several lines');
    return this.#lines;
  }

  #place(unit: Unit): void {
    for (const piece of unit) {
      if (piece.kind !== 'word') this.#push(piece);
      else if (this.#openTab?.stop.alignment === 'decimal') this.#placeAtDecimal(piece);
      else this.#push(piece.run === this.#atDecimal?.before ? { ...piece, run: this.#atDecimal.behind } : piece);
    }
  }

  #push(piece: Piece): void {
    this.#placed.push({ piece, x: this.#cursor.add(piece), gap: piece.kind === 'word' ? piece.gap : 0 });
  }

  /** At a decimal stop, text ends at its decimal point and continues after it. */
  #placeAtDecimal(piece: WordPiece): void {
    const parts = splitAtDecimalPoint(piece, this.#context.decimalPoint);
    if (parts === undefined) {
      this.#push(piece);
      return;
    }
    if (parts.before !== undefined) this.#push(parts.before);
    this.#cursor.endPortion();
    this.#closeTab(this.#cursor.x);
    this.#atDecimal = { before: piece.run, behind: parts.behind.run };
    this.#push(parts.behind);
    if (this.#cursor.edge > this.#limit - dotsPerTwip - this.#context.slack)
      throw new UnknownFeature('text at a tab over the end of the line');
  }

  #excessOf(unit: Unit, next: Unit | undefined): number {
    return excessOf(unit, next, this.#openLine());
  }

  #openLine(): OpenLine {
    const { slack, isOfWord2013 } = this.#context;
    const placed = this.#placed;
    return { placed, cursor: this.#cursor, limit: this.#limit, slack, isOfWord2013, shrinking: this.#shrinking };
  }

  /** Whether the spaces of the line shrink from here on so that a unit fits. Throws UnknownFeature. */
  #shrinksFor(unit: Unit, next: Unit | undefined): boolean {
    if (this.#paragraph.format.alignment !== 'both') return false;
    requireKnownShrinking(unit, next, this.#openLine());
    const shrinking = shrinkingFor(unit, next, this.#openLine());
    if (shrinking === undefined) return false;
    if (this.#openTab !== undefined || this.#placed.some(({ piece }) => piece.kind === 'picture'))
      throw new UnknownFeature('a justified line of several kinds whose spaces may shrink');
    this.#shrinking = shrinking;
    return true;
  }

  /** Breaks a word that is longer than a line where it no longer fits (Writer, `SwTextGuess::Guess`). */
  #addLongWord(unit: Unit): void {
    const [piece, ...others] = unit;
    if (piece?.kind === 'picture') throw new UnknownFeature('a picture that is wider than its line');
    if (piece?.kind !== 'word' || others.length > 0) throw new UnknownFeature('a long word in several formats');
    const hasSlantAtEnd = this.#context.isOfWord2013 || this.#paragraph.format.alignment !== 'left';
    if (piece.run.format.isItalic && hasSlantAtEnd)
      throw new UnknownFeature('a slanted word that is longer than its line');
    let rest = piece.word.text;
    for (;;) {
      const fitting = fittingCharacters(piece.font, rest, this.#limit - this.#cursor.x, this.#context.slack);
      if (fitting === rest.length) break;
      const word = piece.font.shape(rest.slice(0, fitting));
      this.#place([{ ...piece, word, spaces: 0, gap: 0 }]);
      this.#endLine('full', piece);
      rest = rest.slice(fitting);
    }
    this.#place([{ ...piece, word: piece.font.shape(rest) }]);
  }

  #addTab(piece: Piece & { kind: 'tab' }): void {
    this.#cursor.endPortion();
    this.#closeTab(this.#cursor.x);
    const { x } = this.#cursor;
    const stop = nextStop(this.#paragraph.format, x / dotsPerTwip, this.#context.tabDistance);
    const position = stop.position * dotsPerTwip;
    if (position > this.#limit) throw new UnknownFeature('a tab beyond the end of the line');
    if (stop.alignment === 'decimal' && this.#paragraph.format.alignment !== 'left')
      throw new UnknownFeature('a decimal tab in a line that is not at the left');
    if (stop.leader !== '') requireKnownTab(piece, this.#paragraph.format, this.#cursor);
    this.#placed.push({ piece, x, gap: position - x, leader: stop.leader });
    if (stop.alignment === 'left') this.#tabWidth += position - x;
    else this.#openTab = { start: x, stop, from: this.#placed.length };
    this.#cursor.moveTo(stop.alignment === 'left' ? position : x + dotsPerTwip);
  }

  /** Moves the text after a centred or right tab, which ends here (Writer, `SwTabPortion::PostFormat`). */
  #closeTab(end: number): void {
    const tab = this.#openTab;
    if (tab === undefined) return;
    this.#openTab = undefined;
    const least = tab.start + dotsPerTwip;
    const text = end - least;
    requireKnownText(this.#placed.slice(tab.from));
    if (tab.stop.leader !== '') requireKnownWidth(this.#cursor);
    const before = tab.stop.alignment === 'center' ? wholeTwips(text / 2) : text;
    const move = Math.max(0, tab.stop.position * dotsPerTwip - before - least);
    for (const placed of this.#placed.slice(tab.from)) placed.x += move;
    const placedTab = this.#placed[tab.from - 1];
    if (placedTab !== undefined) placedTab.gap = least + move - tab.start;
    this.#cursor.moveTo(least + text + move);
    if (this.#cursor.x > this.#limit) throw new UnknownFeature('text at a tab over the end of the line');
  }

  /** `next` is the first piece that does not fit on the line. */
  #endLine(end: LineEnd, next?: Piece): void {
    // Writer abandons a decimal stop on a full line.
    const isAtStop = this.#openTab !== undefined || this.#atDecimal !== undefined;
    if (end === 'full' && (isAtStop || this.#placed.at(-1)?.piece.kind === 'tab'))
      throw new UnknownFeature('text at a tab over the end of the line');
    const { format, mark } = this.#paragraph;
    const isShrunk = this.#shrinking !== undefined;
    const lineEnd = this.#limit + (this.#shrinking?.most ?? 0);
    const ending = { end, next, alignment: format.alignment, lineEnd, isShrunk };
    requirePlainEnd(this.#placed, ending);
    requireOtherEnd(this.#placed, ending);
    const slant = this.#context.isOfWord2013 ? slantAtEnd(this.#placed, ending) : 0;
    const isAtTab = this.#openTab !== undefined;
    if (isAtTab && this.#cursor.pending > 0 && format.alignment !== 'left')
      throw new UnknownFeature('spaces after text at a tab');
    this.#closeTab(this.#cursor.endText() + slant);
    const markFont = this.#context.fontOf(mark);
    const pictures = this.#placed.flatMap(({ piece }) => (piece.kind === 'picture' ? [piece.picture.height] : []));
    const fonts = fontsOf(this.#placed) ?? fontsWithoutWords(this.#placed, markFont, format, this.#context.fontOf);
    const hasLabel = this.#lines.length === 0 && format.numbering.id !== '0';
    if (end === 'full' && hasLabel) requireOwnHeight(fonts, next);
    const tabs = this.#placed.flatMap(({ piece }) => (piece.kind === 'tab' && !piece.isOfLabel ? [piece.font] : []));
    const height = lineHeight(format, fonts, pictures, markFont, tabs);
    this.#lines.push({ ...height, fragments: this.#fragments(end, next, isAtTab ? 0 : slant) });
    this.#placed = [];
    this.#cursor = new LineCursor(format.left * dotsPerTwip);
    this.#shrinking = undefined;
    this.#tabWidth = 0;
    this.#atDecimal = undefined;
  }

  #fragments(end: LineEnd, next: Piece | undefined, slant: number): Fragment[] {
    const { alignment } = this.#paragraph.format;
    // An aligned line is a twip wider (Writer, `SwTextMargin::GetLineWidth`).
    const free = this.#limit + dotsPerTwip - this.#cursor.endText() - slant;
    const spacing = this.#cursor.spacingAtEnd(next);
    if (end === 'break' && spacing !== 0 && alignment !== 'left')
      throw new UnknownFeature('text with spacing before a break');
    const aligned = free + spacing;
    const move = alignment === 'right' ? aligned : alignment === 'center' ? wholeTwips(aligned / 2) : 0;
    if (alignment === 'both') {
      if (end === 'paragraph') this.#requireSpaceForSpaces();
      // Writer ignores the tabs of a line that it shrinks, so that the line extends beyond its end.
      const shrunk = this.#shrinking === undefined ? aligned : Math.min(0, aligned + this.#tabWidth);
      if (this.#isJustified(end)) justifyLine(this.#placed, shrunk);
    }
    // Trailing spaces are part of the line only where it is filled from the left.
    return toFragments(this.#placed, move, end === 'full' && alignment === 'left' ? this.#limit : 0);
  }

  /** Trailing spaces of a justified paragraph shrink the spaces between its words if they do not fit. */
  #requireSpaceForSpaces(): void {
    const { x, pending } = this.#cursor;
    const isFull = this.#shrinking !== undefined || x + pending + dotsPerTwip > this.#limit;
    if (this.#context.isOfWord2013 && pending > 0 && isFull)
      throw new UnknownFeature('spaces at the end of a justified paragraph');
  }

  /** Whether a line is stretched to its full width (Writer, `SwTextAdjuster::FormatBlock`). */
  #isJustified(end: LineEnd): boolean {
    if (end !== 'break') return end === 'full' || this.#shrinking !== undefined;
    if (this.#context.keepsBrokenLines) return false;
    return true;
  }
}
