import { describe, expect, it } from 'vitest';
import { createBatchMonitor } from '../../../src/api/batches/batch-monitor.ts';
import { createAccountLimit } from '../../../src/api/http/account-limit.ts';
import { cancelBatch } from '../../../src/shared/domain/batches/cancel-batch.ts';
import { requeueRows } from '../../../src/shared/domain/batches/dispatch/requeue-rows.ts';
import { findBatch } from '../../../src/shared/domain/batches/find-batches.ts';
import { findFailedRows } from '../../../src/shared/domain/batches/list-rows.ts';
import { readProgress } from '../../../src/shared/domain/batches/read-progress.ts';
import { retryRows } from '../../../src/shared/domain/batches/retry-rows.ts';
import { succeedDocument } from '../../../src/shared/domain/documents/succeed-document.ts';
import { dispatchQueue } from '../../../src/worker/batches/start-dispatcher.ts';
import { fetchData, loadData } from '../../../src/worker/documents/load-content.ts';
import { recoverRows, releaseRows } from '../../../src/worker/maintenance/recover-batches.ts';
import { recoverDocuments } from '../../../src/worker/maintenance/recover-documents.ts';
import { claimed, finishedDocument } from '../../support/domain/accounts.ts';
import { silent } from '../../support/services/redis.ts';
import { useBatchQueues } from './batch-queue.ts';

const { db, pool, newScene, end, fill, statusOf, leftOf, isQueued, ageDispatched, removeInput } =
  await useBatchQueues();

