import { and, not, or, type SQL, sql } from 'drizzle-orm';
import { AppError } from '../errors.ts';

/** The states of a row that a change requires, as the preconditions of its request name them (RFC 9110, 13.1). */
export interface Precondition<State> {
  /** The row must be in one of these states (`If-Match`); in any when undefined. */
  readonly anyOf?: readonly State[] | undefined;
  /** The row must be in none of these states (`If-None-Match`); `*` is any state, so that every change fails. */
  readonly noneOf?: readonly State[] | '*' | undefined;
}

/** The condition under which a row meets the precondition; undefined if every row does. */
export function meets<State>(
  { anyOf, noneOf }: Precondition<State>,
  isIn: (state: State) => SQL | undefined,
): SQL | undefined {
  const isOneOf = anyOf === undefined ? undefined : (or(...anyOf.map(isIn)) ?? sql`false`);
  const isOther = noneOf === '*' ? sql`true` : or(...(noneOf ?? []).map(isIn));
  return and(isOneOf, isOther === undefined ? undefined : not(isOther));
}

/** The error for a change whose row exists, but not in a state that the precondition allows. */
export const preconditionFailed = (resource: string): AppError =>
  new AppError(
    'precondition_failed',
    `The ${resource} was changed since you read it. Read it again, then repeat the change.`,
  );
