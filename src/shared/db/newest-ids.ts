import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { texts } from './column-names.ts';
import { listed } from './schema/columns.ts';

export interface PageOfIds {
  readonly table: PgTable & { readonly id: PgColumn; readonly status: PgColumn };
  /** Condition `column = value` on the first column of an index that continues with `listed(status), id desc`. */
  readonly owner: SQL;
  /** The wanted statuses; all of them for rows of any status. */
  readonly statuses: readonly string[];
  /** The last id of the previous page. */
  readonly before: string | undefined;
  /** Rows of a page. The query returns one more when there is a next page. */
  readonly limit: number;
}

/**
 * A subquery for the ids of a page, newest first. It takes the newest of each status from the index and merges them, so it
 * never scans rows of other statuses, however many there are.
 */
export function newestIds({ table, owner, statuses, before, limit }: PageOfIds): SQL {
  const max = limit + 1;
  return sql`select newest.id from unnest(${texts(statuses)}) as wanted (status), lateral (
      select ${table.id} from ${table} where ${owner} and ${listed(table.status)} = wanted.status
        ${before === undefined ? sql`` : sql`and ${table.id} < ${before}`}
      order by ${table.id} desc nulls last limit ${max}) newest
    order by newest.id desc limit ${max}`;
}
