import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import type { BatchFile } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import { eventOutbox } from '../webhooks/emit-event.ts';
import { batchEvents } from './batch-events.ts';

export type { BatchFile } from '../../db/schema/batches.ts';

interface BundleAttempt {
  readonly id: string;
  readonly bundleToken: string;
}

/** `hasSubscribers`: there is a webhook to send. */
export interface BatchEnd {
  readonly isDone: boolean;
  readonly hasSubscribers: boolean;
}

/**
 * Ends the batch as completed, with its files, and writes its event, in one statement. `isDone` also when this very
 * attempt did so before (a commit whose answer was lost); else the attempt was fenced, nothing is changed, and its files
 * belong to nobody.
 */
export async function completeBatch(
  db: Executor,
  attempt: BundleAttempt,
  { files, ttlSeconds }: { readonly files: readonly BatchFile[]; readonly ttlSeconds: number },
): Promise<BatchEnd> {
  return end(db, attempt, 'completed', sql`files = ${JSON.stringify(files)}::jsonb, error = null`, ttlSeconds);
}

/** As `completeBatch`, for a batch whose bundle cannot be made; its rows can still be fetched one by one. */
export async function failBundle(
  db: Executor,
  attempt: BundleAttempt,
  { error, ttlSeconds }: { readonly error: ErrorRecord; readonly ttlSeconds: number },
): Promise<BatchEnd> {
  return end(db, attempt, 'failed', sql`files = null, error = ${JSON.stringify(error)}::jsonb`, ttlSeconds);
}

async function end(
  db: Executor,
  { id, bundleToken }: BundleAttempt,
  status: 'completed' | 'failed',
  changes: SQL,
  ttlSeconds: number,
): Promise<BatchEnd> {
  const [row] = await run<{ is_done: boolean; is_heard: boolean }>(
    db,
    sql`with done as (
        update batches set status = ${status}, ${changes}, bundle_attempts = 0, finished_at = now(),
          expires_at = now() + make_interval(secs => ${ttlSeconds})
        where id = ${id} and status = 'bundling' and bundle_token = ${bundleToken} returning *
      ), ${eventOutbox(batchEvents())}
      select exists (select 1 from done) as is_done, exists (select 1 from webhook_delivery) as is_heard`,
  );
  if (row?.is_done === true) return { isDone: true, hasSubscribers: row.is_heard };
  // A statement of its own: the one above, when it waited for its twin, does not see what that has committed.
  const [ended] = await run<{ id: string }>(
    db,
    sql`select id from batches where id = ${id} and status = ${status} and bundle_token = ${bundleToken}`,
  );
  return { isDone: ended !== undefined, hasSubscribers: ended !== undefined };
}
