import { afterAll, beforeEach, expect } from 'vitest';
import { jobQueueOf } from '../../../src/shared/domain/batches/dispatch/batch-queue.ts';
import { fillQueue, type QueueFill, type QueueWindow } from '../../../src/shared/domain/batches/dispatch/fill-queue.ts';
import { findStaleRows } from '../../../src/shared/domain/batches/dispatch/requeue-rows.ts';
import { failDocument } from '../../../src/shared/domain/documents/fail-document.ts';
import { succeedDocument } from '../../../src/shared/domain/documents/succeed-document.ts';
import { rowJobId } from '../../../src/shared/queue/row-job-id.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { claimed, finishedDocument, newAccount, type TestAccount } from '../../support/domain/accounts.ts';
import { type BatchRequest, newBatch, type TestBatch } from '../../support/domain/batches.ts';
import { violations } from '../../support/domain/invariants.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';

export interface Scene {
  readonly deps: WorkerDeps;
  account(): Promise<TestAccount>;
  batch(account: TestAccount, rows: number, order?: Partial<BatchRequest>): Promise<TestBatch>;
  /** The document of a new account's batch with one row. */
  row(): Promise<string>;
}

export const wide: QueueWindow = { rows: 1_000, accountRows: 1_000, bytes: 1e9, aheadUs: 1e12, ttlSeconds: 3_600 };

/** Batch queues in a separate database for the file, emptied before each test. */
export async function useBatchQueues() {
  const { db, pool, url } = await useOwnDatabase();
  beforeEach(async () => {
    await pool.query('delete from batch_in_flight_rows');
    await pool.query('delete from batch_shares');
    await pool.query('delete from batch_rows');
    await pool.query('delete from batches');
  });
  afterAll(async () => {
    expect(await violations(pool)).toEqual([]);
  });
  return {
    db,
    pool,
    async newScene(changes: Readonly<Record<string, string>> = {}): Promise<Scene> {
      const deps = await newWorkerDeps(db, url, changes);
      const account: Scene['account'] = () => newAccount(db, { docs: 100_000 });
      const batch: Scene['batch'] = (owner, count, order = {}) => {
        const rows = Array.from({ length: count }, (_, index) => ({ index }));
        return newBatch(db, deps.objects, owner, { rows, ...order });
      };
      return { deps, account, batch, row: async () => (await batch(await account(), 1)).documentIds[0] ?? '' };
    },
    /** Finishes a row as a worker would, with the given duration. */
    async end(id: string, tookMs = 10, fails = false): Promise<void> {
      const claim = await claimed(db, id);
      if (fails) await failDocument(db, claim, { code: 'data_invalid', message: 'no' });
      else await succeedDocument(db, claim, finishedDocument(claim));
      await pool.query('update generations set started_at = finished_at - make_interval(secs => $2) where id = $1', [
        id,
        tookMs / 1_000,
      ]);
    },
    async fill(window: QueueWindow = wide): Promise<QueueFill> {
      const filling = await fillQueue(db, 'docx', window);
      if (filling === undefined) throw new Error('another dispatcher is running');
      return filling;
    },
    /** True when the row is in flight and the job of this dispatch exists. */
    async isQueued({ queues }: WorkerDeps, id: string): Promise<boolean> {
      const [row] = (await findStaleRows(db, -60_000)).filter((stale) => stale.id === id);
      return row !== undefined && queues.has(jobQueueOf(row.format), rowJobId(id, row.dispatchedAt));
    },
    /** Makes dispatched rows count as dispatched long ago. */
    ageDispatched: () => pool.query(`update batch_in_flight_rows set dispatched_at = now() - interval '10 s'`),
    /** Removes the stored rows of the only batch. */
    async removeInput({ objects }: WorkerDeps): Promise<void> {
      const { rows } = await pool.query<{ key: string }>('select input_key as key from batches');
      await objects.remove(rows.map(({ key }) => key));
    },
    async statusOf({ batchId }: TestBatch): Promise<string | undefined> {
      const { rows } = await pool.query<{ status: string }>('select status from batches where id = $1', [batchId]);
      return rows[0]?.status;
    },
    async leftOf({ accountId }: TestAccount): Promise<number | undefined> {
      const { rows } = await pool.query<{ left: number }>(
        'select (docs - docs_held - docs_settled)::int as left from allowances where account_id = $1',
        [accountId],
      );
      return rows[0]?.left;
    },
  };
}
