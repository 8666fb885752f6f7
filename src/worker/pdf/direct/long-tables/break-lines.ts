import { dotsPerTwip, type SizedFont } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { FontChoice, Paragraph } from './document-tree.ts';

export type FontOf = (choice: FontChoice) => SizedFont;

export interface Lines {
  /** The height of each line in twips, with its line spacing. */
  readonly heights: readonly number[];
  /** The same with more or fewer lines, where a break is so close that another rounding could make them. */
  readonly others: readonly (readonly number[])[];
}

/** A piece of text that does not break, and the spaces behind it, in dots. */
interface Word {
  readonly text: string;
  readonly font: SizedFont;
  readonly width: number;
  readonly space: number;
  /** Whether a line may end behind it; certainly so behind a space. */
  readonly ends: 'surely' | 'perhaps' | 'never' | 'always';
}

/**
 * Letters of Latin, Greek and Cyrillic, digits and punctuation that are set from left to right, one glyph for each, and between
 * which no line may break (Unicode Standard Annex 14), except behind `breaksPerhaps`.
 */
const known =
  /^[ -~\u00a1-\u00ac\u00ae-\u024f\u0370-\u0373\u0376-\u037d\u0384-\u0482\u048a-\u052f‘’‚“”„†‡•‹›€™–—…\n]*$/u;
const breaksPerhaps = /[-/!?}|–—…]/;
const pieces = /\n|[^ \n]*? *\n|[^ \n]+ *| +/g;
/** Lengths of the file become hundredths of a millimetre and twips again, so that a line has up to two twips less. */
const lostDots = 11;
/** Widths closer to the end of a line than this may be rounded to the other side of it. */
const slackDots = 9;

/** Breaks a paragraph into lines of a cell. Throws UnknownFeature for text that needs more than advances. */
export function breakLines(paragraph: Paragraph, textWidth: number, fontOf: FontOf): Lines {
  const words = wordsOf(paragraph, fontOf);
  const mark = fontOf(paragraph.markFont);
  const width = (textWidth - paragraph.left - paragraph.right) * dotsPerTwip - lostDots;
  if (width < 40 * slackDots) throw new UnknownFeature('a narrow column');
  const first = width - paragraph.firstLine * dotsPerTwip;
  const fill = (slack: number, breaksMore: boolean): readonly SizedFont[][] =>
    fillLines(words, first + slack, width + slack, breaksMore);
  const heightsOf = (lines: readonly SizedFont[][]): number[] =>
    lines.map((fonts) => heightOf(paragraph, fonts.length === 0 ? [mark] : fonts));
  const lines = fill(0, true);
  const others = new Map<number, number[]>();
  for (const breaksMore of [true, false]) {
    for (const slack of [-slackDots, slackDots]) {
      const other = fill(slack, breaksMore);
      if (other.length !== lines.length) others.set(other.length, heightsOf(other));
    }
  }
  return { heights: heightsOf(lines), others: [...others.values()] };
}

function wordsOf({ runs }: Paragraph, fontOf: FontOf): Word[] {
  const words: Word[] = [];
  for (const { text, font: choice } of runs) {
    if (text === '') continue;
    if (!known.test(text)) throw new UnknownFeature('characters of other scripts');
    const font = fontOf(choice);
    for (const character of new Set(text)) {
      if (character !== '\n' && !font.has(character)) throw new UnknownFeature('characters that the font lacks');
    }
    const space = font.widthOf(' ');
    for (const [piece] of text.matchAll(pieces)) {
      const body = piece.trimEnd();
      const spaces = piece.endsWith('\n') ? piece.length - body.length - 1 : piece.length - body.length;
      const ends = piece.endsWith('\n') ? 'always' : spaces > 0 ? 'surely' : 'never';
      let start = 0;
      for (let at = 0; at < body.length - 1; at++) {
        if (!breaksPerhaps.test(body.charAt(at))) continue;
        const part = body.slice(start, at + 1);
        words.push({ text: part, font, width: font.widthOf(part), space: 0, ends: 'perhaps' });
        start = at + 1;
      }
      const rest = body.slice(start);
      words.push({ text: rest, font, width: font.widthOf(rest), space: spaces * space, ends });
    }
  }
  return words;
}

/** The fonts of each line. Spaces at the end of a line take no space. */
function fillLines(words: readonly Word[], first: number, other: number, breaksMore: boolean): SizedFont[][] {
  const lines: SizedFont[][] = [[]];
  let free = first;
  let isEmpty = true;
  const newLine = (): void => {
    lines.push([]);
    free = other;
    isEmpty = true;
  };
  for (let at = 0; at < words.length; ) {
    // Words without a break between them, of one run or several.
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
    if (width > free && !isEmpty) newLine();
    if (width > free) {
      for (const word of unit) {
        for (const character of word.text) {
          const advance = word.font.widthOf(character);
          if (advance > free && !isEmpty) newLine();
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
  return lines;
}

function addFont(lines: SizedFont[][], font: SizedFont): void {
  const line = lines.at(-1);
  if (line !== undefined && !line.includes(font)) line.push(font);
}

/** The height of a line: the highest ascent and the deepest descent, then its spacing (`SwTextFormatter::CalcRealHeight`). */
function heightOf({ line, lineRule }: Paragraph, fonts: readonly SizedFont[]): number {
  const ascent = Math.max(...fonts.map((font) => font.ascent));
  const height = ascent + Math.max(...fonts.map((font) => font.lineHeight - font.ascent));
  if (lineRule === 'exact') return line;
  if (lineRule === 'atLeast') return Math.max(line, height);
  const percent = Math.round((line * 100) / 240);
  // Less than one line is computed differently by the versions of LibreOffice.
  if (percent < 100) throw new UnknownFeature('less than one line');
  return Math.floor((height * percent) / 100);
}
