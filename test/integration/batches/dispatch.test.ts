import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelBatch } from '../../../src/shared/domain/batches/cancel-batch.ts';
import { type Filling, fillLane, type LaneWindow } from '../../../src/shared/domain/batches/fill-lane.ts';
import { readProgress } from '../../../src/shared/domain/batches/read-progress.ts';
import { recallRows } from '../../../src/shared/domain/batches/recall-rows.ts';
import { setBatchWeight } from '../../../src/shared/domain/batches/set-weight.ts';
import { failGeneration } from '../../../src/shared/domain/generations/fail-generation.ts';
import { succeedGeneration } from '../../../src/shared/domain/generations/succeed-generation.ts';
import { dispatchLane } from '../../../src/worker/batch/dispatch-lane.ts';
import type { WorkerDeps } from '../../../src/worker/context.ts';
import { recoverBatches } from '../../../src/worker/sweep/recover-batches.ts';
import { recoverGenerations } from '../../../src/worker/sweep/recover-generations.ts';
import { claimed, finishedDocument, newAccount, type TestAccount, together } from '../../support/accounts.ts';
import { type BatchOrder, newBatch, type TestBatch } from '../../support/batches.ts';
import { useOwnDatabase } from '../../support/database.ts';
import { violations } from '../../support/invariants.ts';
import { newWorkerDeps } from '../../support/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();
const wide: LaneWindow = { rows: 1_000, accountRows: 1_000, bytes: 1e9, aheadUs: 1e12 };

beforeEach(async () => {
  await pool.query('delete from batch_flights');
  await pool.query('delete from batch_turns');
  await pool.query('delete from batch_rows');
  await pool.query('delete from batches');
});

afterAll(async () => {
  expect(await violations(pool)).toEqual([]);
});

interface Scene {
  readonly deps: WorkerDeps;
  account(): Promise<TestAccount>;
  batch(account: TestAccount, rows: number, order?: Partial<BatchOrder>): Promise<TestBatch>;
}

async function newScene(changes: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const deps = await newWorkerDeps(db, url, changes);
  return {
    deps,
    account: () => newAccount(db, { docs: 100_000 }),
    batch: (account, rows, order = {}) =>
      newBatch(db, deps.objects, account, { rows: Array.from({ length: rows }, (_, index) => ({ index })), ...order }),
  };
}

/** Ends a row as a worker would, as if it had taken so long. */
async function end(id: string, tookMs = 10, fails = false): Promise<void> {
  const claim = await claimed(db, id);
  if (fails) await failGeneration(db, claim, { code: 'data_invalid', message: 'no' });
  else await succeedGeneration(db, claim, finishedDocument(claim));
  await pool.query('update generations set started_at = finished_at - make_interval(secs => $2) where id = $1', [
    id,
    tookMs / 1_000,
  ]);
}

async function fill(window: LaneWindow = wide): Promise<Filling> {
  const filling = await fillLane(db, 'docx', window);
  if (filling === undefined) throw new Error('another dispatcher is at it');
  return filling;
}

const statusOf = async ({ batchId }: TestBatch) =>
  (await pool.query<{ status: string }>('select status from batches where id = $1', [batchId])).rows[0]?.status;
const leftOf = async ({ accountId }: TestAccount) =>
  (
    await pool.query<{ left: number }>(
      'select (docs - docs_held - docs_settled)::int as left from allowances where account_id = $1',
      [accountId],
    )
  ).rows[0]?.left;

describe('a lane is filled', () => {
  it('each row once, in order, also by many dispatchers at a time', async () => {
    const { account, batch } = await newScene();
    const { generationIds } = await batch(await account(), 300);
    await fill();
    const [first] = generationIds;
    if (first !== undefined) await end(first);
    const rounds: (Filling | undefined)[] = [];
    while (rounds.flatMap((filling) => filling?.rows ?? []).length < 299) {
      rounds.push(
        ...(await together(6, () => fillLane(db, 'docx', { ...wide, accountRows: 80 + rounds.length * 20 }))),
      );
    }
    const taken = rounds.flatMap((filling) => filling?.rows.map(({ generationId }) => generationId) ?? []);
    expect(taken).toEqual(generationIds.slice(1));
    expect((await fill()).rows).toEqual([]);
  });

  it('with one row of an account that nothing is known of, then by what its rows take', async () => {
    const { account, batch } = await newScene();
    const { generationIds } = await batch(await account(), 200);
    const window = { ...wide, aheadUs: 500_000 };
    expect((await fill(window)).rows).toHaveLength(1);
    expect((await fill(window)).rows).toHaveLength(0);
    await end(generationIds[0] ?? '', 20);
    expect((await fill(window)).rows).toHaveLength(25);
  });

  it('within the window, its bytes, and the limit of an account', async () => {
    const { account, batch } = await newScene();
    const batches = await together(3, async () => batch(await account(), 100));
    const first = (await fill({ ...wide, accountRows: 1 })).rows.map(({ generationId }) => generationId);
    expect(first.toSorted()).toEqual(batches.map(({ generationIds }) => generationIds[0]).toSorted());
    for (const id of first) await end(id);
    expect((await fill({ ...wide, accountRows: 10, rows: 24 })).rows).toHaveLength(24);
    expect((await fill({ ...wide, accountRows: 10, rows: 1_000 })).rows).toHaveLength(6);
    expect((await fill({ ...wide, bytes: 1 })).rows).toHaveLength(0);
    expect((await fill({ ...wide, rows: 40 })).rows).toHaveLength(10);
  });

  it('passes over rows that were cancelled meanwhile', async () => {
    const { account, batch } = await newScene();
    const { generationIds, batchId } = await batch(await account(), 3);
    await pool.query(`update batches set status = 'cancelled' where id = $1`, [batchId]);
    expect((await fill()).rows).toHaveLength(0);
    await pool.query(`update batches set status = 'running' where id = $1`, [batchId]);
    const claim = await claimed(db, generationIds[0] ?? '');
    await failGeneration(db, claim, { code: 'data_invalid', message: 'no' });
    const first = await fill();
    const second = await fill();
    expect([...first.rows, ...second.rows].map(({ generationId }) => generationId)).toEqual([generationIds[1]]);
  });
});

