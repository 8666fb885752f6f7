import type pg from 'pg';

/** A database, and a name that no other clock in it has. */
export interface ClockHost {
  readonly prefix: string;
  readonly backing: { readonly variables: Readonly<Record<string, string>> };
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** The PostgreSQL clock that the processes of one row see; all others see the real one. */
export interface DatabaseClock {
  /** The environment of a process that uses this clock. */
  readonly env: Readonly<Record<string, string>>;
  now(): Promise<Date>;
  /** Sets the time; the clock continues from there. */
  set(time: Date): Promise<void>;
}

/**
 * Puts another `now()` before PostgreSQL's on the search path of the row's connections. Set it only to the future:
 * accounts are created in real time.
 */
export async function openDatabaseClock(h: ClockHost): Promise<DatabaseClock> {
  const schema = `clock_${h.prefix.replaceAll(/\W/g, '_').toLowerCase()}`;
  await h.query(`create schema ${schema}`);
  await h.query(`create table ${schema}.shift as select 0::float8 as seconds`);
  await h.query(
    `create function ${schema}.now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + make_interval(secs => seconds) from ${schema}.shift'`,
  );
  const url = new URL(h.backing.variables.DATABASE_URL ?? '');
  url.searchParams.set('options', `-c search_path=${schema},pg_catalog,public -c TimeZone=UTC`);
  return {
    env: { DATABASE_URL: url.href },
    async now() {
      const [row] = await h.query<{ now: Date }>(`select ${schema}.now() as now`);
      if (row === undefined) throw new Error('the row of the clock is missing');
      return row.now;
    },
    async set(time) {
      await h.query(`update ${schema}.shift set seconds = extract(epoch from $1::timestamptz - now())`, [
        time.toISOString(),
      ]);
    },
  };
}
