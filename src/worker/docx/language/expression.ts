import type { Scope } from './scope.ts';

/** What stands between the braces of a tag, ready to be asked for its value in a scope. */
export interface Expression {
  /** The value found, `undefined` when the data has none. */
  evaluate(scope: Scope): unknown;
  /** The JSON path (`data.items[3].price`) of the value, or of where it would be. */
  locate(scope: Scope): string;
}

/** Turns the text of a tag into an expression; throws an Error with a sentence for the author when it cannot. */
export type TagParser = (text: string) => Expression;