describe('accounts take turns', () => {
  it('by the working time of their rows and their weights, not by rows or by who came first', async () => {
    const { account, batch } = await newScene();
    const accounts = await Promise.all([account(), account(), account()]);
    const batches = await Promise.all(accounts.map((one) => batch(one, 400)));
    const owner = new Map(
      batches.flatMap(({ generationIds }, index) => generationIds.map((id) => [id, index] as const)),
    );
    await fill();
    await setBatchWeight(db, { accountId: accounts[2]?.accountId ?? '', weight: 2 });
    const tookMs = [20, 40, 20];
    const made = [0, 0, 0];
    const under = new Set<string>(
      (await pool.query('select generation_id from batch_flights')).rows.map((row) => row.generation_id),
    );
    for (let round = 0; round < 60; round++) {
      for (const id of under) {
        const index = owner.get(id) ?? 0;
        made[index] = (made[index] ?? 0) + 1;
        await end(id, tookMs[index]);
      }
      under.clear();
      for (const { generationId } of (await fill({ ...wide, rows: 8 })).rows) under.add(generationId);
    }
    const [a = 0, b = 0, c = 0] = made;
    expect(a / b).toBeGreaterThan(1.8);
    expect(a / b).toBeLessThan(2.2);
    expect(c / a).toBeGreaterThan(1.8);
    expect(c / a).toBeLessThan(2.2);
  });

  it('and one whose rows hang holds one place, not all of them', async () => {
    const { account, batch } = await newScene();
    const [good, poison] = await Promise.all([account(), account()]);
    await batch(good, 600);
    const poisonBatch = await batch(poison, 400);
    const window = { ...wide, rows: 64, aheadUs: 500_000 };
    const poisonIds = new Set(poisonBatch.generationIds);
    let made = 0;
    let hanging = 0;
    for (let round = 0; round < 12; round++) {
      for (const { generationId } of (await fill(window)).rows) {
        if (poisonIds.has(generationId)) {
          await claimed(db, generationId);
          await pool.query(`update generations set started_at = now() - interval '9 s' where id = $1`, [generationId]);
          hanging += 1;
        } else {
          await end(generationId, 20);
          made += 1;
        }
      }
    }
    expect(hanging).toBe(1);
    expect(made).toBeGreaterThan(200);
  });

  it('and one that comes back does not make up for the time it was away', async () => {
    const { account, batch } = await newScene();
    const [early, late] = await Promise.all([account(), account()]);
    const first = await batch(early, 200);
    for (const id of first.generationIds.slice(0, 100)) {
      await fill({ ...wide, rows: 1 });
      await end(id, 1_000);
    }
    await batch(late, 100);
    await fill({ ...wide, rows: 1 });
    const { rows } = await pool.query<{ pass: string }>('select pass from batch_turns order by pass desc');
    const [high = 0, low = 0] = rows.map(({ pass }) => Number(pass));
    expect(high).toBeGreaterThan(9e7);
    expect(high - low).toBeLessThan(2e6);
  });
});

describe('a batch comes to its end', () => {
  it('when all its rows have ended, once', async () => {
    const { deps, account, batch } = await newScene();
    const small = await batch(await account(), 5);
    for (const id of small.generationIds) {
      await dispatchLane(deps, 'docx');
      expect((await deps.transient.get('data', id))?.toString()).toMatch(/^\{"index":\d\}$/);
      expect(await deps.queues.has('docx-batch', id)).toBe(true);
      expect(await statusOf(small)).toBe('running');
      await end(id, 1_000);
    }
    await together(4, () => dispatchLane(deps, 'docx'));
    expect(await statusOf(small)).toBe('bundling');
    expect(await deps.queues.countWaiting('bundle')).toBe(1);
    expect((await readProgress(db, [small.batchId])).get(small.batchId)).toMatchObject({ succeeded: 5, failed: 0 });
    expect(await dispatchLane(deps, 'docx')).toBe(false);
  });

  it('when more rows fail than may: the rest is given back', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const failing = await batch(owner, 1_700, { maxFailures: 2 });
    for (const id of failing.generationIds.slice(0, 3)) {
      expect(await statusOf(failing)).not.toBe('failed');
      await dispatchLane(deps, 'docx');
      await end(id, 1_000, true);
    }
    await dispatchLane(deps, 'docx');
    expect(await statusOf(failing)).toBe('failed');
    expect((await readProgress(db, [failing.batchId])).get(failing.batchId)).toMatchObject({ failed: 3, queued: 0 });
    expect(await leftOf(owner)).toBe(100_000);
  });
});

