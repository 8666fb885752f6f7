import type { PrintedTerm } from '@docmill/einvoice';
import type { PrintedWord } from './read-printed-pages.ts';
import type { Row } from './rows.ts';

/** A rectangle on a page. Lengths are points from its upper left corner. */
export interface PrintedBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A value of an invoice that its pages do not show where they should. */
export interface InvoiceDifference {
  /** Such as `BT-112`. */
  readonly term: string;
  readonly name: string;
  /** The line of the invoice, from 1. */
  readonly line?: number | undefined;
  /** The value of the XML. */
  readonly expected: string;
  /** What the pages show in its place; absent if nothing is recognized there. */
  readonly found?: string | undefined;
  /** Counted from 1, with the box: the place of what was found, or of the line. */
  readonly page?: number | undefined;
  readonly box?: PrintedBox | undefined;
}

export type Place = Pick<InvoiceDifference, 'found' | 'page' | 'box'>;

export const differing = (
  { term, name, value }: PrintedTerm,
  place: Place | undefined,
  line?: number,
): readonly InvoiceDifference[] => [{ term, name, ...(line !== undefined && { line }), expected: value, ...place }];

const maxFoundChars = 200;

export function placeOf(row: Row, words: readonly PrintedWord[], found?: string): Place {
  const left = Math.min(...words.map((word) => word.left));
  const top = Math.min(...words.map((word) => word.top));
  const round = (points: number): number => Math.round(points * 10) / 10;
  const box = {
    x: round(left),
    y: round(top),
    width: round(Math.max(...words.map((word) => word.right)) - left),
    height: round(Math.max(...words.map((word) => word.bottom)) - top),
  };
  return { ...(found !== undefined && { found: found.slice(0, maxFoundChars) }), page: row.page, box };
}
