import { type SQL, sql } from 'drizzle-orm';
import { listed } from './schema/columns.ts';

export interface PageOfIds {
  readonly table: SQL;
  /** What the rows belong to, as `column = value`: the first column of an index that goes on with `listed(status), id desc`. */
  readonly owner: SQL;
  /** Those to be found: every one that there is, to find rows of any. */
  readonly statuses: readonly string[];
  /** The id that the page before ended with. */
  readonly before: string | undefined;
  /** Of rows that are asked for; there may be one more, which tells that the page is not the last. */
  readonly limit: number;
}

/**
 * A query for the ids of a page, newest first. It takes the newest of each status from the index, and of those the newest: it
 * never reads past rows of a status that is not wanted, however many there are.
 */
export function newestIds({ table, owner, statuses, before, limit }: PageOfIds): SQL {
  const most = limit + 1;
  return sql`select newest.id from unnest(${sql.param(statuses)}::text[]) as wanted (status), lateral (
      select id from ${table} where ${owner} and ${listed(sql`status`)} = wanted.status ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by id desc nulls last limit ${most}) newest
    order by newest.id desc limit ${most}`;
}
