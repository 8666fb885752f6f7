import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database, Executor } from './client.ts';
import { bool, rowOf } from './row.ts';
import { execute, query } from './statement.ts';
import { inTransaction } from './transaction.ts';

const retryMs = 250;
const pulseMs = 5_000;
const lockRow = rowOf({ is_locked: bool });

/**
 * Runs `work` under a lock of this name, which ends with the process. `work` must not use `db`, because the lock may
 * occupy its only connection. Returns false if another process held the lock for `waitMs` milliseconds. Throws if the
 * connection is lost in the meantime, because another process may then have acquired the lock too.
 */
export async function whileLocked(
  db: Database,
  name: string,
  waitMs: number,
  work: () => Promise<void>,
): Promise<boolean> {
  const endMs = performance.now() + waitMs;
  for (;;) {
    const isDone = await inTransaction(db, async (tx) => {
      const lock = sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as is_locked`;
      if ((await query(tx, lockRow, lock))[0]?.is_locked !== true) return false;
      // PostgreSQL ends idle transactions.
      const pulse = setInterval(() => void ping(tx).catch(() => undefined), pulseMs);
      try {
        await work();
      } finally {
        clearInterval(pulse);
      }
      await ping(tx);
      return true;
    });
    if (isDone) return true;
    if (performance.now() > endMs) return false;
    await delay(retryMs);
  }
}

const ping = (tx: Executor): Promise<number> => execute(tx, sql`select 1`);