describe('recovery', () => {
  it('a row that Redis lost is requeued and produced', async () => {
    const { deps, account, batch } = await newScene();
    const lost = await batch(await account(), 3);
    const [id = ''] = lost.documentIds;
    await dispatchQueue(deps, 'docx');
    await claimed(db, id);
    await deps.redis.del(...(await deps.redis.keys(`*${deps.config.QUEUE_PREFIX}*`)));
    await recoverRows(deps);
    expect(await isQueued(deps, id)).toBe(false);
    await ageDispatched();
    await recoverRows(deps);
    await dispatchQueue(deps, 'docx');
    expect(await isQueued(deps, id)).toBe(true);
    expect(await deps.transient.has('data', id)).toBe(true);
    await end(id);
  });

  it('a failed row is dispatched again at once, while the job that failed is still running', async () => {
    const { deps, row } = await newScene();
    const id = await row();
    await dispatchQueue(deps, 'docx');
    const claim = await claimed(db, id);
    expect(await requeueRows(db, [id], claim)).toBe(1);
    await dispatchQueue(deps, 'docx');
    expect(await deps.queues.countWaiting('docx-batch')).toBe(2);
    await end(id);
  });

  it('a round that cannot enqueue its rows ends the batches and cleans up the rows that it has collected', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const failing = await batch(owner, 3, { maxFailures: 0 });
    const [failed = '', done = ''] = failing.documentIds;
    const whole = await batch(owner, 1);
    await dispatchQueue(deps, 'docx');
    await end(failed, 10, true);
    await end(done);
    await end(whole.documentIds[0] ?? '');
    expect(await deps.transient.has('data', failed)).toBe(true);
    const next = await batch(owner, 1);
    const unreachable = { ...deps.objects, getRange: () => Promise.reject(new Error('the store is unreachable')) };
    await expect(dispatchQueue({ ...deps, objects: unreachable }, 'docx')).rejects.toThrow('unreachable');
    expect(await statusOf(failing)).toBe('failed');
    expect(await statusOf(whole)).toBe('bundling');
    expect(await deps.queues.has('bundle', whole.batchId)).toBe(true);
    expect(await deps.transient.has('data', failed)).toBe(false);
    await dispatchQueue(deps, 'docx');
    expect(await statusOf(next)).toBe('running');
    await end(next.documentIds[0] ?? '');
  });

  it('a row that lost its worker three times is refunded', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const [id = ''] = (await batch(owner, 1)).documentIds;
    await fill();
    for (let attempt = 0; attempt < 3; attempt++) await claimed(db, id);
    await ageDispatched();
    await recoverRows(deps);
    const { rows } = await pool.query('select status, error from generations where id = $1', [id]);
    expect(rows).toMatchObject([{ status: 'failed', error: { code: 'worker_lost' } }]);
    expect(await leftOf(owner)).toBe(100_000);
  });

  it('an outage of the file store requeues the rows; rows without their input fail', async () => {
    const { deps, account, batch } = await newScene();
    const rows = await batch(await account(), 2);
    const unreachable = { ...deps.objects, getRange: () => Promise.reject(new Error('the store is unreachable')) };
    await expect(dispatchQueue({ ...deps, objects: unreachable }, 'docx')).rejects.toThrow('unreachable');
    expect((await pool.query('select 1 from batch_in_flight_rows')).rowCount).toBe(0);
    await removeInput(deps);
    for (let round = 0; round < 3; round++) await dispatchQueue(deps, 'docx');
    expect((await readProgress(db, [rows.batchId])).get(rows.batchId)).toMatchObject({ failed: 2 });
    expect(await statusOf(rows)).toBe('bundling');
  });

  it('a row that lost its input and its worker is refunded too', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const rows = await batch(owner, 1);
    const [id = ''] = rows.documentIds;
    await fill();
    await claimed(db, id);
    await requeueRows(db, [id]);
    await removeInput(deps);
    for (let round = 0; round < 2; round++) await dispatchQueue(deps, 'docx');
    expect(await statusOf(rows)).toBe('bundling');
    expect(await leftOf(owner)).toBe(100_000);
  });

  it('data that Redis loses on its way to the worker is read from the object store, however often', async () => {
    const { deps, row } = await newScene();
    const id = await row();
    const load = async () => {
      await dispatchQueue(deps, 'docx');
      await deps.transient.remove('data', id);
      const claim = await claimed(db, id);
      return { claim, data: loadData(deps, claim, fetchData(deps, {}, id)) };
    };
    for (let attempt = 1; attempt <= 5; attempt++) {
      const { claim, data } = await load();
      expect(claim.attempts).toBe(attempt);
      expect((await data).toString()).toBe('{"index":0}');
      expect(await requeueRows(db, [id], claim)).toBe(1);
    }
    const { claim, data } = await load();
    await data;
    await succeedDocument(db, claim, finishedDocument(claim));
  });

  it('a row whose data is lost in Redis and in the object store fails without a retry', async () => {
    const { deps, row } = await newScene();
    const id = await row();
    await dispatchQueue(deps, 'docx');
    await deps.transient.remove('data', id);
    await removeInput(deps);
    const claim = await claimed(db, id);
    const failure = { code: 'unavailable', retry: false };
    await expect(loadData(deps, claim, fetchData(deps, {}, id))).rejects.toMatchObject(failure);
    await end(id, 10, true);
  });

  it('the input of a cancelled batch is removed from Redis', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const { batchId, documentIds } = await batch(owner, 3);
    const [id = ''] = documentIds;
    await dispatchQueue(deps, 'docx');
    expect(await deps.transient.has('data', id)).toBe(true);
    await cancelBatch(db, owner.accountId, { id: batchId, ttlSeconds: 60 });
    await dispatchQueue(deps, 'docx');
    expect(await deps.transient.has('data', id)).toBe(false);
    expect((await pool.query('select 1 from batch_in_flight_rows')).rowCount).toBe(0);
    expect(await leftOf(owner)).toBe(100_000);
  });

  it('the sweep refunds rows that are unfinished after the end of their batch', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const half = await batch(owner, 20);
    await pool.query(`update batches set status = 'cancelled', finished_at = now() where id = $1`, [half.batchId]);
    await releaseRows(deps);
    expect((await readProgress(db, [half.batchId])).get(half.batchId)).toMatchObject({ cancelled: 20 });
    expect(await leftOf(owner)).toBe(100_000);
  });

  it('a worker that still holds a requeued row is fenced', async () => {
    const { row } = await newScene();
    const id = await row();
    await fill();
    const claim = await claimed(db, id);
    expect(await requeueRows(db, [id])).toBe(1);
    expect(await succeedDocument(db, claim, finishedDocument(claim))).toBe(false);
    expect((await fill()).rows).toHaveLength(1);
    await end(id);
    expect(await requeueRows(db, [id])).toBe(0);
  });

  it('a failed attempt is charged, and a fenced one requeues nothing', async () => {
    const { row } = await newScene();
    const id = await row();
    const virtualTimeOf = async () =>
      Number((await pool.query('select virtual_time from batch_shares')).rows[0].virtual_time);
    await fill();
    const fenced = await claimed(db, id);
    const claim = await claimed(db, id);
    expect(await requeueRows(db, [id], fenced)).toBe(0);
    await pool.query(`update generations set started_at = now() - interval '9 s' where id = $1`, [id]);
    expect(await requeueRows(db, [id], claim)).toBe(1);
    expect(await virtualTimeOf()).toBeGreaterThan(8.9e6);
    await fill();
    await end(id);
  });

  it('a requeued row that a worker claims before it is dispatched again is recovered', async () => {
    const { deps, account, batch } = await newScene();
    const rows = await batch(await account(), 1);
    const [id = ''] = rows.documentIds;
    await fill();
    await requeueRows(db, [id]);
    await claimed(db, id);
    await fill();
    await ageDispatched();
    await recoverRows(deps);
    await dispatchQueue(deps, 'docx');
    expect(await isQueued(deps, id)).toBe(true);
    await end(id);
    await dispatchQueue(deps, 'docx');
    expect(await statusOf(rows)).toBe('bundling');
  });

  it('the waiting time of a requeued row is not charged as working time', async () => {
    const { row } = await newScene();
    const id = await row();
    await fill();
    await claimed(db, id);
    await pool.query(`update generations set started_at = now() - interval '1 hour' where id = $1`, [id]);
    await requeueRows(db, [id]);
    await fill();
    const claim = await claimed(db, id);
    await succeedDocument(db, claim, finishedDocument(claim));
    await fill();
    const { rows } = await pool.query<{ virtual_time: string }>('select virtual_time from batch_shares');
    expect(Number(rows[0]?.virtual_time)).toBeLessThan(60e6);
  });
});

