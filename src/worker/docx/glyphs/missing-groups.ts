import type { AccountCharacters } from '../account-fonts/characters-of.ts';
import { docxLimits } from '../limits.ts';
import { isSymbol, type PrintableCharacters } from './printable-characters.ts';
import type { RunFormat } from './requested-font.ts';
import type { ShownText } from './scan-text.ts';

/** The characters of one part and font that no installed font has. */
export interface MissingGlyphs {
  readonly part: string;
  readonly font: string | undefined;
  /** The text around the first of them; empty if unknown. */
  readonly context: string;
  readonly characters: Set<string>;
  /** Their JSON paths in the data; undefined until known. */
  readonly paths?: readonly string[] | undefined;
  /** The number of occurrences in the part. */
  count: number;
}

/** The font that a text requests, and the characters of the account's fonts of that name. */
export interface FontsOfText {
  readonly requested: { fontOf(character: string, format: RunFormat): string | undefined };
  readonly ofAccount: AccountCharacters;
}

const contextLength = 40;

/** Collects the missing characters of one part, by font. */
export class MissingGroups {
  readonly #groups = new Map<string | undefined, MissingGlyphs>();
  readonly #part: string;
  readonly #printable: PrintableCharacters;
  readonly #fonts: FontsOfText;

  constructor(part: string, printable: PrintableCharacters, fonts: FontsOfText) {
    this.#part = part;
    this.#printable = printable;
    this.#fonts = fonts;
  }

  /** Checks the texts of a paragraph, except what `omitted` matches in it. */
  add(texts: readonly ShownText[], omitted?: RegExp): void {
    const ranges = omitted === undefined ? [] : rangesOf(texts, omitted);
    let offset = 0;
    for (const [i, { text, format }] of texts.entries()) {
      let at = 0;
      while (at < text.length) {
        const code = text.codePointAt(at) ?? 0;
        const start = at;
        at += code > 0xffff ? 2 : 1;
        if (this.#printable.has(code) || this.#printable.printsAt(text, start)) continue;
        if (isWithin(ranges, offset + start)) continue;
        const character = String.fromCodePoint(code);
        const font = this.#fonts.requested.fontOf(character, format);
        if (font !== undefined && (isSymbol(code, font) || this.#fonts.ofAccount.has(font, code))) continue;
        this.#miss(character, font, () => contextOf(texts, i, start));
      }
      offset += text.length;
    }
  }

  list(): MissingGlyphs[] {
    return [...this.#groups.values()];
  }

  #miss(character: string, font: string | undefined, context: () => string): void {
    let group = this.#groups.get(font);
    if (group === undefined) {
      if (this.#groups.size >= docxLimits.errorDetails) return;
      group = { part: this.#part, font, context: context(), characters: new Set(), count: 0 };
      this.#groups.set(font, group);
    }
    if (group.characters.size < docxLimits.errorDetails) group.characters.add(character);
    group.count++;
  }
}

type Range = readonly [start: number, end: number];

function rangesOf(texts: readonly ShownText[], pattern: RegExp): Range[] {
  const whole = texts.map(({ text }) => text).join('');
  return Array.from(whole.matchAll(pattern), ({ 0: match, index }) => [index, index + match.length] as const);
}

/** Whether one of the sorted ranges contains `at`: finds the last one that begins at or before it. */
function isWithin(ranges: readonly Range[], at: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[0] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return at < (ranges[low - 1]?.[1] ?? 0);
}

function contextOf(texts: readonly ShownText[], index: number, at: number): string {
  let before = '';
  for (let i = index; i >= 0 && before.length < contextLength; i--) {
    const text = texts[i]?.text ?? '';
    before =
      text.slice(Math.max(0, (i === index ? at : text.length) - contextLength), i === index ? at : text.length) +
      before;
  }
  let after = '';
  for (let i = index; i < texts.length && after.length < contextLength; i++)
    after += (texts[i]?.text ?? '').slice(i === index ? at : 0).slice(0, contextLength);
  const start = [...before].slice(-contextLength / 2).join('');
  const end = [...after].slice(0, contextLength / 2).join('');
  const whole = `${before.length > start.length ? '…' : ''}${start}${end}${after.length > end.length ? '…' : ''}`;
  return whole.toWellFormed().replace(/\s+/g, ' ').trim();
}
