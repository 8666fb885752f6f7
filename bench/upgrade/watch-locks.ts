import pg from 'pg';

export interface LockReport {
  /** The longest time in milliseconds that a service's session waited for the lock on a table or an index. */
  readonly relationMs: number;
  readonly relation: string | undefined;
  /** The longest wait for any lock, such as a row lock. */
  readonly anyMs: number;
  /** The longest time in which this process, and probably all others, did not run. */
  readonly pausedMs: number;
}

export interface LockWatch {
  stop(): Promise<LockReport>;
}

const everyMs = 40;
/** A pause of the machine prolongs waits, which then do not count as waits for locks. */
const pauseMs = 400;

const query = `
  select l.relation::regclass::text as relation, l.locktype = 'relation' as "isRelation",
    extract(epoch from clock_timestamp() - l.waitstart) * 1000 as ms
  from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and l.waitstart is not null and a.application_name in ('docmill-api', 'docmill-worker')`;

interface WaitRow {
  readonly relation: string | null;
  readonly isRelation: boolean;
  readonly ms: string;
}

/** Samples, 25 times a second, how long sessions of APIs and workers wait for locks. */
export async function watchLocks(url: string): Promise<LockWatch> {
  const client = new pg.Client({ connectionString: url, application_name: 'docmill-lock-watch' });
  // Without a listener, a server that stops first would crash this process.
  client.on('error', () => undefined);
  await client.connect();
  let [relationMs, anyMs, pausedMs] = [0, 0, 0];
  let relation: string | undefined;
  let lastAt = performance.now();
  let ignoredUntil = 0;
  const look = async (): Promise<void> => {
    const { rows } = await client.query<WaitRow>(query);
    const now = performance.now();
    const gap = now - lastAt - everyMs;
    lastAt = now;
    pausedMs = Math.max(pausedMs, gap);
    if (gap > pauseMs) ignoredUntil = now + gap + 2_000;
    if (now < ignoredUntil) return;
    for (const row of rows) {
      anyMs = Math.max(anyMs, Number(row.ms));
      if (!row.isRelation || Number(row.ms) <= relationMs) continue;
      relationMs = Number(row.ms);
      relation = row.relation ?? undefined;
    }
  };
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  watching.catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await watching;
      await client.end();
      return { relationMs, relation, anyMs, pausedMs };
    },
  };
}
