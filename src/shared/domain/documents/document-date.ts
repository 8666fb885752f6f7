import { type SQL, sql } from 'drizzle-orm';

/** The date of a document: that of its options (jsonb), or when its template's version was uploaded. Whole seconds. */
export function documentDate(renderOptions: SQL, versionCreatedAt: SQL): SQL {
  return sql`date_trunc('second', coalesce((${renderOptions} ->> 'documentDate')::timestamptz, ${versionCreatedAt}))`;
}
