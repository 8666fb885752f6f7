import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { aliased } from '../../db/aliased.ts';
import { batches } from '../../db/schema/batches.ts';
import type { RequestTrace } from '../../request-trace.ts';

const b = aliased(batches, 'traced');

/** The trace of a document: its own, or that of its batch, which is stored once for all rows. */
export function traceOf(document: { readonly trace: PgColumn; readonly batchId: PgColumn }): SQL<RequestTrace | null> {
  const ofBatch = sql`select ${b.trace} || jsonb_build_object('batchId', ${b.id}) from ${batches} ${b} where ${b.id} = ${document.batchId}`;
  // Nested, because at the top level of an expression the query builder drops the table names of columns.
  return sql`${sql`coalesce(${document.trace}, (${ofBatch}))`}`;
}
