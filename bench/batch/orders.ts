import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { run } from '../../src/shared/db/statement.ts';
import { inTransaction } from '../../src/shared/db/transaction.ts';
import { tryLock } from '../../src/shared/db/try-lock.ts';
import { newBatch, type TestBatch } from '../../test/support/domain/batches.ts';
import { documentOf } from '../harness/documents.ts';
import type { Stack, Tenant } from './stack.ts';

export type Format = 'docx' | 'pdf';

/** What the rows of one order came to, by the database's clock. */
export interface Span {
  readonly rows: number;
  /** From the first row that was begun to the last that ended. */
  readonly seconds: number;
  readonly perSecond: number;
  readonly failed: number;
  /** When the last row ended: seconds since 1970. */
  readonly endedAt: number;
}

/** Letters of three paragraphs, each with a reference of its own. */
export function letters(rows: number): Record<string, unknown>[] {
  const { data } = documentOf('letter', 3);
  return Array.from({ length: rows }, (_, index) => ({ ...data, reference: `No. ${index + 1}` }));
}

/** An accepted batch of so many letters. */
export function orderBatch(stack: Stack, tenant: Tenant, rows: number, format: Format): Promise<TestBatch> {
  const { database, objects } = stack.connections;
  return newBatch(database.db, objects, tenant, { rows: letters(rows), format });
}

/** Batches of which none is begun before all are there: the lane's dispatchers are kept out until then. */
export function orderTogether(
  stack: Stack,
  orders: readonly { readonly tenant: Tenant; readonly rows: number }[],
  format: Format,
): Promise<readonly TestBatch[]> {
  return inTransaction(stack.connections.database.db, async (tx) => {
    while (!(await tryLock(tx, `batches ${format}`))) await delay(10);
    return Promise.all(orders.map(({ tenant, rows }) => orderBatch(stack, tenant, rows, format)));
  });
}

/** The same rows as single documents that are fetched later, all put into their lane before its workers see the first. */
export async function orderSingles(stack: Stack, tenant: Tenant, rows: number, format: Format): Promise<TestBatch> {
  const { database, objects, transient, queues } = stack.connections;
  const data = letters(rows);
  await stack.lane(format).pause();
  const singles = await newBatch(database.db, objects, tenant, { rows: data, format, areSingles: true });
  const bytes = data.map((row) => Buffer.from(JSON.stringify(row)));
  for (const [index, id] of singles.generationIds.entries()) {
    await transient.put('data', id, bytes[index] ?? Buffer.alloc(0), 3_600);
  }
  await queues.addMany(
    format,
    singles.generationIds.map((id) => ({ jobId: id, payload: { generationId: id, replyTo: null } })),
  );
  await stack.lane(format).resume();
  return singles;
}

export async function untilEnded(stack: Stack, { generationIds }: TestBatch): Promise<Span> {
  const { db } = stack.connections.database;
  for (;;) {
    const [row] = await run<{ open: number; failed: number; seconds: number; ended_at: number }>(
      db,
      sql`select count(*) filter (where status in ('queued', 'running'))::int as open,
          count(*) filter (where status = 'failed')::int as failed,
          extract(epoch from max(finished_at) - min(started_at))::float as seconds,
          extract(epoch from max(finished_at))::float as ended_at
        from generations where id = any(${sql.param(generationIds)}::text[])`,
    );
    if (row?.open === 0) {
      const rows = generationIds.length;
      const { seconds, failed, ended_at: endedAt } = row;
      return { rows, seconds, perSecond: rows / seconds, failed, endedAt };
    }
    await delay(1_000);
  }
}

/** When the first row of all these was begun: seconds since 1970. */
export async function begunAt(stack: Stack, batches: readonly TestBatch[]): Promise<number> {
  const ids = batches.map(({ batchId }) => batchId);
  const [row] = await run<{ begun_at: number }>(
    stack.connections.database.db,
    sql`select extract(epoch from min(started_at))::float as begun_at from generations
      where batch_id = any(${sql.param(ids)}::text[])`,
  );
  return row?.begun_at ?? Number.NaN;
}

/** How many rows of a batch had ended by then. */
export async function endedBy(stack: Stack, { batchId }: TestBatch, at: number): Promise<number> {
  const [row] = await run<{ rows: number }>(
    stack.connections.database.db,
    sql`select count(*)::int as rows from generations where batch_id = ${batchId} and finished_at <= to_timestamp(${at})`,
  );
  return row?.rows ?? 0;
}
