import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** A position in the order of time and id, as a string. Paging continues after it. Empty at the beginning. */
export type TimeCursor = string;

/** Selects rows after the cursor, in the order of these columns, which must be indexed. */
export function isBehind(time: PgColumn, id: PgColumn, cursor: TimeCursor): SQL {
  const [at = '', lastId = ''] = cursor.split(' ');
  return sql`(${time}, ${id}) > (${at === '' ? '-infinity' : at}::timestamptz, ${lastId})`;
}

/** The cursor after the last row of a page; undefined for a page that is not full, which is the last one. */
export function nextCursor(
  page: readonly { readonly at: Date | null; readonly id: string }[],
  limit: number,
): TimeCursor | undefined {
  const last = page.length < limit ? undefined : page.at(-1);
  return last === undefined ? undefined : cursorAt(last.at ?? new Date(0), last.id);
}

/** The cursor after everything up to this time and id. */
export function cursorAt(at: Date, id = ''): TimeCursor {
  return `${at.toISOString()} ${id}`;
}
