import { fillPlaceholders, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

/** A statement in the form that the driver accepts. */
export interface BoundStatement {
  readonly text: string;
  readonly values: unknown[];
}

const dialect = new PgDialect();

export function bind(statement: SQL): BoundStatement {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, values: params };
}

/**
 * A statement that runs for every document. The first call builds its text; later calls only bind values. Building the
 * text from schema columns each time would cost more processor time than the rest of the statement.
 */
export function fixedStatement<V extends Readonly<Record<string, unknown>>>(
  build: (value: { readonly [K in keyof V]: SQL }) => SQL,
): (values: V) => BoundStatement {
  let template: BoundStatement | undefined;
  return (values) => {
    template ??= bind(build(placeholders as { readonly [K in keyof V]: SQL }));
    return { text: template.text, values: fillPlaceholders(template.values, values) };
  };
}

const placeholders: object = new Proxy({}, { get: (_, name) => sql`${sql.placeholder(String(name))}` });
