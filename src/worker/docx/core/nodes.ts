import type { Expression, Scope } from '../language/scope.ts';
import type { RenderState } from './render/render-state.ts';
import type { Mark } from './structure.ts';
import type { AskingNode, ValueNode } from './value-node.ts';

export interface TextNode {
  readonly kind: 'text';
  readonly xml: string;
  readonly mark: Mark | undefined;
}

/** A node that a feature built. Core knows where it stands and what it asks the data for, the feature how it is written. */
export interface FeatureNode {
  readonly kind: 'feature';
  readonly render: (scope: Scope, state: RenderState) => void;
  /** What it asks the data for; undefined for a node that writes layout only. */
  readonly asks?: AskingNode | undefined;
  /** Set on a node that stands in place of an element which others must contain. */
  readonly mark?: Mark | undefined;
  /** The node as it stands in the cells of a column that data repeats, where that makes a difference. */
  readonly inRepeatedColumn?: () => FeatureNode;
  /** It writes what the template says too: a content control around it counts as one without tags. */
  readonly isTransparent?: boolean;
}

export interface SectionNode extends AskingNode {
  readonly kind: 'section';
  readonly isInverted: boolean;
  readonly body: readonly Node[];
  readonly layout: SectionLayout | undefined;
  /** Set where a feature decided earlier what the section repeats. */
  readonly source?: SectionSource | undefined;
}

/** Where a section takes its value from, if not from the data around it. */
export interface SectionSource {
  /** The node that looked the value up, in the data around that node. */
  readonly anchor: FeatureNode;
  readonly read: (state: RenderState) => SectionValue;
}

export interface SectionValue {
  readonly value: unknown;
  /** Locates the value in the data. */
  readonly source: Expression;
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

export type Node = TextNode | ValueNode | SectionNode | FeatureNode;

/** What a node asks the data for; undefined for one that asks nothing. */
export function askedBy(node: Node): AskingNode | undefined {
  if (node.kind === 'text') return undefined;
  return node.kind === 'feature' ? node.asks : node;
}

export interface PartNodes {
  readonly name: string;
  readonly nodes: readonly Node[];
  /** What features do once the part is written, in their order. */
  readonly finish: readonly ((state: RenderState) => void)[];
  /** Length of the template part. */
  readonly sizeChars: number;
  /** Sections may repeat ids that must stay unique, or separate a range's start from its end. */
  readonly mayRepeatIds: boolean;
  /** The document may end with a page break of its last section. */
  readonly mayEndWithBreak: boolean;
}