it('the sweep of single documents leaves waiting rows alone', async () => {
  const { deps, account, batch } = await newScene({ DOCUMENT_DEADLINE_SECONDS: '60' });
  const waiting = await batch(await account(), 3);
  await pool.query(`update generations set accepted_at = accepted_at - interval '2 hours' where batch_id = $1`, [
    waiting.batchId,
  ]);
  await pool.query(`update allowances set starts_at = starts_at - interval '1 day'`);
  await recoverDocuments(deps);
  expect((await readProgress(db, [waiting.batchId])).get(waiting.batchId)).toMatchObject({ queued: 3 });
});

it('the progress of a retried batch does not include its first run', async () => {
  const { account, batch } = await newScene();
  const { accountId, ...owner } = await account();
  const { batchId, documentIds } = await batch({ accountId, ...owner }, 2);
  const [good = '', bad = ''] = documentIds;
  const listeners = createAccountLimit({ maxTotal: 1, maxPerAccount: 1, message: 'busy', retryAfterSeconds: 1 });
  const monitor = createBatchMonitor({ db, logger: silent, pollEveryMs: 60_000, listeners });
  const progressOf = async (isFresh = false) =>
    (await monitor.read(await findBatch(db, accountId, batchId), isFresh)).progress;
  expect(await progressOf()).toMatchObject({ queued: 2 });
  await fill();
  await end(good);
  await end(bad, 10, true);
  expect(await progressOf()).toMatchObject({ succeeded: 1, failed: 1 });
  await pool.query(
    `update batches set status = 'completed', finished_at = now(), expires_at = now() + interval '1 hour' where id = $1`,
    [batchId],
  );
  const rows = (await findFailedRows(db, batchId)).map((row) => ({ ...row, email: null, password: null }));
  await retryRows(db, { batchId, accountId, keyId: 'key_none', rows }, undefined);
  expect(await progressOf(true)).toMatchObject({ queued: 1, succeeded: 1, failed: 0 });
  expect(await progressOf()).toMatchObject({ queued: 1, succeeded: 1, failed: 0 });
  await fill();
  expect(await progressOf()).toMatchObject({ queued: 1, succeeded: 1, failed: 0 });
  await end((await findBatchRow(batchId, 2)) ?? '');
});

async function findBatchRow(batchId: string, row: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    'select generation_id as id from batch_rows where batch_id = $1 and row = $2',
    [batchId, row],
  );
  return rows[0]?.id;
}
