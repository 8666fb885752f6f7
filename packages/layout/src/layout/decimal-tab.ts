import type { DecimalPoint, TextInline } from '../document/tree.ts';
import type { WordPiece } from './pieces.ts';

const numeral = /[/-9\u0660-\u0669]/;
/** Thousands separators, which do not end a number, by the decimal point. */
const separators: Readonly<Record<DecimalPoint, string>> = { '.': ",'", ',': '.' };

/** A word that ends at a decimal stop: the part before the stop, and the part that begins there. */
export interface DecimalParts {
  /** Undefined for a word that begins at the stop. */
  readonly before: WordPiece | undefined;
  readonly behind: WordPiece;
}

/**
 * Splits a word at its first decimal point, or at the end of its first number, where Writer begins a portion
 * (`SwTextFormatInfo::ScanPortionEnd`). Undefined for a word with neither.
 */
export function splitAtDecimalPoint(piece: WordPiece, point: DecimalPoint): DecimalParts | undefined {
  const { word, font, run, spaces } = piece;
  const at = endOfNumber(word.text, point, spaces > 0);
  if (at === undefined || run.kind !== 'text') return undefined;
  const apart: TextInline = { ...run, isApart: true };
  return {
    before: at === 0 ? undefined : { ...piece, word: font.shape(word.text.slice(0, at)), spaces: 0, gap: 0 },
    behind: { ...piece, word: at === 0 ? word : font.shape(word.text.slice(at)), run: apart },
  };
}

function endOfNumber(text: string, point: DecimalPoint, isBeforeSpace: boolean): number | undefined {
  let isInNumber = false;
  for (const [index, character] of Array.from(text).entries()) {
    if (character === point) return index;
    if (numeral.test(character)) isInNumber = true;
    else if (isInNumber && !separators[point].includes(character)) return index;
  }
  return isInNumber && isBeforeSpace ? text.length : undefined;
}
