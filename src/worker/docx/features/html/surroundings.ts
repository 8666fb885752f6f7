import type { Alignment, Block, Direction, HtmlList, ParagraphRole, TextFormat } from './blocks.ts';
import type { DomNode } from './parse-html.ts';

/** State that enclosing elements pass down to their content. */
export interface Surroundings {
  readonly format: TextFormat;
  readonly link: string | undefined;
  readonly role: ParagraphRole;
  readonly headingLevel: number;
  readonly quoteDepth: number;
  readonly align: Alignment | undefined;
  readonly direction: Direction | undefined;
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

/** State shared across one HTML value. */
export interface Collection {
  /** Font size of the text around the tag, the base of `em`. */
  readonly baseHalfPoints: number;
  cells: number;
  /** Counts a picture that is omitted, because its address is neither a `data:` URL nor an asset. */
  readonly omitPicture: () => void;
  readonly collect: (nodes: readonly DomNode[], around: Surroundings) => Block[];
}

export const outermost: Surroundings = {
  format: {},
  link: undefined,
  role: 'text',
  headingLevel: 0,
  quoteDepth: 0,
  align: undefined,
  direction: undefined,
  keepsSpace: false,
  item: undefined,
  list: undefined,
  tableDepth: 0,
};
