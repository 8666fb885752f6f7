import type { PdfDict } from '@libpdf/core';

/** A font and the character codes that text uses from it. */
export interface UsedFont {
  readonly dict: PdfDict;
  /** For example `page 1, font BAAAAA+Carlito`. */
  readonly place: string;
  /** Codes in visible text. */
  readonly codes: Set<number>;
  /** Codes in any text. */
  readonly allCodes: Set<number>;
}
