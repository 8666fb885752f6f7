import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../db/client.ts';
import { nullable, rowOf, text } from '../../db/row.ts';
import { execute, guarded, query } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type ExportedTable, exportedTables } from './exported-tables.ts';

/** The rows of one table as JSON, without line ends, several at a time. */
export interface AccountRows {
  /** The name in `exportedTables`. */
  readonly kind: string;
  readonly pages: AsyncIterable<readonly string[]>;
  /** The keys of the objects that a line refers to. */
  readonly objectKeysOf: (line: string) => readonly string[];
}

const lineRow = rowOf({ line: nullable(text) });
const isoTime = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`);

/**
 * Calls `write` for each table with the account's rows, all from the same snapshot: one read-only transaction with a
 * cursor for each table. Memory use does not depend on the number of rows. Secrets are left out.
 */
export function readAccountRows(
  db: Database,
  accountId: string,
  write: (rows: AccountRows) => Promise<void>,
): Promise<void> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      await execute(tx, sql`set transaction isolation level repeatable read, read only`);
      for (const [kind, source] of Object.entries(exportedTables)) {
        const objectKeysOf = (line: string): readonly string[] => readKeys(line, source.objectKeys);
        await write({ kind, pages: readPages(tx, source, accountId), objectKeysOf });
      }
    }),
  );
}

async function* readPages(
  tx: Transaction,
  source: ExportedTable,
  accountId: string,
): AsyncGenerator<readonly string[]> {
  const { table, isScanned, rowsAtOnce } = source;
  const isOf = source.isOf(accountId);
  const columns = Object.entries(getTableColumns(table)).flatMap(([name, column]) =>
    source.omitted.includes(name) ? [] : [sql`${outputOf(name, column, source)} as ${sql.identifier(name)}`],
  );
  const line = sql`(select row_to_json(r)::text from (select ${sql.join(columns, sql`, `)}) r)`;
  // A condition in the output instead of a filter limits the rows that each step reads.
  const rows = isScanned
    ? sql`select case when ${isOf} then ${line} end as line from ${table}`
    : sql`select ${line} as line from ${table} where ${isOf}`;
  await execute(tx, sql`declare exported no scroll cursor for ${rows}`);
  for (;;) {
    const page = await query(tx, lineRow, sql`fetch ${sql.raw(String(rowsAtOnce))} from exported`);
    const lines = page.flatMap((row) => row.line ?? []);
    if (lines.length > 0) yield lines;
    if (page.length < rowsAtOnce) break;
  }
  await execute(tx, sql`close exported`);
}

/** Times in UTC as the API formats them, bytes in base64. */
function outputOf(name: string, column: PgColumn, { replaced }: ExportedTable): SQL {
  const type = column.getSQLType();
  if (type === 'bytea') return sql`translate(encode(${column}, 'base64'), E'\n', '')`;
  if (type.startsWith('timestamp')) return sql`to_char(${column} at time zone 'UTC', ${isoTime})`;
  return replaced[name] ?? sql`${column}`;
}

/** Includes the keys in a list of files. A result outside the object store has a Redis key. */
function readKeys(line: string, properties: readonly string[]): readonly string[] {
  if (properties.length === 0) return [];
  const row = JSON.parse(line) as { readonly resultStore?: unknown; readonly [property: string]: unknown };
  if (row.resultStore === 'redis') return [];
  return properties.flatMap((property) => {
    const value = row[property];
    const files = Array.isArray(value) ? (value as readonly { readonly objectKey?: unknown }[]) : undefined;
    return [value, ...(files ?? []).map(({ objectKey }) => objectKey)].filter((key) => typeof key === 'string');
  });
}
