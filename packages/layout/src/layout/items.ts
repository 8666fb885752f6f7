import type { AnchoredPicture, OutlineEntry, PageSide } from '../document/tree.ts';
import type { Line } from './line.ts';
import type { StructureElement, TextElements } from './structure.ts';

/** The items on a page. Lengths are twips from the upper left corner of the page, or of the containing item. */
export type Item = LineItem | ShadingItem | RuleItem | BoxRuleItem | PagePictureItem;

/** A part that is repeated on other pages. */
export type Story = 'Header' | 'Footer';

interface PageItem {
  /** Undefined for the body and its notes. */
  readonly story?: Story;
}

export interface LineItem extends PageItem {
  readonly kind: 'line';
  /** The left margin of its column. */
  readonly left: number;
  readonly top: number;
  readonly line: Line;
  /** The outline entry of the heading that begins with this line. */
  readonly outline: OutlineEntry | undefined;
  /** Undefined for text that repeats on pages, such as headers. */
  readonly elements: TextElements | undefined;
}

/** A coloured area behind text. */
export interface ShadingItem extends PageItem {
  readonly kind: 'shading';
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** As RRGGBB. */
  readonly color: string;
  /** The kind of content that the area belongs to. LibreOffice rounds the edges of paragraphs and cells. */
  readonly of: 'paragraph' | 'cell' | 'page';
}

/**
 * An anchored picture. Until it is positioned on the page, `left` and `top` are those of the column and of the
 * paragraph or line around it.
 */
export interface PagePictureItem extends PageItem {
  readonly kind: 'page-picture';
  readonly left: number;
  readonly top: number;
  readonly picture: AnchoredPicture;
  readonly columnWidth: number;
  readonly isInCell: boolean;
  /** The structure element of the paragraph to which it belongs. */
  readonly element: StructureElement | undefined;
}

/** A straight line of a border, measured from the middle of the border. */
export interface RuleItem extends PageItem {
  readonly kind: 'rule';
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly width: number;
  readonly color: string;
  /**
   * How far a table border extends beyond its corners, whose positions LibreOffice rounds; undefined for other lines.
   */
  readonly reach: Reach | undefined;
}

export interface Reach {
  readonly start: number;
  readonly end: number;
  /** The total width of the border's lines. */
  readonly whole: number;
  /** The distance from the edge of the border to the line. */
  readonly distance: number;
}

/** A line of a paragraph border, along one side of a box with these edges, which LibreOffice rounds. */
export interface BoxRuleItem extends PageItem {
  readonly kind: 'box-rule';
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly side: PageSide;
  readonly width: number;
  readonly color: string;
  /** The distance from the edge of the box to the line. */
  readonly distance: number;
  /** The distance by which it ends before the corners of the box: at its left or upper end, and at its other end. */
  readonly startInset: number;
  readonly endInset: number;
}

export function moveItem(item: Item, x: number, y: number): Item {
  if (item.kind !== 'rule' && item.kind !== 'box-rule') return { ...item, left: item.left + x, top: item.top + y };
  return { ...item, left: item.left + x, top: item.top + y, right: item.right + x, bottom: item.bottom + y };
}
