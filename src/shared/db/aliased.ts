import { getTableColumns } from 'drizzle-orm';
import { alias, type PgTable } from 'drizzle-orm/pg-core';

/**
 * A table under another name in a statement, like Drizzle's `alias()`. Creates the columns once: `alias()` creates a
 * new proxy at each access, which costs more than the rest of building a hand-written statement.
 */
export function aliased<T extends PgTable, A extends string>(table: T, name: A): ReturnType<typeof alias<T, A>> {
  const proxy = alias(table, name);
  const columns = Object.entries(getTableColumns(table)).map(([key, column]): [string, PropertyDescriptor] => [
    key,
    { value: Object.create(column, { table: { value: proxy } }), enumerable: true },
  ]);
  return Object.create(proxy, Object.fromEntries(columns));
}