describe('what is lost', () => {
  it('in Redis waits in line again, and is made', async () => {
    const { deps, account, batch } = await newScene();
    const lost = await batch(await account(), 3);
    const [id = ''] = lost.generationIds;
    await dispatchLane(deps, 'docx');
    await claimed(db, id);
    await deps.redis.del(...(await deps.redis.keys(`*${deps.config.QUEUE_PREFIX}*`)));
    await recoverBatches(deps);
    expect(await deps.queues.has('docx-batch', id)).toBe(false);
    await pool.query(`update batch_flights set dispatched_at = now() - interval '10 s'`);
    await recoverBatches(deps);
    await dispatchLane(deps, 'docx');
    expect(await deps.queues.has('docx-batch', id)).toBe(true);
    expect(await deps.transient.has('data', id)).toBe(true);
    await end(id);
  });

  it('with its worker three times is given back', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const [id = ''] = (await batch(owner, 1)).generationIds;
    await fill();
    for (let attempt = 0; attempt < 3; attempt++) await claimed(db, id);
    await pool.query(`update batch_flights set dispatched_at = now() - interval '10 s'`);
    await recoverBatches(deps);
    const { rows } = await pool.query('select status, error from generations where id = $1', [id]);
    expect(rows).toMatchObject([{ status: 'failed', error: { code: 'worker_lost' } }]);
    expect(await leftOf(owner)).toBe(100_000);
  });

  it('with the file store puts the rows back in line; without their input they fail', async () => {
    const { deps, account, batch } = await newScene();
    const rows = await batch(await account(), 2);
    const away = { ...deps.objects, getRange: () => Promise.reject(new Error('the store is away')) };
    await expect(dispatchLane({ ...deps, objects: away }, 'docx')).rejects.toThrow('away');
    expect((await pool.query('select 1 from batch_flights')).rowCount).toBe(0);
    const [{ input_key: key }] = (await pool.query('select input_key from batches')).rows as [{ input_key: string }];
    await deps.objects.remove([key]);
    for (let round = 0; round < 3; round++) await dispatchLane(deps, 'docx');
    expect((await readProgress(db, [rows.batchId])).get(rows.batchId)).toMatchObject({ failed: 2 });
    expect(await statusOf(rows)).toBe('bundling');
  });

  it('when a batch is cancelled is taken out of Redis', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const { batchId, generationIds } = await batch(owner, 3);
    const [id = ''] = generationIds;
    await dispatchLane(deps, 'docx');
    expect(await deps.transient.has('data', id)).toBe(true);
    await cancelBatch(db, owner.accountId, { id: batchId, ttlSeconds: 60 });
    await dispatchLane(deps, 'docx');
    expect(await deps.transient.has('data', id)).toBe(false);
    expect((await pool.query('select 1 from batch_flights')).rowCount).toBe(0);
    expect(await leftOf(owner)).toBe(100_000);
  });

  it('between the end of a batch and the end of its rows is given back by the sweep', async () => {
    const { deps, account, batch } = await newScene();
    const owner = await account();
    const half = await batch(owner, 20);
    await pool.query(`update batches set status = 'cancelled', finished_at = now() where id = $1`, [half.batchId]);
    await recoverBatches(deps);
    expect((await readProgress(db, [half.batchId])).get(half.batchId)).toMatchObject({ cancelled: 20 });
    expect(await leftOf(owner)).toBe(100_000);
  });

  it('a worker that still holds a recalled row is fenced', async () => {
    const { account, batch } = await newScene();
    const [id = ''] = (await batch(await account(), 1)).generationIds;
    await fill();
    const claim = await claimed(db, id);
    expect(await recallRows(db, [id])).toBe(1);
    expect(await succeedGeneration(db, claim, finishedDocument(claim))).toBe(false);
    expect((await fill()).rows).toHaveLength(1);
    await end(id);
    expect(await recallRows(db, [id])).toBe(0);
  });
});

it('rows that wait their turn are no business of the sweep for single documents', async () => {
  const { deps, account, batch } = await newScene({ DOCUMENT_DEADLINE_SECONDS: '60' });
  const waiting = await batch(await account(), 3);
  await pool.query(`update generations set accepted_at = accepted_at - interval '2 hours' where batch_id = $1`, [
    waiting.batchId,
  ]);
  await pool.query(`update allowances set starts_at = starts_at - interval '1 day'`);
  await recoverGenerations(deps);
  expect((await readProgress(db, [waiting.batchId])).get(waiting.batchId)).toMatchObject({ queued: 3 });
});
