import type { QueueName } from './config/worker-variables.ts';
import type { Database } from './db/client.ts';
import { listPauses, type Pause } from './domain/pauses.ts';
import { AppError } from './errors.ts';
import type { Logger } from './logger.ts';

/** The operator's pauses, at most two seconds old. During an outage of PostgreSQL the last state applies. */
export interface Pauses {
  isQueuePaused(queue: QueueName): boolean;
  /** The paused accounts, whose documents wait. */
  accounts(): ReadonlySet<string>;
  /** Throws `unavailable` if the operator rejects new requests for the queue or the account. */
  admit(queue: QueueName, accountId: string): void;
  /** For `/readyz` and metrics; undefined if nothing is paused. */
  describe(): { readonly queues: readonly string[]; readonly accounts: number } | undefined;
  /** Calls the listener after each change. */
  onChange(listener: () => void): void;
  stop(): void;
}

const everyMs = 2_000;
const retryAfterSeconds = 60;
/** Compares contents, so that two changes within milliseconds cannot leave the older state in effect. */
const textOf = (pauses: readonly Pause[]): string =>
  pauses.map(({ target, isRefusing }) => `${target} ${isRefusing}`).join();

/** Reads the pauses now and every two seconds until stopped. */
export async function watchPauses(db: Database, logger: Logger): Promise<Pauses> {
  const listeners: (() => void)[] = [];
  let current: ReadonlyMap<string, Pause> = new Map();
  let accounts: ReadonlySet<string> = new Set();
  let isReading = false;
  let isUnreadable = false;
  const read = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      const found = await listPauses(db);
      isUnreadable = false;
      if (textOf(found) === textOf([...current.values()])) return;
      current = new Map(found.map((pause) => [pause.target, pause]));
      accounts = new Set(namesOf(found, 'account:'));
      logger.info({ paused: [...current.keys()].slice(0, 20) }, 'the operator changed the pauses');
      for (const listener of listeners) listener();
    } catch (error) {
      // Logged once per outage; readiness and the connection's log show how long it lasts.
      if (!isUnreadable) logger.warn({ err: error }, 'the pauses could not be read; the last known ones apply');
      isUnreadable = true;
    } finally {
      isReading = false;
    }
  };
  await read();
  const timer = setInterval(() => void read(), everyMs);
  timer.unref();
  return {
    isQueuePaused: (queue) => current.has(`queue:${queue}`),
    accounts: () => accounts,
    admit(queue, accountId) {
      const pause = [current.get(`queue:${queue}`), current.get(`account:${accountId}`)].find(
        (each) => each?.isRefusing,
      );
      if (pause === undefined) return;
      const what = pause.target.startsWith('queue:') ? 'The service' : 'The service, for this account,';
      throw new AppError('unavailable', `${what} is paused by its operator. Send the request again later.`, {
        retryAfterSeconds,
      });
    },
    describe: () =>
      current.size === 0 ? undefined : { queues: namesOf([...current.values()], 'queue:'), accounts: accounts.size },
    onChange: (listener) => void listeners.push(listener),
    stop: () => clearInterval(timer),
  };
}

const namesOf = (pauses: readonly Pause[], kind: 'queue:' | 'account:'): string[] =>
  pauses.flatMap(({ target }) => (target.startsWith(kind) ? [target.slice(kind.length)] : []));
