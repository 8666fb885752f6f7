import { isInRanges } from '../../../shared/code-point-set.ts';
import { type AccountFamily, toFontKey } from './account-family.ts';

/** The characters of the account's fonts. LibreOffice uses them only in text that names the font. */
export interface AccountCharacters {
  /** Identifies the set of fonts. */
  readonly key: string;
  /** Whether the account has a font of this name with this character. */
  has(font: string, codePoint: number): boolean;
}

export function charactersOf(families: readonly AccountFamily[]): AccountCharacters {
  const byName = new Map(
    families.flatMap((family) => family.names.map((name) => [name, family.coverage ?? []] as const)),
  );
  return {
    key: families.map(({ alias }) => alias).join(),
    has: (font, codePoint) => isInRanges(byName.get(toFontKey(font)) ?? [], codePoint),
  };
}
