import { and, eq, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isAnyOf, isOneOf, names } from '../../db/column-names.ts';
import { bool, rowOf } from '../../db/row.ts';
import { type BatchFile, batches } from '../../db/schema/batches.ts';
import { generations } from '../../db/schema/documents.ts';
import { jsonbValue, nowPlus, query, run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import { batchEvents } from '../webhooks/event-data.ts';
import { eventOutbox } from '../webhooks/event-outbox.ts';

interface BundleAttempt {
  readonly id: string;
  readonly bundleToken: string;
}

export interface BatchEnd {
  readonly isDone: boolean;
  /** True if a webhook delivery was written. */
  readonly hasSubscribers: boolean;
}

/**
 * Ends the batch as completed, with its files, and writes its event, in one statement. `isDone` is also true if this
 * attempt has already committed and the reply was lost. Otherwise the attempt was fenced: nothing is changed, and its
 * files are orphans.
 */
export function completeBatch(
  db: Executor,
  attempt: BundleAttempt,
  { files, ttlSeconds }: { readonly files: readonly BatchFile[]; readonly ttlSeconds: number },
): Promise<BatchEnd> {
  return end(db, attempt, { status: 'completed', files, error: null, ttlSeconds });
}

/**
 * Like `completeBatch`, for a batch whose bundle cannot be produced. Its documents can still be downloaded one by one.
 */
export function failBundle(
  db: Executor,
  attempt: BundleAttempt,
  { error, ttlSeconds }: { readonly error: ErrorRecord; readonly ttlSeconds: number },
): Promise<BatchEnd> {
  return end(db, attempt, { status: 'failed', files: null, error, ttlSeconds });
}

interface Ending {
  readonly status: 'completed' | 'failed';
  readonly files: readonly BatchFile[] | null;
  readonly error: ErrorRecord | null;
  readonly ttlSeconds: number;
}

const endRow = rowOf({ is_done: bool, has_subscribers: bool });
const set = names(batches);

async function end(
  db: Executor,
  { id, bundleToken }: BundleAttempt,
  { status, files, error, ttlSeconds }: Ending,
): Promise<BatchEnd> {
  const [row] = await query(
    db,
    endRow,
    sql`with done as (
        update ${batches} set ${set.status} = ${status}, ${set.files} = ${jsonbValue(files)},
          ${set.error} = ${jsonbValue(error)}, ${set.bundleAttempts} = 0, ${set.finishedAt} = now(),
          ${set.expiresAt} = ${nowPlus(ttlSeconds * 1_000)}
        where ${batches.id} = ${id} and ${isOneOf(batches.status, 'bundling')}
          and ${batches.bundleToken} = ${bundleToken} returning *
      ), ${eventOutbox(batchEvents())}
      select exists (select 1 from done) as is_done, exists (select 1 from webhook_delivery) as has_subscribers`,
  );
  if (row?.is_done === true) return { isDone: true, hasSubscribers: row.has_subscribers };
  // A separate statement, because the one above does not see what a concurrent duplicate has committed.
  const [ended] = await run(
    db,
    db
      .select({ id: batches.id })
      .from(batches)
      .where(and(eq(batches.id, id), eq(batches.status, status), eq(batches.bundleToken, bundleToken))),
  );
  return { isDone: ended !== undefined, hasSubscribers: ended !== undefined };
}

const overLimit: ErrorRecord = {
  code: 'data_invalid',
  message: 'More rows failed than maxFailures allows. The quota of rows not produced yet is released.',
};

const failedRow = rowOf({ id: batches.id });
const b = aliased(batches, 'b');
const g = aliased(generations, 'g');

/**
 * Fails the batches that have more failed rows than allowed, and writes their events; the dispatcher then skips them.
 * Returns the batches that this call failed; `cancelWaiting` cancels their waiting rows.
 */
export async function failOverLimit(
  db: Executor,
  batchIds: readonly string[],
  ttlSeconds: number,
): Promise<readonly string[]> {
  const rows = await query(
    db,
    failedRow,
    sql`with done as (
        update ${batches} ${b} set ${set.status} = 'failed', ${set.finishedAt} = now(),
          ${set.error} = ${jsonbValue(overLimit)}, ${set.expiresAt} = ${nowPlus(ttlSeconds * 1_000)}
        where ${isAnyOf(b.id, batchIds)} and ${isOneOf(b.status, 'accepted', 'running')} and ${b.maxFailures} is not null
          and (select count(*) from (
            select 1 from ${generations} ${g} where ${g.batchId} = ${b.id} and ${isOneOf(g.status, 'failed')}
            limit ${b.maxFailures}::bigint + 1) first
          ) > ${b.maxFailures}
        returning ${b}.*
      ), ${eventOutbox(batchEvents())}
      select ${set.id} from done`,
  );
  return rows.map(({ id }) => id);
}
