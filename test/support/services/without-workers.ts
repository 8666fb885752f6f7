import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { StackLine } from './local-stack.ts';

/** While `work` runs, no worker of the stack does: what it accepts stays queued, however slow or quick the machine is. */
export async function withoutWorkers<T>(
  { pids, env }: Pick<StackLine, 'pids' | 'env'>,
  work: () => Promise<T>,
): Promise<T> {
  const signal = (name: NodeJS.Signals): void => pids.workers.forEach((pid) => void process.kill(pid, name));
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  try {
    signal('SIGSTOP');
    // One that stands in the middle of a transaction keeps its rows from everybody.
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

/** What the server still does for a worker, or is about to, ends by itself, unless it is one statement of several. */
async function isInTransaction(client: pg.Client): Promise<boolean> {
  for (let quietLooks = 0; quietLooks < 2; ) {
    await delay(10);
    const { rows } = await client.query<{ state: string }>(
      `select state from pg_stat_activity where application_name = 'docmill-worker' and state <> 'idle'`,
    );
    if (rows.some(({ state }) => state.startsWith('idle in transaction'))) return true;
    quietLooks = rows.length === 0 ? quietLooks + 1 : 0;
  }
  return false;
}
