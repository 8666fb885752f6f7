import { textFill } from '../document/text-fill.ts';
import {
  type FieldInline,
  type Inline,
  type MarkInline,
  noBreakSpace,
  type Paragraph,
  type PictureInline,
  type RunFormat,
  type TextInline,
} from '../document/tree.ts';
import { isSymbol } from '../fonts/symbols.ts';
import type { ShapedWord, TextFont, TextFontOf } from '../fonts/text-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { breakOpportunities } from './break-opportunities.ts';

/** A word, or a part of it after which a line may end, with its trailing spaces. */
export interface WordPiece {
  readonly kind: 'word';
  readonly word: ShapedWord;
  readonly spaces: number;
  /** The width of the spaces in dots. */
  readonly gap: number;
  readonly font: TextFont;
  readonly run: TextInline | FieldInline;
  /** Whether a line may end after it. */
  readonly canEnd: boolean;
}

export interface TabPiece {
  readonly kind: 'tab';
  readonly format: RunFormat;
  readonly font: TextFont;
  readonly isOfLabel: boolean;
}

export interface BreakPiece {
  readonly kind: 'line-break';
  readonly font: TextFont;
}

export interface PicturePiece {
  readonly kind: 'picture';
  readonly picture: PictureInline;
}

export type Piece = WordPiece | TabPiece | BreakPiece | PicturePiece;

export function spacesOf(piece: Piece): number {
  return piece.kind === 'word' ? piece.spaces : 0;
}

/** The text of the page number fields on a page. */
export interface PageNumbers {
  readonly page: string;
  readonly pages: string;
}

/**
 * Latin, Greek and Cyrillic letters, digits and punctuation, which are set from left to right with one glyph each or in
 * ligatures.
 */
const known =
  /^[ -~\u00a1-\u00ac\u00ae-\u024f\u0370-\u0373\u0376-\u037d\u0384-\u0482\u048a-\u052f‘’‚“”„†‡•‹›€™–—…−\u202f]*$/u;

/** Splits the content of a paragraph where lines may end and where formats change. Throws UnknownFeature. */
export function toPieces({ inlines }: Paragraph, fontOf: TextFontOf, numbers: PageNumbers | undefined): Piece[] {
  const pieces: Piece[] = [];
  const whole = inlines.map((inline) => textOf(inline, numbers)).join('');
  const opportunities = breakOpportunities(whole);
  let start = 0;
  for (const inline of inlines) {
    const text = textOf(inline, numbers);
    if (inline.kind === 'picture') pieces.push({ kind: 'picture', picture: inline });
    else if (isMark(inline)) pieces.push(toMark(inline, fontOf));
    else {
      requireKnownFormat(inline.format);
      if (text === noBreakSpace) requireKnownNoBreakSpace(inline.format);
      else if (!known.test(text) && !isSymbol(inline.format, text))
        throw new UnknownFeature('characters of other scripts');
      addWords(pieces, { text, start, end: whole.length, run: inline, font: fontOf(inline.format), opportunities });
    }
    start += text.length;
  }
  return pieces;
}

function requireKnownFormat(format: RunFormat): void {
  if (format.spacing !== 0) requirePlain(format, 'text with spacing');
  if (format.position === 'baseline') return;
  requirePlain(format, 'raised or lowered text');
  if (format.spacing !== 0) throw new UnknownFeature('raised or lowered text with spacing');
}

function requireKnownNoBreakSpace(format: RunFormat): void {
  const { position, isItalic } = format;
  if (position !== 'baseline') throw new UnknownFeature('a raised or lowered no-break space');
  // Writer adds space for the slant.
  if (isItalic) throw new UnknownFeature('a slanted no-break space');
  if (textFill(format) !== undefined) throw new UnknownFeature('a no-break space on shading');
}

/** LibreOffice draws text lines and shading differently at tabs, raised text and text with spacing. */
function requirePlain(format: RunFormat, place: string): void {
  const { underline, isStruck } = format;
  if (underline !== 'none') throw new UnknownFeature(`${place}, underlined`);
  if (isStruck) throw new UnknownFeature(`${place}, struck`);
  if (textFill(format) !== undefined) throw new UnknownFeature(`${place} on shading`);
}

function isMark(inline: Inline): inline is MarkInline {
  return inline.kind === 'tab' || inline.kind === 'line-break' || inline.kind === 'page-break';
}

function toMark({ kind, format, isOfLabel }: MarkInline, fontOf: TextFontOf): Piece {
  if (kind === 'page-break') throw new UnknownFeature('a page break in a line');
  const font = fontOf(format);
  if (kind === 'tab') requirePlain(format, 'a tab');
  return kind === 'tab' ? { kind, format, font, isOfLabel } : { kind, font };
}

function textOf(inline: Inline, numbers: PageNumbers | undefined): string {
  if (inline.kind === 'text') return inline.text;
  if (inline.kind === 'page' || inline.kind === 'pages') {
    if (numbers === undefined) throw new UnknownFeature('a page number in the text');
    return numbers[inline.kind];
  }
  return inline.kind === 'tab' ? '\t' : inline.kind === 'picture' ? '\ufffc' : '\n';
}

interface RunText {
  readonly text: string;
  /** The position of the run in the paragraph's text, and the end of the paragraph. */
  readonly start: number;
  readonly end: number;
  readonly run: WordPiece['run'];
  readonly font: TextFont;
  readonly opportunities: ReadonlySet<number>;
}

function addWords(pieces: Piece[], { text, start, end, run, font, opportunities }: RunText): void {
  for (let at = 0; at < text.length; ) {
    let wordEnd = at;
    while (wordEnd < text.length && text.charCodeAt(wordEnd) !== 0x20) {
      wordEnd++;
      if (opportunities.has(start + wordEnd)) break;
    }
    let next = wordEnd;
    while (next < text.length && text.charCodeAt(next) === 0x20) next++;
    const canEnd = opportunities.has(start + next) || start + next === end;
    const [own, spaces] = [text.slice(at, wordEnd), next - wordEnd];
    const gap = font.gapBetween(own, spaces, text.slice(next, next + 1));
    pieces.push({
      kind: 'word',
      word: own === noBreakSpace ? font.space : font.shape(own),
      spaces,
      gap,
      font,
      run,
      canEnd,
    });
    at = next;
  }
}
