/** The styles by which Word groups the fonts of a family. */
export type FontStyle = 'regular' | 'bold' | 'italic' | 'boldItalic';

/** A font family of the account that documents may name. */
export interface AccountFamily {
  /** Its names, normalised by `toFontKey`. */
  readonly names: readonly string[];
  /**
   * The name under which the converter receives the family, in letters and digits only. It must not be guessable,
   * because a warm converter keeps the fonts of earlier documents.
   */
  readonly alias: string;
  readonly styles: readonly FontStyle[];
  /** First and last code point of each range of its characters, ascending. Default: none. */
  readonly coverage?: readonly number[] | undefined;
}

/** Normalises a font name for comparison: Word and LibreOffice ignore case. */
export function toFontKey(name: string): string {
  return name.trim().toLowerCase();
}

/** The part in which `useAccountFonts` expects a font. */
export function fontPartName(alias: string, style: FontStyle): string {
  return `fonts/${alias}-${style}.odttf`;
}
