import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { run } from '../../src/shared/db/statement.ts';
import { projectFolder } from '../../test/faults/harness/service-process.ts';
import { newBatch, type TestBatch } from '../../test/support/batches.ts';
import type { Stack, Tenant } from './stack.ts';

export type Format = 'docx' | 'pdf';

/** What the rows of one order came to, by the database's clock. */
export interface Span {
  readonly rows: number;
  /** From the first row that was begun to the last that ended. */
  readonly seconds: number;
  readonly perSecond: number;
  readonly failed: number;
}

export function readExample(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(projectFolder, `examples/${name}.json`), 'utf8')) as Record<string, unknown>;
}

function letters(rows: number): Record<string, unknown>[] {
  const example = readExample('letter');
  return Array.from({ length: rows }, (_, index) => ({ ...example, reference: `No. ${index + 1}` }));
}

/** An accepted batch of so many letters. */
export function orderBatch(stack: Stack, tenant: Tenant, rows: number, format: Format): Promise<TestBatch> {
  const { database, objects } = stack.connections;
  return newBatch(database.db, objects, tenant, { rows: letters(rows), format });
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
    const [row] = await run<{ open: number; failed: number; seconds: number }>(
      db,
      sql`select count(*) filter (where status in ('queued', 'running'))::int as open,
          count(*) filter (where status = 'failed')::int as failed,
          extract(epoch from max(finished_at) - min(started_at))::float as seconds
        from generations where id = any(${sql.param(generationIds)}::text[])`,
    );
    if (row?.open === 0) {
      const rows = generationIds.length;
      return { rows, seconds: row.seconds, perSecond: rows / row.seconds, failed: row.failed };
    }
    await delay(1_000);
  }
}
