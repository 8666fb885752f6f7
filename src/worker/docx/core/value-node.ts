import type { Expression } from '../language/scope.ts';

/** A node that asks the data for a value. */
export interface AskingNode {
  readonly expression: Expression;
  /** What stands between the braces. */
  readonly tag: string;
}

/** How a value is written: into a Word run, where it may break lines, or into an element that holds plain text only. */
export type ValueHost = 'run' | 'plain';

export interface ValueNode extends AskingNode {
  readonly kind: 'value';
  readonly host: ValueHost;
  /** The `w:rPr` of its run, empty without one; undefined when it stands in no Word run. */
  readonly runProperties: string | undefined;
  /** Whether a link may stand here. */
  readonly mayLink: boolean;
}
