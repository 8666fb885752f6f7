import type { Expression } from '../../language/scope.ts';

/** The address of a link, filled from data. */
export interface LinkNode {
  readonly kind: 'link';
  readonly expression: Expression;
  /** What stands between the braces of its first tag. */
  readonly tag: string;
  /** What is written between `before` and `after`: the id of a relationship, or the address itself. */
  readonly writes: 'relationship' | 'address';
  readonly before: string;
  readonly after: string;
  /** Written when the data has no address. */
  readonly withoutAddress: string;
}
