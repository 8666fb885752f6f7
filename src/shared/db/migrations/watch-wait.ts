import type pg from 'pg';

export interface Wait {
  /** The table whose lock was waited for last, quoted, if any. */
  readonly table: string | undefined;
}

export interface WaitWatch {
  stop(): Promise<Wait>;
}

/** Most statements finish sooner and are never observed. */
const everyMs = 150;
const reportEveryMs = 10_000;

interface WaitRow {
  readonly table: string | null;
  readonly isTable: boolean | null;
  readonly phase: string | null;
  readonly blockers: readonly string[] | null;
}

// Does not read the text of other sessions' statements, which may contain client data.
const query = `
  select (select case when c.relkind in ('r', 'p') then l.relation::regclass::text end
      from pg_locks l join pg_class c on c.oid = l.relation where l.pid = $1 and not l.granted limit 1) as "table",
    (select phase || ': ' || blocks_done || ' of ' || blocks_total || ' blocks'
      from pg_stat_progress_create_index where pid = $1) as phase,
    (select array_agg(distinct format('%s (pid %s, %s, transaction of %s s)', coalesce(nullif(application_name, ''), backend_type),
        pid, coalesce(state, backend_type), coalesce(round(extract(epoch from clock_timestamp() - xact_start)), 0)))
      from pg_stat_activity where pid = any(pg_blocking_pids($1))) as blockers`;

/** Reports every ten seconds what the session `pid` waits for, and who holds it. `observer` is another connection. */
export function watchWait(observer: pg.Client, pid: number, report: (line: string) => void): WaitWatch {
  let table: string | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const { rows } = await observer.query<WaitRow>(query, [pid]);
    const [row] = rows;
    if (row === undefined) return;
    table = row.table ?? table;
    const isWaiting = row.blockers !== null;
    if ((!isWaiting && row.phase === null) || performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    const waits = isWaiting ? `waits for ${row.table ?? 'transactions'}, held by ${row.blockers.join(', ')}` : '';
    report([row.phase ?? '', waits].filter((part) => part !== '').join('; '));
  };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const schedule = (): void => {
    timer = setTimeout(() => {
      // Observation is optional: if it fails, the statement continues.
      looking = look()
        .catch(() => undefined)
        .then(() => {
          if (!isStopped) schedule();
        });
    }, everyMs);
  };
  schedule();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
      return { table };
    },
  };
}
