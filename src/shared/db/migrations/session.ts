import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { toConnectionOptions } from '../../config/database-connection.ts';
import { applySettings, usualTransactions } from '../client.ts';
import { watchWait } from './watch-wait.ts';

export interface SessionLimits {
  /** The longest wait for a lock. Every statement that requests the table later queues behind this one. */
  readonly lockTimeoutMs: number;
  /** How long one statement is retried. */
  readonly patienceMs: number;
}

/** The connection that runs migrations, and a second one that observes what the first waits for. */
export interface Session {
  readonly client: pg.Client;
  /**
   * Runs a statement in its own transaction, after the statements of `before`, and commits. Everything is sent at once,
   * so that a lock is never held while this process is slow or frozen. Waits briefly for locks and retries until
   * `patienceMs` has passed.
   */
  runLocked(statement: string, before?: readonly string[]): Promise<void>;
  /** Runs a statement outside a transaction and without a lock timeout. It must not block readers or writers. */
  runConcurrently(statement: string): Promise<void>;
  /** Runs a statement at once, such as one that updates the migration records. */
  run(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** Longer than `deadlock_timeout`, after which PostgreSQL cancels a conflicting autovacuum. */
const weakLockTimeoutMs = 5_000;
const firstPauseMs = 200;
const longestPauseMs = 10_000;

/** Lock timeout, deadlock, serialization failure. */
const retriedCodes = new Set(['55P03', '40P01', '40001']);

/** `report` receives a line for each wait. */
export async function openSession(
  url: string,
  limits: SessionLimits,
  report: (line: string) => void,
): Promise<Session> {
  const clients = [0, 1].map(
    () => new pg.Client({ ...toConnectionOptions(url), application_name: 'docmill-migrate', keepAlive: true }),
  );
  const [client, observer] = clients as [pg.Client, pg.Client];
  for (const one of clients) one.on('error', () => undefined);
  const close = async (): Promise<void> => {
    await Promise.allSettled(clients.map((one) => one.end()));
  };
  try {
    await Promise.all(clients.map((one) => one.connect()));
    // A machine that disappears must not hold the migration lock for hours.
    await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4');
    // Limits of the role or the database are meant for the service's statements, not for index builds.
    const noLimits = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
    await client.query(applySettings({ ...usualTransactions, ...noLimits }));
  } catch (error) {
    await close();
    throw error;
  }
  const pid = Number((await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid);

  const observed = async (statement: string): Promise<string | undefined> => {
    const watch = watchWait(observer, pid, report);
    try {
      await client.query(statement);
      return undefined;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (!(error instanceof pg.DatabaseError) || !retriedCodes.has(error.code ?? '')) throw error;
      return (await watch.stop()).table ?? '';
    } finally {
      await watch.stop();
    }
  };

  const runLocked = async (statement: string, before: readonly string[] = []): Promise<void> => {
    const deadline = performance.now() + limits.patienceMs;
    let weakLock: readonly string[] = [];
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const table = await observed(
        [
          'begin; set local synchronous_commit = off',
          ...weakLock,
          `set local lock_timeout = ${limits.lockTimeoutMs}`,
          ...before,
          statement,
          // On its own line, in case the statement ends with a comment.
          '\n;commit',
        ].join(';\n'),
      );
      if (table === undefined) return;
      if (performance.now() + pauseMs > deadline) {
        const on = table === '' ? 'a lock' : `a lock on ${table}`;
        throw new Error(
          `a statement did not get ${on} within ${Math.round(limits.patienceMs / 1_000)} s. Nothing of it remains; end the transactions that hold the lock, then run migrate again`,
        );
      }
      // This lock blocks no reader and no writer. It needs the longer timeout to cancel a conflicting autovacuum.
      weakLock =
        table === ''
          ? []
          : [`set local lock_timeout = ${weakLockTimeoutMs}`, `lock table ${table} in share update exclusive mode`];
      await delay(pauseMs * (0.75 + Math.random() / 2));
    }
  };

  return {
    client,
    runLocked,
    run: async (statement) => {
      await client.query(statement);
    },
    runConcurrently: async (statement) => {
      const watch = watchWait(observer, pid, report);
      try {
        await client.query(statement);
      } finally {
        await watch.stop();
      }
    },
    close,
  };
}
