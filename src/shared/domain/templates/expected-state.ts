import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { AppError } from '../../errors.ts';
import { findTemplate } from './find-template.ts';

/** The state of a template that a caller has seen: what its entity tag names. */
export interface ExpectedState {
  readonly version: number;
  readonly updatedAt: Date;
}

/** The part of a guard that lets a change through only in the expected state; none is expected when it is undefined. */
export function inState(expected: ExpectedState | undefined): SQL {
  if (expected === undefined) return sql``;
  return sql`and version = ${expected.version} and updated_at = ${expected.updatedAt.toISOString()}::timestamptz`;
}

/** When a template's row changes: later than any change before, to the millisecond, so that no two states have one tag. */
export const changeTime: SQL = sql`greatest(now(), updated_at + interval '1 millisecond')`;

/** Says why a guarded change met no row: `not_found`, or `conflict` when the template has changed since it was seen. */
export async function refuseChange(db: Executor, accountId: string, templateId: string): Promise<never> {
  await findTemplate(db, accountId, templateId);
  throw new AppError('conflict', 'The template was changed since you read it. Read it again, then repeat the change.');
}
