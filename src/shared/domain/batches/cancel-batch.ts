import { sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { cancelWaiting } from './cancel-waiting.ts';
import { findBatch } from './find-batch.ts';

const rowsAtOnce = 1_000;

const patienceMs = 5_000;

/**
 * Ends a batch at its owner's wish: nothing more of it is handed out, the rows that wait are given back, those that a
 * worker has are made. What is not given back within some seconds, or when the process dies, the sweep gives back. A batch
 * that has ended already is a `conflict`, unless it was cancelled.
 */
export async function cancelBatch(
  db: Database,
  accountId: string,
  { id, ttlSeconds }: { readonly id: string; readonly ttlSeconds: number },
): Promise<void> {
  const cancelled = await run(
    db,
    sql`update batches set status = 'cancelled', finished_at = now(), bundle_token = null,
        expires_at = now() + make_interval(secs => ${ttlSeconds})
      where id = ${id} and account_id = ${accountId} and status in ('accepted', 'running', 'bundling') returning id`,
  );
  // failpoint: batch-cancelled
  if (cancelled.length === 0) {
    const { status } = await findBatch(db, accountId, id);
    if (status !== 'cancelled') throw new AppError('conflict', `The batch has ended already: it has ${status}`);
  }
  try {
    const endMs = performance.now() + patienceMs;
    while (performance.now() < endMs && (await cancelWaiting(db, id, rowsAtOnce)) === rowsAtOnce);
  } catch (error) {
    // It is cancelled; a database that is slow right now only delays what the sweep does anyway.
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
  }
}
