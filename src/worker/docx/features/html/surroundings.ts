import type { Alignment, Block, HtmlList, ParagraphRole, TextFormat } from './blocks.ts';
import type { DomNode } from './parse-html.ts';

/** What the elements around a text make of it. */
export interface Surroundings {
  readonly format: TextFormat;
  readonly link: string | undefined;
  readonly role: ParagraphRole;
  readonly headingLevel: number;
  readonly quoteDepth: number;
  readonly align: Alignment | undefined;
  readonly keepsSpace: boolean;
  readonly item: OpenItem | undefined;
  readonly list: OpenList | undefined;
  readonly tableDepth: number;
}

export interface OpenList {
  readonly list: HtmlList;
  readonly level: number;
}

export interface OpenItem extends OpenList {
  isNumbered: boolean;
}

/** Counts over all of one value. */
export interface Collection {
  /** Of the text around the tag: what `em` counts from. */
  readonly baseHalfPoints: number;
  cells: number;
  readonly collect: (nodes: readonly DomNode[], around: Surroundings) => Block[];
}

export const outermost: Surroundings = {
  format: {},
  link: undefined,
  role: 'text',
  headingLevel: 0,
  quoteDepth: 0,
  align: undefined,
  keepsSpace: false,
  item: undefined,
  list: undefined,
  tableDepth: 0,
};
