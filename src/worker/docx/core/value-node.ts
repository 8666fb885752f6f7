import type { Expression } from '../language/scope.ts';

/** A node that reads a value from the data. */
export interface AskingNode {
  readonly expression: Expression;
  /** The text between the braces. */
  readonly tag: string;
}

/** Where a value is written: into a Word run, which may contain line breaks, or into a plain-text element. */
export type ValueHost = 'run' | 'plain';

export interface ValueNode extends AskingNode {
  readonly kind: 'value';
  readonly host: ValueHost;
  /** The `w:rPr` of its run, empty without one; undefined outside Word runs. */
  readonly runProperties: string | undefined;
  /** Whether a link is allowed here. */
  readonly mayLink: boolean;
  /** Prints as written where the data has no such key, because it may be prose. */
  readonly isKept?: boolean | undefined;
}
