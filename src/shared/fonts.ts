import { findSubstituteRule } from '@docmill/word/font-substitutes';

/** A family of installed fonts. */
export interface FontFamily {
  readonly name: string;
  /** Style names such as `Bold Italic`, sorted. */
  readonly styles: readonly string[];
  /** The scripts that it covers (ISO 15924), sorted: `Latn`, `Arab`, `Hans`; `Zsye` is emoji. */
  readonly scripts: readonly string[];
  readonly version?: string | undefined;
}

/** An upright regular or bold face of an installed outline font. */
export interface DrawingFace {
  readonly file: string;
  readonly family: string;
  readonly isBold: boolean;
  /** The first and last code point of each range that it covers, ascending. */
  readonly ranges: readonly number[];
}

export type FontStatus = 'available' | 'substituted' | 'missing' | 'unknown';

/** How a PDF renders a font: `substituted` keeps the line breaks, `missing` may change them. */
export interface FontReport {
  readonly name: string;
  readonly status: FontStatus;
  /** The font printed instead; unknown if the font is missing and only the document describes its appearance. */
  readonly substitute?: string;
}

/**
 * The status of each font that a template uses; `unknown` if no worker has reported its fonts. The account's own fonts
 * are available, but never substitute for another font.
 */
export function checkFonts(
  used: readonly string[],
  installed: readonly string[] | undefined,
  ofAccount: readonly string[] = [],
): FontReport[] {
  if (installed === undefined) return used.map((name) => ({ name, status: 'unknown' }));
  const known = new Set(installed.map((family) => family.toLowerCase()));
  const own = new Set(ofAccount.map((family) => family.toLowerCase()));
  return used.map((name): FontReport => {
    const key = name.toLowerCase();
    if (known.has(key) || own.has(key)) return { name, status: 'available' };
    const { fonts = [], sameWidths = 0 } = findSubstituteRule(name) ?? {};
    const at = fonts.findIndex((family) => known.has(family.toLowerCase()));
    const substitute = fonts[at];
    if (substitute === undefined) return { name, status: 'missing' };
    return { name, status: at < sameWidths ? 'substituted' : 'missing', substitute };
  });
}
