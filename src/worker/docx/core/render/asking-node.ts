import type { Expression } from '../../language/scope.ts';

/** A node that asks the data for a value. */
export interface AskingNode {
  readonly expression: Expression;
  /** What stands between the braces. */
  readonly tag: string;
}
