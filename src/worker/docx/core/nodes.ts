import type { Expression, Scope } from '../language/scope.ts';
import type { RenderState } from './render/render-state.ts';
import type { Mark } from './structure.ts';
import type { AskingNode, ValueNode } from './value-node.ts';

export interface TextNode {
  readonly kind: 'text';
  readonly xml: string;
  readonly mark: Mark | undefined;
}

/** A node that a feature built. Core keeps its position and the data it reads; the feature writes it. */
export interface FeatureNode {
  readonly kind: 'feature';
  readonly render: (scope: Scope, state: RenderState) => void;
  /** The expression it evaluates; undefined for a node that writes layout only. */
  readonly asks?: AskingNode | undefined;
  /** Set on a node that replaces an element which a container requires. */
  readonly mark?: Mark | undefined;
  /** The variant of the node for the cells of a repeated column, if it differs. */
  readonly inRepeatedColumn?: () => FeatureNode;
  /**
   * Whether it also writes content of the template itself. A content control around it then counts as one without tags.
   */
  readonly isTransparent?: boolean;
  /** The part that it shows in this place, filled with the data of this place. See `PartNodes.isEmbedded`. */
  readonly embeds?: string | undefined;
}

export interface SectionNode extends AskingNode {
  readonly kind: 'section';
  readonly isInverted: boolean;
  readonly body: readonly Node[];
  readonly layout: SectionLayout | undefined;
  /** Set where a feature has already looked up the value of the section. */
  readonly source?: SectionSource | undefined;
  /** Set where a feature writes the section, instead of repeating its content. */
  readonly writer?: SectionWriter | undefined;
  /** Set where the section is the content of an included template. */
  readonly included?: IncludedContent | undefined;
}

/** Writes a section for a feature that does more than repeat its content. */
export interface SectionWriter {
  /** Whether names in the section are looked up in the data around the section. */
  readonly sharesData: boolean;
  readonly write: (node: SectionNode, scope: Scope, state: RenderState) => void;
}

/** Content that comes from another template. */
export interface IncludedContent {
  /** The name or the id by which the template is included. */
  readonly template: string;
  /** Whether its names are looked up only in the value of the section, like those of a separate document. */
  readonly hasOwnScope: boolean;
}

/** The source of a section's value if it is not the section's own expression. */
export interface SectionSource {
  /** The node that looked the value up in its own scope. */
  readonly anchor: FeatureNode;
  readonly read: (state: RenderState) => SectionValue;
}

export interface SectionValue {
  readonly value: unknown;
  /** Locates the value in the data. */
  readonly source: Expression;
}

/** The effect of a section on paragraphs and pages, if it does more than repeat its content. */
export interface SectionLayout {
  /** Written before each item but the first. */
  readonly between: string | undefined;
  readonly breaksBefore: boolean;
  readonly breaksAfterLast: boolean;
  /** The paragraph with the page setup of its opening tag, written before the first item. */
  readonly opening: string;
  readonly dropsFrames: boolean;
  readonly isContinuous: boolean;
  /** Written instead of the section when it prints nothing. */
  readonly whenEmpty: string;
}

export type Node = TextNode | ValueNode | SectionNode | FeatureNode;

/** The expression that a node evaluates; undefined for a node without one. */
export function askedBy(node: Node): AskingNode | undefined {
  if (node.kind === 'text') return undefined;
  return node.kind === 'feature' ? node.asks : node;
}

export interface PartNodes {
  readonly name: string;
  readonly nodes: readonly Node[];
  /** Whether a feature node renders the part where it embeds it, instead of once with the whole data. */
  readonly isEmbedded: boolean;
  /** The `finish` hooks of features, in order, run once the part is written. */
  readonly finish: readonly ((state: RenderState) => void)[];
  /** Length of the template part. */
  readonly sizeChars: number;
  /** Whether sections may repeat ids that must stay unique, or separate a range's start from its end. */
  readonly mayRepeatIds: boolean;
  /** Whether tags may leave page sections empty. */
  readonly mayEmptySections: boolean;
  /** Whether the document may end with a page break of its last section. */
  readonly mayEndWithBreak: boolean;
}
