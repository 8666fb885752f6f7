import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { float8, int4, rowOf } from '../../src/shared/db/row.ts';
import { query, tryLock } from '../../src/shared/db/statement.ts';
import { inTransaction } from '../../src/shared/db/transaction.ts';
import { newBatch, type TestBatch } from '../../test/support/domain/batches.ts';
import { documentOf } from '../harness/documents.ts';
import type { BatchStack, Tenant } from './stack.ts';

export type Format = 'docx' | 'pdf';

/** When a batch's rows were produced, by the database's clock. */
export interface Span {
  readonly rows: number;
  /** From the start of the first row to the end of the last. */
  readonly seconds: number;
  readonly perSecond: number;
  readonly failed: number;
  /** When the last row was done, in seconds since 1970. */
  readonly finishedAt: number;
}

/** Data of letters with three paragraphs, each with a different reference. */
export function letters(rows: number): Record<string, unknown>[] {
  const { data } = documentOf('letter', 3);
  return Array.from({ length: rows }, (_, index) => ({ ...data, reference: `No. ${index + 1}` }));
}

/** Submits a batch of letters. */
export function submitBatch(stack: BatchStack, tenant: Tenant, rows: number, format: Format): Promise<TestBatch> {
  const { database, objects } = stack.connections;
  return newBatch(database.db, objects, tenant, { rows: letters(rows), format });
}

/** Submits batches, but lets dispatchers start only after all of them are queued. */
export function submitTogether(
  stack: BatchStack,
  requests: readonly { readonly tenant: Tenant; readonly rows: number }[],
  format: Format,
): Promise<readonly TestBatch[]> {
  return inTransaction(stack.connections.database.db, async (tx) => {
    while (!(await tryLock(tx, `batches ${format}`))) await delay(10);
    return Promise.all(requests.map(({ tenant, rows }) => submitBatch(stack, tenant, rows, format)));
  });
}

/** Submits the same rows as single documents. Workers start only after all of them are in the queue. */
export async function submitSingles(
  stack: BatchStack,
  tenant: Tenant,
  rows: number,
  format: Format,
): Promise<TestBatch> {
  const { database, objects, transient, queues } = stack.connections;
  const data = letters(rows);
  await stack.queue(format).pause();
  const singles = await newBatch(database.db, objects, tenant, { rows: data, format, areSingles: true });
  const bytes = data.map((row) => Buffer.from(JSON.stringify(row)));
  for (const [index, id] of singles.documentIds.entries()) {
    await transient.put('data', id, bytes[index] ?? Buffer.alloc(0), 3_600);
  }
  await queues.addMany(
    format,
    singles.documentIds.map((id) => ({
      jobId: id,
      payload: { documentId: id, accountId: tenant.accountId, replyTo: null },
    })),
  );
  await stack.queue(format).resume();
  return singles;
}

const progressRow = rowOf({ open: int4, failed: int4, seconds: float8, finished_at: float8 });
const startRow = rowOf({ started_at: float8 });
const countRow = rowOf({ rows: int4 });

/** Waits until every row has finished. */
export async function untilFinished(stack: BatchStack, { documentIds }: TestBatch): Promise<Span> {
  const { db } = stack.connections.database;
  for (;;) {
    const [row] = await query(
      db,
      progressRow,
      sql`select count(*) filter (where status in ('queued', 'running'))::int as open,
          count(*) filter (where status = 'failed')::int as failed,
          extract(epoch from max(finished_at) - min(started_at))::float as seconds,
          extract(epoch from max(finished_at))::float as finished_at
        from generations where id = any(${sql.param(documentIds)}::text[])`,
    );
    if (row?.open === 0) {
      const rows = documentIds.length;
      const { seconds, failed, finished_at: finishedAt } = row;
      return { rows, seconds, perSecond: rows / seconds, failed, finishedAt };
    }
    await delay(1_000);
  }
}

/** When the first row of these batches was started, in seconds since 1970. */
export async function startedAt(stack: BatchStack, batches: readonly TestBatch[]): Promise<number> {
  const ids = batches.map(({ batchId }) => batchId);
  const [row] = await query(
    stack.connections.database.db,
    startRow,
    sql`select extract(epoch from min(started_at))::float as started_at from generations
      where batch_id = any(${sql.param(ids)}::text[])`,
  );
  return row?.started_at ?? Number.NaN;
}

/** The number of a batch's rows that were done by a given time. */
export async function countFinishedBy(stack: BatchStack, { batchId }: TestBatch, at: number): Promise<number> {
  const [row] = await query(
    stack.connections.database.db,
    countRow,
    sql`select count(*)::int as rows from generations where batch_id = ${batchId} and finished_at <= to_timestamp(${at})`,
  );
  return row?.rows ?? 0;
}
