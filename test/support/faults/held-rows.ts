import type { Pool } from 'pg';

export interface HeldRows {
  /** Resolves with the process ids once the given number of sessions wait for the rows. */
  waiters(count?: number): Promise<readonly number[]>;
  release(): Promise<void>;
}

/** Locks the rows that a query selects: transactions that change them wait in the middle of their work. */
export async function holdRows(pool: Pool, query: string, values: readonly unknown[]): Promise<HeldRows> {
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query(`${query} for update`, [...values]);
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  const own = rows[0]?.pid;
  return {
    async waiters(count = 1) {
      for (;;) {
        // A session may also wait behind another one that waits for the rows.
        const found = await pool.query<{ pid: number }>(
          `with recursive waiting as (
              select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))
              union select a.pid from pg_stat_activity a join waiting w on w.pid = any(pg_blocking_pids(a.pid))
            ) select pid from waiting`,
          [own],
        );
        if (found.rows.length >= count) return found.rows.map((row) => row.pid);
      }
    },
    async release() {
      await holder.query('rollback');
      holder.release();
    },
  };
}

/** Locks the allowances of an account: its accepting and settling statements wait. */
export function holdAllowances(pool: Pool, accountId: string): Promise<HeldRows> {
  return holdRows(pool, 'select 1 from allowances where account_id = $1', [accountId]);
}
