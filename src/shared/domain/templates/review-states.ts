import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { ReviewState } from '../../db/schema/templates.ts';
import { AppError } from '../../errors.ts';

/** Whether live keys may use a version: it is approved, or needs no approval. It stays so for good. */
export const isReleased = ({ reviewState }: { readonly reviewState: PgColumn }): SQL =>
  sql`(${reviewState} is null or ${reviewState} = 'approved')`;

export const isReleasedState = (state: ReviewState | null): boolean => state === null || state === 'approved';

/** The person behind a row of `api_keys`: the owner of a key. Without an owner, a key is a person of its own. */
export const personOf = ({ ownerId, id }: { readonly ownerId: PgColumn; readonly id: PgColumn }): SQL =>
  sql`coalesce(${ownerId}, ${id})`;

const words: Readonly<Record<Exclude<ReviewState, 'approved'>, string>> = {
  draft: 'is a draft. Submit it for review, and have another person approve it',
  review: 'waits for approval. Have another person approve it',
  refused: 'was refused. Upload a corrected version, and submit it',
};

/** The error for a live key that uses a version that is not approved. */
export function notApproved(version: number, state: ReviewState | null): AppError {
  const reason = words[state === 'review' || state === 'refused' ? state : 'draft'];
  return new AppError(
    'version_not_approved',
    `Version ${version} of this template ${reason}, or use a test key to try it.`,
  );
}
