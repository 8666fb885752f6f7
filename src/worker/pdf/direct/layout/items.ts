import type { AnchoredPicture, OutlineEntry, PageSide } from '../document/tree.ts';
import type { Line } from './line.ts';
import type { StructureElement, TextElements } from './structure.ts';

/** Things on a page. Lengths are twips from the upper left corner of the page, or of what they are a part of. */
export type Item = LineItem | ShadingItem | RuleItem | BoxRuleItem | PagePictureItem;

export interface LineItem {
  readonly kind: 'line';
  /** The left margin of its column. */
  readonly left: number;
  readonly top: number;
  readonly line: Line;
  /** Of the heading that begins with this line. */
  readonly outline: OutlineEntry | undefined;
  /** Undefined for text that is repeated on pages, as that of headers. */
  readonly elements: TextElements | undefined;
}

/** A coloured area behind text. */
export interface ShadingItem {
  readonly kind: 'shading';
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** RRGGBB. */
  readonly color: string;
  /** LibreOffice rounds the edges of paragraphs and cells. */
  readonly of: 'paragraph' | 'cell' | 'page';
}

/** An anchored picture: until it has its place on the page, `left` and `top` are those of the column and of the paragraph or line around it. */
export interface PagePictureItem {
  readonly kind: 'page-picture';
  readonly left: number;
  readonly top: number;
  readonly picture: AnchoredPicture;
  readonly columnWidth: number;
  readonly isInCell: boolean;
  /** That of the paragraph to which it belongs. */
  readonly element: StructureElement | undefined;
}

/** A straight line of a border, from the middle of the border. */
export interface RuleItem {
  readonly kind: 'rule';
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly width: number;
  readonly color: string;
  /** How far a border of a table reaches over its corners, whose places LibreOffice rounds; undefined for other lines. */
  readonly reach: Reach | undefined;
}

export interface Reach {
  readonly start: number;
  readonly end: number;
  /** The width of all lines of the border. */
  readonly whole: number;
  /** From the edge of the border to the line. */
  readonly distance: number;
}

/** A line of a border of a paragraph, along a side of the box with these edges, which LibreOffice rounds. */
export interface BoxRuleItem {
  readonly kind: 'box-rule';
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly side: PageSide;
  readonly width: number;
  readonly color: string;
  /** From the edge of the box to the line. */
  readonly distance: number;
  /** By how much it ends before the corners of the box, on the left or above and at its other end. */
  readonly startInset: number;
  readonly endInset: number;
}

export function moveItem(item: Item, x: number, y: number): Item {
  if (item.kind !== 'rule' && item.kind !== 'box-rule') return { ...item, left: item.left + x, top: item.top + y };
  return { ...item, left: item.left + x, top: item.top + y, right: item.right + x, bottom: item.bottom + y };
}
