import { type SQL, sql } from 'drizzle-orm';

/** The date in the document's options (jsonb), or else when its template version was uploaded. Whole seconds. */
export function documentDate(renderOptions: SQL, versionCreatedAt: SQL): SQL {
  return sql`date_trunc('second', coalesce((${renderOptions} ->> 'documentDate')::timestamptz, ${versionCreatedAt}))`;
}
