import type { PdfDict } from '@libpdf/core';

/** A font with the character codes that text shows in it. */
export interface UsedFont {
  readonly dict: PdfDict;
  /** Such as `page 1, font BAAAAA+Carlito`. */
  readonly place: string;
  /** Codes of visible text. */
  readonly codes: Set<number>;
  /** Codes of any text. */
  readonly allCodes: Set<number>;
}
