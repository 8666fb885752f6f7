import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** A place in the order of a time and an id, as text: a walk continues behind it. Empty at the beginning. */
export type TimeCursor = string;

/** Rows behind the cursor, in the order of these columns, which an index must have. */
export function isBehind(time: PgColumn, id: PgColumn, cursor: TimeCursor): SQL {
  const [at = '', lastId = ''] = cursor.split(' ');
  return sql`(${time}, ${id}) > (${at === '' ? '-infinity' : at}::timestamptz, ${lastId})`;
}

/** The cursor behind the last row of a page; undefined when the page is not full, because it was the last. */
export function nextCursor(
  page: readonly { readonly at: Date | null; readonly id: string }[],
  limit: number,
): TimeCursor | undefined {
  const last = page.length < limit ? undefined : page.at(-1);
  return last === undefined ? undefined : cursorAt(last.at ?? new Date(0), last.id);
}

/** The cursor behind everything up to this time and id. */
export function cursorAt(at: Date, id = ''): TimeCursor {
  return `${at.toISOString()} ${id}`;
}
