import { createHash } from 'node:crypto';
import { DrizzleQueryError, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { Executor } from './client.ts';

const dialect = new PgDialect();
const names = new Map<string, string>();
const mostNames = 500;

/**
 * Runs a statement as one that PostgreSQL keeps prepared on each connection: planning costs more than running most of
 * ours. Its text names it, so that only values may differ between calls of one place in the code.
 */
export async function runPrepared<Row>(db: Executor, statement: SQL): Promise<Row[]> {
  const { sql: text, params: values } = dialect.sqlToQuery(statement);
  const name = nameOf(text);
  const query = { text, values, types, ...(name === undefined ? {} : { name }) };
  try {
    return (await db.$client.query(query)).rows as Row[];
  } catch (cause) {
    throw new DrizzleQueryError(text, [], cause instanceof Error ? cause : undefined);
  }
}

/** Undefined when there are too many: a text that is put together from values would fill the server's memory. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  names.set(text, name);
  return name;
}

const { TIMESTAMPTZ, TIMESTAMP, DATE, INTERVAL } = pg.types.builtins;
const keptAsText = new Set<number>([TIMESTAMPTZ, TIMESTAMP, DATE, INTERVAL]);
const asText = (value: string): string => value;

/** Moments stay the text that PostgreSQL writes, with all its digits. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    keptAsText.has(id) ? asText : pg.types.getTypeParser(id, format)) as pg.CustomTypesConfig['getTypeParser'],
};
