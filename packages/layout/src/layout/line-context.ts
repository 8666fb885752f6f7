import type { DecimalPoint } from '../document/tree.ts';
import type { TextFontOf } from '../fonts/text-font.ts';
import type { PageNumbers } from './pieces.ts';
import type { StructureElement } from './structure.ts';

/** Everything that determines the lines of a paragraph, except the paragraph itself and the width of its column. */
export interface LineContext {
  readonly fontOf: TextFontOf;
  /** Whether the space below one paragraph and the space above the next add up. */
  readonly addsSpaces: boolean;
  /** The distance between default tab stops, in twips; undefined if the document does not specify it. */
  readonly tabDistance: number | undefined;
  /** Words that end closer to the line end than this, in dots, may be on either side of it in LibreOffice. */
  readonly slack: number;
  /** Whether the document requests the layout of Word 2013 or later. */
  readonly isOfWord2013: boolean;
  /** Whether a justified line that ends with a line break is not stretched. */
  readonly keepsBrokenLines: boolean;
  readonly decimalPoint: DecimalPoint;
  /** Undefined while pages are not known yet. */
  readonly numbers: PageNumbers | undefined;
  /** The parent of the blocks; undefined for text that repeats on pages. */
  readonly structure: StructureElement | undefined;
}
