import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type IdPrefix, lowestId } from '../ids.ts';
import { texts } from './column-names.ts';
import { indexedStatus } from './schema/columns.ts';

export interface PageOfIds {
  readonly table: PgTable & { readonly id: PgColumn; readonly status: PgColumn };
  /**
   * Condition `column = value` on the first column of an index that continues with `indexedStatus(status), id desc`.
   */
  readonly owner: SQL;
  /** The statuses to include. */
  readonly statuses: readonly string[];
  /** The last id of the previous page. */
  readonly before: string | undefined;
  /** The lowest id to include. */
  readonly since?: string | undefined;
  /** Page size. The query returns one more row when there is a next page. */
  readonly limit: number;
  /** Further columns to select. */
  readonly columns?: readonly PgColumn[];
}

/**
 * A subquery for the ids of a page, newest first. It reads the newest ids of each status from the index and merges
 * them, so it never scans rows of other statuses.
 */
export function newestIds({ table, owner, statuses, before, since, limit, columns = [] }: PageOfIds): SQL {
  const max = limit + 1;
  return sql`select newest.* from unnest(${texts(statuses)}) as included (status), lateral (
      select ${sql.join([table.id, ...columns], sql`, `)} from ${table} where ${owner} and ${indexedStatus(table.status)} = included.status
        ${before === undefined ? sql`` : sql`and ${table.id} < ${before}`} ${since === undefined ? sql`` : sql`and ${table.id} >= ${since}`}
      order by ${table.id} desc nulls last limit ${max}) newest
    order by newest.id desc limit ${max}`;
}

/**
 * The range of a page of ids, which begin with their creation time: from one time (inclusive) to another (exclusive).
 */
export function idsBetween(
  prefix: IdPrefix,
  page: { readonly before?: string | undefined; readonly from?: Date | undefined; readonly to?: Date | undefined },
): Pick<PageOfIds, 'before' | 'since'> {
  const end = page.to === undefined ? undefined : lowestId(prefix, page.to.getTime());
  const isFurther = page.before !== undefined && (end === undefined || page.before < end);
  return {
    before: isFurther ? page.before : end,
    since: page.from === undefined ? undefined : lowestId(prefix, page.from.getTime()),
  };
}
