import type { Inline, Paragraph, RunFormat, TextInline } from '../document/tree.ts';
import type { SizedFontOf } from '../fonts/find-faces.ts';
import { dotsPerTwip, type SizedFont } from '../fonts/sized-font.ts';
import { type LineHeight, lineHeight } from '../layout/line-height.ts';
import { UnknownFeature } from '../unknown-feature.ts';

export interface Lines {
  readonly heights: readonly LineHeight[];
  /** The same with more or fewer lines, if a break is so close that different rounding could cause them. */
  readonly others: readonly (readonly LineHeight[])[];
}

/** A piece of text without breaks and its trailing spaces, in dots. */
interface Word {
  readonly text: string;
  readonly font: SizedFont;
  readonly width: number;
  readonly space: number;
  /** Whether a line may end after it: `surely` after a space, `always` at a line break. */
  readonly ends: 'surely' | 'perhaps' | 'never' | 'always';
}

/**
 * Latin, Greek and Cyrillic letters, digits and punctuation, which are set from left to right with one glyph each, and
 * between which no line may break (Unicode Standard Annex 14), except after `breaksPerhaps`.
 */
const known = /^[ -~\u00a1-\u00ac\u00ae-\u024f\u0370-\u0373\u0376-\u037d\u0384-\u0482\u048a-\u052f‘’‚“”„†‡•‹›€™–—…]*$/u;
const breaksPerhaps = /[-/!?}|–—…]/;
/** The positions after these characters, except at the end of the word. */
const behindPerhaps = /(?<=[-/!?}|–—…])(?=.)/;
/**
 * Lengths in the file are converted to hundredths of a millimetre and back to twips, which makes a line up to two twips
 * shorter.
 */
const lostDots = 11;
/** Widths closer to the line end than this may be rounded to its other side. */
const slackDots = 9;

/**
 * Breaks a paragraph into the lines of a cell. `fillLines` of direct layout does this for one version of LibreOffice,
 * exactly or not at all; this function covers several versions, and reports the lines that different rounding could
 * change. Throws UnknownFeature for text that needs more than advances.
 */
export function breakLines(paragraph: Paragraph, textWidth: number, fontOf: SizedFontOf): Lines {
  const { format } = paragraph;
  requirePlain(paragraph);
  const mark = fontOf(paragraph.mark);
  const width = (textWidth - format.left - format.right) * dotsPerTwip - lostDots;
  if (width < 40 * slackDots) throw new UnknownFeature('a narrow column');
  const first = width - format.firstLine * dotsPerTwip;
  const only = onlyFont(paragraph.inlines, first - slackDots, fontOf);
  if (only !== undefined) return { heights: [lineHeight(format, [only], [], mark)], others: [] };
  const words = wordsOf(paragraph.inlines, fontOf);
  const fill = (slack: number, breaksMore: boolean): FilledLines =>
    breakAtWidths(words, first + slack, width + slack, breaksMore);
  const heightsOf = ({ lines }: FilledLines): LineHeight[] =>
    lines.map((fonts) => lineHeight(format, fonts.length === 0 ? [mark] : fonts, [], mark));
  const filled = fill(0, true);
  const others = new Map<number, LineHeight[]>();
  const hasPerhaps = filled.lines.length > 1 && words.some(({ ends }) => ends === 'perhaps');
  for (const breaksMore of hasPerhaps ? [true, false] : [true]) {
    const own = breaksMore ? filled : fill(0, false);
    const isClose = own.closest <= slackDots;
    for (const other of isClose ? [fill(-slackDots, breaksMore), fill(slackDots, breaksMore)] : [own])
      if (other.lines.length !== filled.lines.length) others.set(other.lines.length, heightsOf(other));
  }
  return { heights: heightsOf(filled), others: [...others.values()] };
}

/**
 * The font of a single text that is shorter than a line, as in most cells; undefined for others. Throws UnknownFeature.
 */
function onlyFont([inline, ...others]: readonly Inline[], width: number, fontOf: SizedFontOf): SizedFont | undefined {
  if (inline?.kind !== 'text' || others.length > 0) return undefined;
  const font = fontOfText(inline, fontOf);
  return font.widthOf(inline.text) < width ? font : undefined;
}

