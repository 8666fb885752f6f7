/**
 * What differs: the number of pages, the outline, the size of a page, its text with fonts, colours and links, or anything that is drawn.
 */
export type Measure = 'pages' | 'outline' | 'page size' | 'text' | 'drawing';

/** A difference of two PDFs. It says where it is, and nothing of what is written there. */
export interface Difference {
  readonly measure: Measure;
  /** Counted from 1. */
  readonly page: number;
  /** What differs and by how much, such as `2 characters are elsewhere, by up to 1.31 pt`. */
  readonly message: string;
  /** Points (1/72 inch) from the left and the upper edge of the page. */
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

export interface Comparison {
  /** Pages of the first PDF. */
  readonly pages: number;
  /** Compared characters, without white space. */
  readonly characters: number;
  /** The longest distance in points between the places of a character that both have. */
  readonly movedPt: number;
  /** At most one for each page and measure; none for PDFs that are equal. */
  readonly differences: readonly Difference[];
}

/** Differences that are listed; a comparison ends when it has found so many. */
export const maxDifferences = 10;
