import { getTableColumns } from 'drizzle-orm';
import { alias, type PgTable } from 'drizzle-orm/pg-core';

/**
 * A table under another name in a statement, as Drizzle's `alias()`. Its columns are created once: those of `alias()` are
 * new proxies at each access, which costs more than all else in building a hand-written statement.
 */
export function aliased<T extends PgTable, A extends string>(table: T, name: A): ReturnType<typeof alias<T, A>> {
  const proxy = alias(table, name);
  const columns = Object.entries(getTableColumns(table)).map(([key, column]): [string, PropertyDescriptor] => [
    key,
    { value: Object.create(column, { table: { value: proxy } }), enumerable: true },
  ]);
  return Object.create(proxy, Object.fromEntries(columns));
}