/** Throws UnknownFeature for text that needs more than advances. */
function fontOfText({ text, format }: TextInline, fontOf: SizedFontOf): SizedFont {
  requirePlainRun(format);
  if (!known.test(text)) throw new UnknownFeature('characters of other scripts');
  const font = fontOf(format);
  if (!font.hasAll(text)) throw new UnknownFeature('characters that the font lacks');
  return font;
}

/** Throws UnknownFeature for a paragraph whose position depends on more than its lines. */
function requirePlain({ format, anchored }: Paragraph): void {
  if (format.keepsWithNext || format.breaksPageBefore) throw new UnknownFeature('a page break in a cell');
  if (format.numbering.id !== '0') throw new UnknownFeature('a list');
  const { borderTop, borderBottom, borderLeft, borderRight } = format;
  if ((borderTop ?? borderBottom ?? borderLeft ?? borderRight) !== undefined)
    throw new UnknownFeature('borders of a paragraph');
  if (anchored.length > 0) throw new UnknownFeature('a picture');
}

function requirePlainRun({ isKerned, position, spacing }: RunFormat): void {
  if (isKerned || spacing !== 0) throw new UnknownFeature('text with another spacing');
  if (position !== 'baseline') throw new UnknownFeature('raised or lowered text');
}

function wordsOf(inlines: readonly Inline[], fontOf: SizedFontOf): Word[] {
  const words: Word[] = [];
  for (const inline of inlines) {
    const { kind, format } = inline;
    if (kind === 'text') addWords(words, inline.text, fontOfText(inline, fontOf));
    else if (kind === 'line-break') words.push({ text: '', font: fontOf(format), width: 0, space: 0, ends: 'always' });
    else throw new UnknownFeature(`a ${kind} in a cell`);
  }
  return words;
}

function addWords(words: Word[], text: string, font: SizedFont): void {
  const spaceWidth = font.widthOf(' ');
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf(' ', at);
    const end = found < 0 ? text.length : found;
    let next = end;
    while (text.charAt(next) === ' ') next++;
    const spaces = next - end;
    const body = text.slice(at, end);
    at = next;
    const parts = breaksPerhaps.test(body) ? body.split(behindPerhaps) : [body];
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const ends = !isLast ? 'perhaps' : spaces > 0 ? 'surely' : 'never';
      words.push({ text: part, font, width: font.widthOf(part), space: isLast ? spaces * spaceWidth : 0, ends });
    }
  }
}

interface FilledLines {
  /** The fonts of each line. */
  readonly lines: readonly SizedFont[][];
  /** The distance, in dots, of the closest word end that decides where a line ends from that line end. */
  readonly closest: number;
}

/** Trailing spaces take no space. */
function breakAtWidths(words: readonly Word[], first: number, other: number, breaksMore: boolean): FilledLines {
  const lines: SizedFont[][] = [[]];
  let free = first;
  let isEmpty = true;
  let closest = Number.MAX_VALUE;
  const exceeds = (width: number): boolean => {
    closest = Math.min(closest, Math.abs(width - free));
    return width > free;
  };
  const newLine = (): void => {
    lines.push([]);
    free = other;
    isEmpty = true;
  };
  for (let at = 0; at < words.length; ) {
    // Words without a break between them, from one or more runs.
    let end = at;
    let width = 0;
    for (; end < words.length; end++) {
      const word = words[end] as Word;
      width += word.width;
      if (word.ends === 'surely' || word.ends === 'always' || (breaksMore && word.ends === 'perhaps')) break;
      width += word.space;
    }
    const unit = words.slice(at, end + 1);
    const last = unit.at(-1);
    if (exceeds(width) && !isEmpty) newLine();
    if (exceeds(width)) {
      for (const word of unit) {
        for (const character of word.text) {
          const advance = word.font.widthOf(character);
          if (exceeds(advance) && !isEmpty) newLine();
          free -= advance;
          isEmpty = false;
          addFont(lines, word.font);
        }
      }
    } else {
      free -= width;
      isEmpty &&= width === 0;
      for (const word of unit) addFont(lines, word.font);
    }
    free -= last?.space ?? 0;
    if (last?.ends === 'always') newLine();
    at = end + 1;
  }
  return { lines, closest };
}

function addFont(lines: SizedFont[][], font: SizedFont): void {
  const line = lines.at(-1);
  if (line !== undefined && !line.includes(font)) line.push(font);
}
