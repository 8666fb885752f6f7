import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resumeAccount, suspendAccount } from '../../../src/shared/domain/accounts/suspend-account.ts';
import { fillQueue, type QueueFill } from '../../../src/shared/domain/batches/dispatch/fill-queue.ts';
import { setBatchWeight } from '../../../src/shared/domain/batches/dispatch/set-weight.ts';
import { readProgress } from '../../../src/shared/domain/batches/read-progress.ts';
import { failDocument } from '../../../src/shared/domain/documents/fail-document.ts';
import { dispatchQueue } from '../../../src/worker/batches/start-dispatcher.ts';
import { startWorkers } from '../../../src/worker/start-workers.ts';
import { claimed, together } from '../../support/domain/accounts.ts';
import { useRedis } from '../../support/services/redis.ts';
import { useBatchQueues, wide } from './batch-queue.ts';

const { db, pool, newScene, end, fill, statusOf, leftOf, isQueued } = await useBatchQueues();

describe('the dispatcher', () => {
  it('enqueues each row once, in order, even with concurrent dispatchers', async () => {
    const { account, batch } = await newScene();
    const { documentIds } = await batch(await account(), 300);
    await fill();
    const [first] = documentIds;
    if (first !== undefined) await end(first);
    const rounds: (QueueFill | undefined)[] = [];
    while (rounds.flatMap((filling) => filling?.rows ?? []).length < 299) {
      rounds.push(
        ...(await together(6, () => fillQueue(db, 'docx', { ...wide, accountRows: 80 + rounds.length * 20 }))),
      );
    }
    const dispatchedIds = rounds.flatMap((filling) => filling?.rows.map(({ documentId }) => documentId) ?? []);
    expect(dispatchedIds).toEqual(documentIds.slice(1));
    expect((await fill()).rows).toEqual([]);
  });

  it('names the request of a batch in its jobs, so that the log of a row that fails before its claim has it', async () => {
    const { deps, account, batch } = await newScene();
    const { batchId, documentIds } = await batch(await account(), 1);
    await pool.query('update batches set trace = $2 where id = $1', [batchId, { requestId: 'nightly-letters' }]);
    await dispatchQueue(deps, 'docx');
    // A worker removes the job when its last attempt has failed.
    const [key = ''] = await deps.redis.keys(`*${deps.config.QUEUE_PREFIX}*docx-batch*doc_*`);
    expect(JSON.parse((await deps.redis.hget(key, 'data')) ?? '{}')).toMatchObject({
      trace: { requestId: 'nightly-letters', batchId },
    });
    const lines: Readonly<Record<string, unknown>>[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const claim = () => Promise.reject(new Error('no claim'));
    const workers = startWorkers({ ...deps, logger, claim }, await useRedis('blocking'), ['docx-batch']);
    onTestFinished(() => workers.close());
    const jobs = () => lines.filter(({ msg }) => msg === 'job');
    await expect.poll(() => jobs().length).toBeGreaterThan(0);
    expect(jobs()[0]).toMatchObject({
      queue: 'docx-batch',
      jobId: expect.stringContaining(documentIds[0] ?? 'none'),
      requestId: 'nightly-letters',
      outcome: 'retried',
    });
    expect(await pool.query('select attempts from generations where id = $1', [documentIds[0]])).toMatchObject({
      rows: [{ attempts: 0 }],
    });
  });

  it('enqueues one row of an account without history, then as many as the cost of its rows allows', async () => {
    const { account, batch } = await newScene();
    const { documentIds } = await batch(await account(), 200);
    const window = { ...wide, aheadUs: 500_000 };
    expect((await fill(window)).rows).toHaveLength(1);
    expect((await fill(window)).rows).toHaveLength(0);
    await end(documentIds[0] ?? '', 20);
    expect((await fill(window)).rows).toHaveLength(25);
  });

  it('stays within the window, its bytes, and the limit of an account', async () => {
    const { account, batch } = await newScene();
    const batches = await together(3, async () => batch(await account(), 100));
    const first = (await fill({ ...wide, accountRows: 1 })).rows.map(({ documentId }) => documentId);
    expect(first.toSorted()).toEqual(batches.map(({ documentIds }) => documentIds[0]).toSorted());
    for (const id of first) await end(id);
    expect((await fill({ ...wide, accountRows: 10, rows: 24 })).rows).toHaveLength(24);
    expect((await fill({ ...wide, accountRows: 10, rows: 1_000 })).rows).toHaveLength(6);
    expect((await fill({ ...wide, bytes: 1 })).rows).toHaveLength(0);
    expect((await fill({ ...wide, rows: 40 })).rows).toHaveLength(10);
  });

  it('dispatches no more rows than fit into the free bytes, of which the last may exceed them', async () => {
    const { account, batch } = await newScene();
    const batches = await together(2, async () => batch(await account(), 100));
    for (const { documentId } of (await fill({ ...wide, accountRows: 1 })).rows) await end(documentId);
    const sizes = (await fill({ ...wide, bytes: 30 })).rows.map(({ dataBytes }) => dataBytes);
    expect(batches).toHaveLength(2);
    expect(sizes.slice(0, -1).reduce((sum, size) => sum + size, 0)).toBeLessThan(30);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(30);
    expect((await fill({ ...wide, bytes: 30 })).rows).toHaveLength(0);
  });

  it('leaves the rows of a suspended account waiting until it is resumed', async () => {
    const { account, batch } = await newScene();
    const [suspended, other] = [await account(), await account()];
    const { documentIds } = await batch(suspended, 3);
    const { documentIds: ofOther } = await batch(other, 3);
    await suspendAccount(db, suspended.accountId);
    const idsOf = async () => (await fill()).rows.map(({ documentId }) => documentId);
    const [first = '', ...more] = await idsOf();
    expect([first, ...more]).toEqual(ofOther.slice(0, 1));
    await end(first, 20);
    expect((await idsOf()).every((id) => ofOther.includes(id))).toBe(true);
    await resumeAccount(db, suspended.accountId);
    expect(await idsOf()).toEqual(documentIds.slice(0, 1));
  });

  it('skips rows that were cancelled meanwhile', async () => {
    const { account, batch } = await newScene();
    const { documentIds, batchId } = await batch(await account(), 3);
    await pool.query(`update batches set status = 'cancelled' where id = $1`, [batchId]);
    expect((await fill()).rows).toHaveLength(0);
    await pool.query(`update batches set status = 'running' where id = $1`, [batchId]);
    const claim = await claimed(db, documentIds[0] ?? '');
    await failDocument(db, claim, { code: 'data_invalid', message: 'no' });
    const first = await fill();
    const second = await fill();
    expect([...first.rows, ...second.rows].map(({ documentId }) => documentId)).toEqual([documentIds[1]]);
  });
});

describe('accounts that share a queue', () => {
  it.each([
    ['space', { ...wide, rows: 8 }],
    ['working time', { ...wide, aheadUs: 160_000 }],
  ])('share it by the working time of their rows and their weights when %s is scarce', async (_what, window) => {
    const { account, batch } = await newScene();
    const accounts = await Promise.all([account(), account(), account()]);
    const batches = await Promise.all(accounts.map((one) => batch(one, 400)));
    const owner = new Map(batches.flatMap(({ documentIds }, index) => documentIds.map((id) => [id, index] as const)));
    await fill();
    await setBatchWeight(db, { accountId: accounts[2]?.accountId ?? '', weight: 2 });
    const tookMs = [20, 40, 20];
    const finishedRows = [0, 0, 0];
    const under = new Set<string>(
      (await pool.query('select generation_id from batch_in_flight_rows')).rows.map((row) => row.generation_id),
    );
    for (let round = 0; round < 60; round++) {
      for (const id of under) {
        const index = owner.get(id) ?? 0;
        finishedRows[index] = (finishedRows[index] ?? 0) + 1;
        await end(id, tookMs[index]);
      }
      under.clear();
      for (const { documentId } of (await fill(window)).rows) under.add(documentId);
    }
    const [a = 0, b = 0, c = 0] = finishedRows;
    expect(a / b).toBeGreaterThan(1.8);
    expect(a / b).toBeLessThan(2.2);
    expect(c / a).toBeGreaterThan(1.8);
    expect(c / a).toBeLessThan(2.2);
  });

  it('lose one place, not all of them, to an account whose rows hang', async () => {
    const { account, batch } = await newScene();
    const [good, poison] = await Promise.all([account(), account()]);
    await batch(good, 600);
    const poisonBatch = await batch(poison, 400);
    const window = { ...wide, rows: 64, aheadUs: 500_000 };
    const poisonIds = new Set(poisonBatch.documentIds);
    let finishedRows = 0;
    let hanging = 0;
    for (let round = 0; round < 12; round++) {
      for (const { documentId } of (await fill(window)).rows) {
        if (poisonIds.has(documentId)) {
          await claimed(db, documentId);
          await pool.query(`update generations set started_at = now() - interval '9 s' where id = $1`, [documentId]);
          hanging += 1;
        } else {
          await end(documentId, 20);
          finishedRows += 1;
        }
      }
    }
    expect(hanging).toBe(1);
    expect(finishedRows).toBeGreaterThan(200);
  });

  it('get no credit for idle time', async () => {
    const { account, batch } = await newScene();
    const [early, late] = await Promise.all([account(), account()]);
    const first = await batch(early, 200);
    for (const id of first.documentIds.slice(0, 100)) {
      await fill({ ...wide, rows: 1 });
      await end(id, 1_000);
    }
    await batch(late, 100);
    await fill({ ...wide, rows: 1 });
    const { rows } = await pool.query<{ virtual_time: string }>(
      'select virtual_time from batch_shares order by virtual_time desc',
    );
    const [high = 0, low = 0] = rows.map(({ virtual_time }) => Number(virtual_time));
    expect(high).toBeGreaterThan(9e7);
    expect(high - low).toBeLessThan(2e6);
  });
});

describe('a batch finishes', () => {
  it('once, when all its rows have finished', async () => {
    const { deps, account, batch } = await newScene();
    const small = await batch(await account(), 5);
    for (const id of small.documentIds) {
      await dispatchQueue(deps, 'docx');
      expect((await deps.transient.get('data', id))?.toString()).toMatch(/^\{"index":\d\}$/);
      expect(await isQueued(deps, id)).toBe(true);
      expect(await statusOf(small)).toBe('running');
      await end(id, 1_000);
    }
    await together(4, () => dispatchQueue(deps, 'docx'));
    expect(await statusOf(small)).toBe('bundling');
    expect(await deps.queues.countWaiting('bundle')).toBe(1);
    expect((await readProgress(db, [small.batchId])).get(small.batchId)).toMatchObject({ succeeded: 5, failed: 0 });
    expect(await dispatchQueue(deps, 'docx')).toBe(false);
  });

  it('when more rows fail than allowed, and the other rows are refunded', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const failing = await batch(owner, 1_700, { maxFailures: 2 });
    for (const id of failing.documentIds.slice(0, 3)) {
      expect(await statusOf(failing)).not.toBe('failed');
      await dispatchQueue(deps, 'docx');
      await end(id, 1_000, true);
    }
    await dispatchQueue(deps, 'docx');
    expect(await statusOf(failing)).toBe('failed');
    expect((await readProgress(db, [failing.batchId])).get(failing.batchId)).toMatchObject({ failed: 3, queued: 0 });
    expect(await leftOf(owner)).toBe(100_000);
  });
});
