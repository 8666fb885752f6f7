import type { CellGridNode, ColumnCell, GridNode } from '../features/columns/column.ts';
import type { HtmlNode } from '../features/html/html-node.ts';
import type { PictureNode } from '../features/images/picture-node.ts';
import type { LinkNode } from '../features/links/link-node.ts';
import type { MergeNode, MergeResetNode } from '../features/tables/merge.ts';
import type { Expression } from '../language/scope.ts';
import type { Mark } from './structure.ts';

export interface TextNode {
  readonly kind: 'text';
  readonly xml: string;
  readonly mark: Mark | undefined;
}

/** How a value is written: into a Word run, where it may break lines, or into an element that holds plain text only. */
export type ValueHost = 'run' | 'plain';

export interface ValueNode {
  readonly kind: 'value';
  readonly expression: Expression;
  readonly tag: string;
  readonly host: ValueHost;
  /** The `w:rPr` of its run, empty without one; undefined when it stands in no Word run. */
  readonly runProperties: string | undefined;
  /** Whether a link may stand here. */
  readonly mayLink: boolean;
}

export interface SectionNode {
  readonly kind: 'section';
  readonly tag: string;
  readonly expression: Expression;
  readonly isInverted: boolean;
  readonly body: readonly Node[];
  readonly layout: SectionLayout | undefined;
  /** Set where the section is the cells of a table's column: what it repeats is decided once for the whole table. */
  readonly column?: ColumnCell | undefined;
}

/** What a section does to pages: set only where its paragraphs carry page breaks or page setups. */
export interface SectionLayout {
  readonly breaksBefore: boolean;
  readonly breaksAfterLast: boolean;
  readonly breaksAfterEach: boolean;
  /** Page setup put before the first item. */
  readonly setupBefore: string | undefined;
  readonly dropsFrames: boolean;
  readonly isContinuous: boolean;
  /** Written instead of the section when it prints nothing. */
  readonly whenEmpty: string;
}

export type Node =
  | TextNode
  | ValueNode
  | HtmlNode
  | LinkNode
  | PictureNode
  | SectionNode
  | GridNode
  | CellGridNode
  | MergeNode
  | MergeResetNode;

export interface PartNodes {
  readonly name: string;
  readonly nodes: readonly Node[];
  /** Relationships whose addresses hold tags: none of them is in the finished document. */
  readonly addressIds: readonly string[];
  /** Length of the template part. */
  readonly sizeChars: number;
  /** Sections may repeat ids that must stay unique, or part a range's start from its end. */
  readonly hasUnsteadyIds: boolean;
  /** The document may end with a page break of its last section. */
  readonly mayEndWithBreak: boolean;
}
