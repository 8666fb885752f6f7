import type { Harness } from './harness.ts';

/** PostgreSQL's clock as the processes of one row see it; everybody else goes on with the real one. */
export interface DatabaseClock {
  /** What a process is started with to live by this clock. */
  readonly env: Readonly<Record<string, string>>;
  now(): Promise<Date>;
  /** Makes it this moment; from there it goes on at its pace. */
  set(moment: Date): Promise<void>;
}

/**
 * A `now()` that stands before PostgreSQL's own on the search path of the row's connections. It must only be set to
 * times to come: accounts are opened in real time. `timeZone` is that of the connections.
 */
export async function openDatabaseClock(h: Harness, timeZone = 'UTC'): Promise<DatabaseClock> {
  const schema = `clock_${h.prefix.replaceAll(/\W/g, '_').toLowerCase()}`;
  await h.query(`create schema ${schema}`);
  await h.query(`create table ${schema}.shift as select 0::float8 as seconds`);
  await h.query(
    `create function ${schema}.now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + make_interval(secs => seconds) from ${schema}.shift'`,
  );
  const url = new URL(h.backing.variables.DATABASE_URL ?? '');
  url.searchParams.set('options', `-c search_path=${schema},pg_catalog,public -c TimeZone=${timeZone}`);
  return {
    env: { DATABASE_URL: url.href },
    async now() {
      const [row] = await h.query<{ now: Date }>(`select ${schema}.now() as now`);
      if (row === undefined) throw new Error('the clock of the row is gone');
      return row.now;
    },
    async set(moment) {
      await h.query(`update ${schema}.shift set seconds = extract(epoch from $1::timestamptz - now())`, [
        moment.toISOString(),
      ]);
    },
  };
}
