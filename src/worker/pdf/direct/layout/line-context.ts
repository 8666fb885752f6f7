import type { TextFontOf } from '../fonts/text-font.ts';
import type { PageNumbers } from './pieces.ts';
import type { StructureElement } from './structure.ts';

/** What the lines of a paragraph follow from beside the paragraph and the width of its column. */
export interface LineContext {
  readonly fontOf: TextFontOf;
  /** Whether the spaces below and above two paragraphs add up. */
  readonly addsSpaces: boolean;
  /** Between default tab stops, in twips; undefined if the document does not say. */
  readonly tabDistance: number | undefined;
  /** Words that end closer to the end of their line than this, in dots, may be on either side of it in LibreOffice. */
  readonly slack: number;
  /** Whether the document asks for the layout of Word 2013 or later. */
  readonly isOfWord2013: boolean;
  /** Whether a justified line that ends with a break is not stretched. */
  readonly keepsBrokenLines: boolean;
  /** Undefined where pages are not known yet. */
  readonly numbers: PageNumbers | undefined;
  /** To which blocks belong; undefined for text that is repeated on pages. */
  readonly structure: StructureElement | undefined;
}
