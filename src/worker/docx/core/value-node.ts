import type { Expression } from '../language/scope.ts';

/** A node that reads a value from the data. */
export interface AskingNode {
  readonly expression: Expression;
  /** The text between the braces. */
  readonly tag: string;
}

/** The target of a written value: a Word run, which may contain line breaks, or a plain-text element. */
export type ValueHost = 'run' | 'plain';

export interface ValueNode extends AskingNode {
  readonly kind: 'value';
  readonly host: ValueHost;
  /** The `w:rPr` of its run, empty without one; undefined outside Word runs. */
  readonly runProperties: string | undefined;
  /** Whether a link is allowed here. */
  readonly mayLink: boolean;
  /** Whether it prints as written if the data lacks its key, because it may be prose. */
  readonly isKept?: boolean | undefined;
}
