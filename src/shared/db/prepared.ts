import { createHash } from 'node:crypto';
import { DrizzleQueryError, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { type Executor, isPooled } from './client.ts';
import { isPlanLost } from './errors.ts';

const dialect = new PgDialect();
const names = new Map<string, string>();
const mostNames = 500;
let renamed = 0;

/**
 * Runs a statement as one that PostgreSQL keeps prepared on each connection: planning costs more than running most of
 * ours. Its text names it, so that only values may differ between calls of one place in the code. One whose plan is lost has
 * done nothing: it is prepared anew under another name, and done again where no transaction ended with it.
 */
export async function runPrepared<Row>(db: Executor, statement: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const query = { text, values: params, types };
  const name = nameOf(text);
  try {
    return (await db.$client.query(withName(query, name))).rows as Row[];
  } catch (cause) {
    if (name === undefined || !isPlanLost(cause)) throw toQueryError(text, cause);
    if (names.get(text) === name) names.set(text, `${name.slice(0, 22)}.${++renamed}`);
    if (!isPooled(db)) throw toQueryError(text, cause);
  }
  try {
    return (await db.$client.query(withName(query, nameOf(text)))).rows as Row[];
  } catch (cause) {
    throw toQueryError(text, cause);
  }
}

function withName(query: pg.QueryConfig, name: string | undefined): pg.QueryConfig {
  return name === undefined ? query : { ...query, name };
}

function toQueryError(text: string, cause: unknown): DrizzleQueryError {
  return new DrizzleQueryError(text, [], cause instanceof Error ? cause : undefined);
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
