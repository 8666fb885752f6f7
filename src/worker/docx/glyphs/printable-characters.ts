import { type CodePointRanges, CodePointSet } from '../../../shared/code-point-set.ts';

/**
 * Characters that need no glyph: control characters, characters that layout turns into space or nothing (the
 * Default_Ignorable_Code_Point property of Unicode and its space separators), and U+2011, which is drawn as U+2010.
 */
const neverDrawn = [
  ...[0x00, 0x20, 0x7f, 0xa0, 0xad, 0xad, 0x34f, 0x34f, 0x61c, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180f],
  ...[0x2000, 0x200f, 0x2011, 0x2011, 0x2028, 0x202f, 0x205f, 0x206f, 0x3000, 0x3000, 0x3164, 0x3164, 0xfe00, 0xfe0f],
  ...[0xfeff, 0xfeff, 0xffa0, 0xffa0, 0xfff0, 0xfff8, 0x1bca0, 0x1bca3, 0x1d173, 0x1d17a, 0xe0000, 0xe0fff],
];

/** Word's symbol fonts, whose private characters LibreOffice replaces by those of OpenSymbol. */
const symbolFonts = /^(?:symbol|wingdings(?: [23])?|webdings|zapf ?dingbats|monotype sorts|mt extra|opensymbol)$/i;

/** Whether LibreOffice prints a private character of this font with its bundled OpenSymbol. */
export function isSymbol(codePoint: number, font: string): boolean {
  return codePoint >= 0xf000 && codePoint <= 0xf0ff && symbolFonts.test(font.trim());
}

const longestCluster = 16;
const compatibilityIdeograph = /[\uf900-\ufaff\u{2f800}-\u{2fa1f}]/u;

/** The characters that print as more than an empty box with the given fonts. */
export class PrintableCharacters {
  readonly key: string;
  readonly #set: CodePointSet;

  /** `ranges` are the code points that the fonts cover; `key` identifies the fonts. */
  constructor(key: string, ranges: CodePointRanges) {
    this.key = key;
    this.#set = new CodePointSet(ranges, neverDrawn);
  }

  /** Whether a font has the code point, or no font needs to. */
  has(codePoint: number): boolean {
    return this.#set.has(codePoint);
  }

  /**
   * Whether the character at `index` of `text` prints. If a font lacks it, shaping falls back to an equivalent
   * character (Unicode normalization forms C and D).
   */
  printsAt(text: string, index: number): boolean {
    const code = text.codePointAt(index) ?? 0;
    if (this.has(code)) return true;
    const character = String.fromCodePoint(code);
    // The font of Chinese text is chosen by its characters, so a font with only an equivalent is never tried.
    if (compatibilityIdeograph.test(character)) return false;
    if (['NFC', 'NFD'].some((form) => this.#hasAll(character.normalize(form)))) return true;
    if (!/\p{M}/u.test(character)) return false;
    const cluster = clusterAround(text, index);
    return cluster !== undefined && this.#hasAll(cluster.normalize('NFC'));
  }

  #hasAll(text: string): boolean {
    for (const character of text) if (!this.has(character.codePointAt(0) ?? 0)) return false;
    return true;
  }
}

/** The base character before a combining mark, with all its marks. */
function clusterAround(text: string, index: number): string | undefined {
  const from = Math.max(0, index - longestCluster);
  for (const { 0: cluster, index: start } of text.slice(from, index + longestCluster).matchAll(/\P{M}\p{M}*/gu))
    if (from + start <= index && index < from + start + cluster.length) return cluster;
  return undefined;
}
