import pg from 'pg';
import { expect } from 'vitest';
import type { Operator } from '../client/operator.ts';
import type { StackLine } from './local-stack.ts';

/** Any number: the key of the advisory lock that lets one test at a time pause an account of a stack. */
const pauseLock = 7_301_847;

/**
 * Pauses the account while `work` runs: what it requests waits, whatever the speed of the machine, and other accounts
 * are served.
 */
export async function whilePaused<T>(
  { env, metricsUrls }: Pick<StackLine, 'env' | 'metricsUrls'>,
  operator: Operator,
  account: string,
  work: () => Promise<T>,
): Promise<T> {
  const expectPaused = (accounts: number) =>
    expect.poll(() => Promise.all(metricsUrls.map(countPaused))).toEqual(metricsUrls.map(() => accounts));
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [pauseLock]);
    try {
      await operator.run('pause', { account });
      await expectPaused(1);
      return await work();
    } finally {
      await operator.run('resume', { account });
      await expectPaused(0);
    }
  } finally {
    await client.end();
  }
}

/** The paused accounts that a process knows of. */
async function countPaused(metricsUrl: string): Promise<number> {
  const answer = await fetch(new URL('/readyz', metricsUrl));
  return ((await answer.json()) as { readonly paused?: { readonly accounts: number } }).paused?.accounts ?? 0;
}
