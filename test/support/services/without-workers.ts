import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { StackLine } from './local-stack.ts';

/** Any number: the key of the advisory lock that lets one test file at a time pause the workers of a stack. */
const pauseLock = 7_301_846;

/**
 * Pauses all workers of the stack while `work` runs: accepted jobs stay queued, whatever the speed of the machine.
 * Requests of files that run at the same time wait meanwhile.
 */
export async function withoutWorkers<T>(
  { pids, env }: Pick<StackLine, 'pids' | 'env'>,
  work: () => Promise<T>,
): Promise<T> {
  const signal = (name: NodeJS.Signals): void => pids.workers.forEach((pid) => void process.kill(pid, name));
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [pauseLock]);
  try {
    signal('SIGSTOP');
    // A worker paused inside a transaction would keep its row locks.
    while (await isInTransaction(client)) {
      signal('SIGCONT');
      await delay(20);
      signal('SIGSTOP');
    }
    return await work();
  } finally {
    signal('SIGCONT');
    await client.end();
  }
}

/** Single statements of a paused worker complete on the server; open transactions do not. */
async function isInTransaction(client: pg.Client): Promise<boolean> {
  for (let quietPolls = 0; quietPolls < 2; ) {
    await delay(10);
    const { rows } = await client.query<{ state: string }>(
      `select state from pg_stat_activity where application_name = 'docmill-worker' and state <> 'idle'`,
    );
    if (rows.some(({ state }) => state.startsWith('idle in transaction'))) return true;
    quietPolls = rows.length === 0 ? quietPolls + 1 : 0;
  }
  return false;
}
