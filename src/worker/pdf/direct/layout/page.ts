import type { Footnote, PageGeometry, Section } from '../document/tree.ts';
import type { Item } from './items.ts';

export interface Page {
  readonly section: Section;
  readonly geometry: PageGeometry;
  /** Whether it is the first page of its section. */
  readonly isFirst: boolean;
  /** The number that its fields show. */
  readonly number: number;
  readonly items: readonly Item[];
}

export interface OpenPage extends Page {
  readonly items: Item[];
  readonly notes: Footnote[];
  /** Where the area for text and notes ends, from the top of the page. */
  textBottom: number;
}
