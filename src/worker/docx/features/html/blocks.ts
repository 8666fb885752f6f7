import type { PictureSource } from '../../core/pictures/image-store.ts';
import type { NumberFormat } from '../../core/styles/numbering.ts';

/** Text formatting set by HTML. Unset properties keep the formatting of the tag. */
export interface TextFormat {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly position?: 'superscript' | 'subscript' | 'baseline';
  /** Six hexadecimal digits. */
  readonly colour?: string;
  readonly background?: string;
  readonly sizeHalfPoints?: number;
  readonly isCode?: boolean;
  readonly direction?: Direction;
}

export interface TextInline {
  readonly kind: 'text';
  readonly text: string;
  readonly format: TextFormat;
  /** A validated address. */
  readonly link: string | undefined;
}

export interface BreakInline {
  readonly kind: 'break';
}

export interface PictureInline {
  readonly kind: 'picture';
  /** As written in the HTML. */
  readonly address: string;
  readonly source: PictureSource;
  /** As in HTML and CSS: `200`, `5cm`, `50%`. */
  readonly width: string | undefined;
  readonly height: string | undefined;
  readonly alt: string;
  readonly link: string | undefined;
}

export type Inline = TextInline | BreakInline | PictureInline;

/** One `ul` or `ol`. Items of the same object are numbered consecutively. */
export interface HtmlList {
  readonly format: NumberFormat | 'bullet';
  readonly start: number;
}

export interface ListPlace {
  readonly list: HtmlList;
  /** 0 to 8. */
  readonly level: number;
  /** The first paragraph of its item, which carries the number. */
  readonly isNumbered: boolean;
}

/** `left` and `right` are sides of the page; `start` and `end` depend on the direction of the text. */
export type Alignment = 'left' | 'center' | 'right' | 'both' | 'start' | 'end';
export type Direction = 'ltr' | 'rtl';
export type ParagraphRole = 'text' | 'heading' | 'quote' | 'rule' | 'code';

export interface ParagraphBlock {
  readonly kind: 'paragraph';
  readonly role: ParagraphRole;
  /** 1 to 6, for headings. */
  readonly headingLevel: number;
  readonly quoteDepth: number;
  readonly list: ListPlace | undefined;
  readonly align: Alignment | undefined;
  readonly direction: Direction | undefined;
  readonly content: Inline[];
}

export interface HtmlTableCell {
  /** The number of grid columns that it covers. */
  readonly columns: number;
  readonly merge: 'none' | 'start' | 'continue';
  readonly background: string | undefined;
  readonly blocks: readonly Block[];
}

export interface TableRow {
  readonly isHeader: boolean;
  readonly cells: readonly HtmlTableCell[];
}

export interface TableBlock {
  readonly kind: 'table';
  readonly columns: number;
  readonly direction: Direction | undefined;
  readonly rows: readonly TableRow[];
}

export type Block = ParagraphBlock | TableBlock;
