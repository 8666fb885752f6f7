import type { Footnote, PageGeometry, Paragraph, Section } from '../document/tree.ts';
import type { Item } from './items.ts';

/** An entry of the outline. `top` is twips from the top of its page. */
export interface Heading {
  readonly title: string;
  readonly level: number;
  readonly top: number;
}

export interface Page {
  readonly section: Section;
  readonly geometry: PageGeometry;
  /** Whether it is the first page of its section. */
  readonly isFirst: boolean;
  /** The number that its fields show. */
  readonly number: number;
  readonly items: readonly Item[];
  readonly headings: readonly Heading[];
}

export interface OpenPage extends Page {
  readonly items: Item[];
  readonly headings: Heading[];
  readonly notes: Footnote[];
  /** Where the area for text and notes ends, from the top of the page. */
  textBottom: number;
}

/** Adds a paragraph that begins at `top` to the outline if it is a heading. */
export function addHeading({ headings }: OpenPage, { format, inlines }: Paragraph, top: number): void {
  if (format.outlineLevel === undefined) return;
  const texts = inlines.map((inline) => (inline.kind === 'text' ? inline.text : ' '));
  const title = texts.join('').trim();
  if (title !== '') headings.push({ title, level: format.outlineLevel, top });
}
