import { describe, expect, it } from 'vitest';
import { claimDocument } from '../../../../src/shared/domain/documents/claim-document.ts';
import { abandonDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { findDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import type { WorkerDeps } from '../../../../src/worker/deps.ts';
import { recoverDocuments } from '../../../../src/worker/maintenance/recover-documents.ts';
import { addSuspect } from '../../../../src/worker/maintenance/suspects.ts';
import { claimed, internalError, newAccount, together } from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();
keepRules(pool);
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const dataOf = Buffer.from('{}');

/** Sweeps read every row: finishes what earlier tests left. */
async function endAll(): Promise<void> {
  const { rows } = await pool.query<{ id: string; attempts: number }>(
    `select id, attempts from generations where status in ('queued', 'running')`,
  );
  await Promise.all(rows.map((row) => abandonDocument(db, row, internalError)));
}

async function newScene(changes: Readonly<Record<string, string>> = {}) {
  await endAll();
  const deps = await newWorkerDeps(db, url, changes);
  const { accountId, accept, docsLeft } = await newAccount(db, { docs: 1_000, at: secondsAgo(7_200) });
  return {
    deps,
    docsLeft,
    /** Accepts a document as of some seconds ago, with its data in Redis and without a job. */
    async accept(ageSeconds = 10): Promise<string> {
      const id = await accept({}, secondsAgo(ageSeconds));
      await deps.transient.put('data', id, dataOf, 600);
      return id;
    },
    enqueue: (id: string) => deps.queues.add('docx', id, { documentId: id, accountId, replyTo: null }),
    isQueued: (id: string) => deps.queues.has('docx', id),
    sweep: () => recoverDocuments(deps),
  };
}
type Scene = Awaited<ReturnType<typeof newScene>>;

/** Deletes all keys of this service from Redis. */
async function loseRedis({ redis, config }: WorkerDeps): Promise<void> {
  await redis.del(...(await redis.keys(`*${config.QUEUE_PREFIX}*`)));
}

/**
 * Deletes the state of documents in the queue. One search serves all of them: it reads every key of a Redis that tests
 * share.
 */
async function loseJobs({ deps: { redis, config } }: Scene, ids: readonly string[]): Promise<void> {
  const keys = await redis.keys(`*${config.QUEUE_PREFIX}*entry:*`);
  const lost = new Set(ids);
  await redis.del(...keys.filter((key) => lost.has(key.slice(key.lastIndexOf(':') + 1))));
}

const errorOf = async (id: string) => (await findDocument(db, id))?.error?.code;

describe('a document without a job', () => {
  it('is queued again, once, even by concurrent sweeps', async () => {
    const scene = await newScene();
    const id = await scene.accept();
    await together(5, scene.sweep);
    expect(await scene.isQueued(id)).toBe(true);
    expect(await scene.deps.queues.countWaiting('docx')).toBe(1);
    expect(await findDocument(db, id)).toMatchObject({ status: 'queued' });
  });

  it('that is still being enqueued is left alone', async () => {
    const scene = await newScene();
    // As of a minute from now: however slow the machine is, it is younger than the grace period.
    const id = await scene.accept(-60);
    await scene.sweep();
    expect(await scene.isQueued(id)).toBe(false);
  });

  it('fails and is refunded if its data are lost too', async () => {
    const scene = await newScene();
    const id = await scene.accept();
    await scene.deps.transient.remove('data', id);
    await together(5, scene.sweep);
    expect(await errorOf(id)).toBe('unavailable');
    expect(await scene.docsLeft()).toBe(1_000);
  });

  it('whose attempts are used up fails and is refunded', async () => {
    const scene = await newScene();
    const id = await scene.accept();
    await claimed(db, id);
    await scene.sweep();
    expect(await scene.isQueued(id)).toBe(true);
    await claimed(db, id);
    await claimed(db, id);
    await loseRedis(scene.deps);
    await scene.deps.transient.put('data', id, dataOf, 600);
    await scene.sweep();
    expect(await errorOf(id)).toBe('worker_lost');
    expect(await scene.docsLeft()).toBe(1_000);
  });
});

describe('however many documents wait', () => {
  /** Several pages of documents, all with a job. */
  async function waitingScene() {
    const scene = await newScene();
    const ids = await together(260, () => scene.accept(60));
    await Promise.all(ids.map(scene.enqueue));
    await scene.sweep();
    return { scene, ids };
  }

  it.each<[string, (scene: Scene, ids: readonly string[]) => Promise<string>]>([
    ['a new document without a job', (scene) => scene.accept(6)],
    [
      'a claimed document without a job',
      async (scene, ids) => {
        const [, , id = ''] = ids.toReversed();
        await claimed(db, id);
        await loseJobs(scene, [id]);
        return id;
      },
    ],
    [
      'a document whose job has failed',
      async (scene, ids) => {
        const [, , id = ''] = ids.toReversed();
        await loseJobs(scene, [id]);
        await addSuspect(scene.deps, 'docx', id);
        return id;
      },
    ],
  ])('%s is found by the next sweep', async (_what, lose) => {
    const { scene, ids } = await waitingScene();
    const lost = await lose(scene, ids);
    expect(await scene.isQueued(lost)).toBe(false);
    await scene.sweep();
    expect(await scene.isQueued(lost)).toBe(true);
  });

  it('jobs that were lost for no known reason are all found once the walk comes to one of them', async () => {
    const { scene, ids } = await waitingScene();
    await loseJobs(scene, ids);
    await scene.sweep();
    expect(await scene.deps.queues.findMissing('docx', ids)).toEqual([]);
  });

  it('a sweep checks one page of them', async () => {
    const { scene } = await waitingScene();
    const looked: number[] = [];
    const findMissing: WorkerDeps['queues']['findMissing'] = async (name, ids) => {
      looked.push(ids.length);
      return scene.deps.queues.findMissing(name, ids);
    };
    await recoverDocuments({ ...scene.deps, queues: { ...scene.deps.queues, findMissing } });
    expect(looked.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(50);
  });
});

describe('a document with a live job', () => {
  it('is left alone, however often its attempts were lost', async () => {
    const scene = await newScene();
    const id = await scene.accept();
    await scene.enqueue(id);
    for (let attempt = 0; attempt < 4; attempt++) await claimed(db, id);
    await scene.deps.transient.remove('data', id);
    await scene.sweep();
    expect(await findDocument(db, id)).toMatchObject({ status: 'running' });
  });

  it('past its deadline fails and is refunded, and the job finds nothing to do', async () => {
    const scene = await newScene({ DOCUMENT_DEADLINE_SECONDS: '600' });
    const [late, inTime] = [await scene.accept(601), await scene.accept(10)];
    for (const id of [late, inTime]) await scene.enqueue(id);
    await scene.sweep();
    expect(await errorOf(late)).toBe('unavailable');
    expect(await claimDocument(db, late)).toBeUndefined();
    expect(await findDocument(db, inTime)).toMatchObject({ status: 'queued' });
    expect(await scene.docsLeft()).toBe(999);
  });
});

it('every document is refunded and none is charged when Redis loses everything', async () => {
  const scene = await newScene();
  const ids = await together(30, () => scene.accept());
  await Promise.all(ids.map(scene.enqueue));
  await Promise.all(ids.slice(0, 10).map((id) => claimed(db, id)));
  await loseRedis(scene.deps);
  await scene.sweep();
  expect(new Set(await Promise.all(ids.map(errorOf)))).toEqual(new Set(['unavailable']));
  expect(await scene.docsLeft()).toBe(1_000);
});

it('an unreachable Redis ends the sweep and changes nothing', async () => {
  const scene = await newScene();
  const id = await scene.accept();
  scene.deps.redis.disconnect();
  await expect(scene.sweep()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await findDocument(db, id)).toMatchObject({ status: 'queued' });
});

it('a row that cannot be settled does not block others', async () => {
  const scene = await newScene();
  const [stuck, lost] = [await scene.accept(30), await scene.accept(20)];
  for (const id of [stuck, lost]) await scene.deps.transient.remove('data', id);
  await pool.query(
    `insert into ledger (account_id, generation_id, allowance_id, kind, units)
    select account_id, generation_id, allowance_id, 'release', 1 from ledger where generation_id = $1`,
    [stuck],
  );
  await scene.sweep();
  expect(await errorOf(lost)).toBe('unavailable');
  await pool.query(`delete from ledger where generation_id = $1 and kind = 'release'`, [stuck]);
  expect(await abandonDocument(db, { id: stuck, attempts: 0 }, internalError)).toBe(true);
});
