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

export type Inline = TextInline | BreakInline;

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

export type Alignment = 'left' | 'center' | 'right' | 'both';
export type ParagraphRole = 'text' | 'heading' | 'quote' | 'rule';

export interface ParagraphBlock {
  readonly kind: 'paragraph';
  readonly role: ParagraphRole;
  /** 1 to 6, for headings. */
  readonly headingLevel: number;
  readonly quoteDepth: number;
  readonly list: ListPlace | undefined;
  readonly align: Alignment | undefined;
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
  readonly rows: readonly TableRow[];
}

export type Block = ParagraphBlock | TableBlock;
