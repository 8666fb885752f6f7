/**
 * What differs: the number of pages, the outline, the size of a page, its text (including fonts, colours and links), or
 * anything drawn.
 */
export type Measure = 'pages' | 'outline' | 'page size' | 'text' | 'drawing';

/** A difference between two PDFs. Gives its location, but never quotes the content. */
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
  /** The number of pages in the first PDF. */
  readonly pages: number;
  /** The number of compared characters, without white space. */
  readonly characters: number;
  /** The greatest distance between the positions of a character that both PDFs have, in points. */
  readonly movedPt: number;
  /** At most one for each page and measure; empty for PDFs that are equal. */
  readonly differences: readonly Difference[];
}

/** The maximum number of listed differences; a comparison stops there. */
export const maxDifferences = 10;
