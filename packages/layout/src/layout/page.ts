import type { Footnote, PageGeometry, Section } from '../document/tree.ts';
import type { Item } from './items.ts';

export interface Page {
  readonly section: Section;
  readonly geometry: PageGeometry;
  /** Whether it is the first page of its section. */
  readonly isFirst: boolean;
  /** The number that its page fields show. */
  readonly number: number;
  readonly items: readonly Item[];
  /** The items in stacking order, if that differs. */
  readonly layers: readonly Item[] | undefined;
}

export interface OpenPage extends Page {
  readonly items: Item[];
  layers: readonly Item[] | undefined;
  readonly notes: Footnote[];
  /** The top and bottom of the area for text and notes, from the top of the page. */
  textTop: number;
  textBottom: number;
}
