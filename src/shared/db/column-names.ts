import { getTableColumns, SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/**
 * The columns of a table as unqualified names, for hand-written SQL: `set` clauses, insert lists, and columns of common
 * table expressions. Renaming a column in the schema then fails the type check where it is used.
 */
export function names<T extends PgTable>(table: T): { readonly [K in keyof T['_']['columns']]: SQL } {
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([key, column]) => [key, sql`${sql.identifier(column.name)}`]),
  ) as { readonly [K in keyof T['_']['columns']]: SQL };
}

/** Unqualified columns in parentheses: the column list of an `insert` or a conflict target. */
export function columnList(...columns: readonly PgColumn[]): SQL {
  const identifiers = columns.map((column) => sql`${sql.identifier(column.name)}`);
  return sql`(${sql.join(identifiers, sql`, `)})`;
}

/** The value proposed for insertion, in `on conflict do update`. */
export const excluded = (column: PgColumn): SQL => sql`excluded.${sql.identifier(column.name)}`;

/**
 * `column in ('a', 'b')` with the values as literals: in a generic plan, PostgreSQL matches partial indexes and
 * estimates rows only with literal values. The values are checked against the column's type.
 */
export function isOneOf<C extends PgColumn>(column: C, ...values: readonly (C['_']['data'] & string)[]): SQL {
  const literals = sql.raw(values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', '));
  return values.length === 1 ? sql`${column} = ${literals}` : sql`${column} in (${literals})`;
}

/**
 * `column = any(values)` with the values as one array parameter, so that the statement text does not depend on their
 * number.
 */
export const isAnyOf = (column: PgColumn, values: readonly string[] | SQL): SQL =>
  sql`${column} = any(${texts(values)})`;

/** The first and the last of some ids, in byte order. */
export type IdBounds<V> = {
  readonly lowest: V;
  readonly highest: V;
};

export function boundsOf(ids: readonly string[]): IdBounds<string> {
  let [lowest = '', highest = ''] = [ids[0], ids[0]];
  for (const id of ids) {
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  }
  return { lowest, highest };
}

/**
 * Like `isAnyOf`, but for the id by which a table is partitioned. The bounds let PostgreSQL prune the partitions of
 * other months before execution, which it cannot do for an array.
 */
export function isAnyIdOf(column: PgColumn, ids: readonly string[]): SQL;
export function isAnyIdOf(column: PgColumn, ids: SQL, bounds: IdBounds<SQL>): SQL;
export function isAnyIdOf(column: PgColumn, ids: readonly string[] | SQL, bounds?: IdBounds<SQL | string>): SQL {
  const { lowest, highest } = bounds ?? boundsOf(ids instanceof SQL ? [] : ids);
  return sql`${isAnyOf(column, ids)} and ${column} >= ${lowest} and ${column} <= ${highest}`;
}

/**
 * True if the subquery after `from` finds no row. Like `not exists`, but meant for the output columns of a page: there,
 * PostgreSQL would first read the whole other table to look up every row of the page.
 */
export const hasNone = (from: SQL): SQL => sql`coalesce((select false ${from} limit 1), true)`;

/** Values as one `text[]` parameter. */
export const texts = (values: readonly (string | null)[] | SQL): SQL =>
  sql`${values instanceof SQL ? values : sql.param(values)}::text[]`;
