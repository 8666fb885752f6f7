import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { expect, inject, it, onTestFinished } from 'vitest';
import { bullPrefix } from '../../../src/shared/queue/contracts.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import type { DocxPool } from '../../../src/worker/docx/sandbox/docx-pool.ts';
import { createFairWorker } from '../../../src/worker/fair-worker.ts';
import { recoverTickets } from '../../../src/worker/maintenance/recover-tickets.ts';
import { startWorkers } from '../../../src/worker/start-workers.ts';
import { useDatabase } from '../../support/services/database.ts';
import { useRedis } from '../../support/services/redis.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';

const { db } = useDatabase();
const picture = { type: 'png', widthPx: 1, heightPx: 1 } as const;

/** An engine that hangs for these accounts until the test frees it. */
function newEngine(hangFor: ReadonlySet<string>, workMs = 0) {
  const started: { readonly account: string; readonly upload: string }[] = [];
  const hanging: (() => void)[] = [];
  const inspectPicture: DocxPool['inspectPicture'] = async (bytes, account = '', addWorkMs) => {
    started.push({ account, upload: Buffer.from(bytes).toString() });
    const startedAt = performance.now();
    if (hangFor.has(account)) await new Promise<void>((resolve) => hanging.push(resolve));
    else if (workMs > 0) await delay(workMs);
    addWorkMs?.(performance.now() - startedAt);
    return picture;
  };
  const docx = { inspectPicture, waitingOf: () => 0 } as unknown as DocxPool;
  return { docx, started, free: () => hanging.splice(0).forEach((resolve) => void resolve()) };
}

async function newScene(hangFor: readonly string[] = [], workMs = 0) {
  const deps = await newWorkerDeps(db, inject('databaseUrl'), { RENDER_PROCESSES: '2', WORKER_QUEUES: 'inspect' });
  const engine = newEngine(new Set(hangFor), workMs);
  let uploads = 0;
  return {
    deps,
    engine,
    start: () => startWorker({ ...deps, docx: engine.docx }, engine.free),
    async upload(accountId: string): Promise<string> {
      const uploadId = `${accountId}-${++uploads}`;
      await deps.transient.put('upload', uploadId, Buffer.from(uploadId), 60);
      await deps.queues.add('inspect', uploadId, { uploadId, accountId, replyTo: null, kind: 'picture' });
      return uploadId;
    },
    startedOf: (account: string) => engine.started.filter((one) => one.account === account).length,
    untilEmpty: () =>
      expect.poll(() => deps.queues.stats('inspect')).toMatchObject({ waiting: 0, active: 0, delayed: 0 }),
  };
}

async function startWorker(deps: WorkerDeps, free: () => void) {
  const workers = startWorkers(deps, await useRedis('blocking'), ['inspect']);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= workers.close();
    return closed;
  };
  onTestFinished(async () => {
    const freeing = setInterval(free, 5);
    await close();
    clearInterval(freeing);
  });
  return { close };
}

it('hanging work of one account delays no other account, from the start', async () => {
  const scene = await newScene(['loud']);
  await scene.start();
  for (let count = 0; count < 64; count++) await scene.upload('loud');
  for (let count = 1; count <= 20; count++) {
    await scene.upload('quiet');
    await expect.poll(() => scene.startedOf('quiet')).toBe(count);
  }
  expect(scene.startedOf('loud')).toBe(2);
});

it.each([
  { isReleased: false, running: 2 },
  { isReleased: true, running: 6 },
])('uploads of one account while their permits are released: $isReleased', async ({ isReleased, running }) => {
  const scene = await newScene();
  const { deps } = scene;
  const connection = await useRedis('blocking');
  const started: string[] = [];
  const engine = newEngine(new Set(['only']));
  const fair = createFairWorker('inspect', deps, connection, {
    permits: 4,
    logger: deps.logger,
    async serve({ id, accountId }, _job, { releasePermit }) {
      started.push(id);
      if (isReleased) releasePermit();
      await engine.docx.inspectPicture(Buffer.from(id), accountId);
    },
  });
  const prefix = bullPrefix(deps.config.QUEUE_PREFIX, 'inspect');
  const worker = new Worker('inspect', (job, token) => fair.runTicket(job, token), {
    connection,
    prefix,
    concurrency: 6,
  });
  fair.watch(worker);
  onTestFinished(async () => {
    const freeing = setInterval(engine.free, 5);
    fair.stop();
    await worker.close();
    clearInterval(freeing);
    await fair.close();
  });
  const uploads: string[] = [];
  for (let count = 0; count < 9; count++) uploads.push(await scene.upload('only'));
  await expect.poll(() => started.length).toBe(running);
  // A document that is served afterwards shows that the worker has polled all of them, which it cannot do while all of
  // its jobs are in use.
  if (!isReleased) {
    uploads.push(await scene.upload('other'));
    await expect.poll(() => started).toContain(uploads.at(-1));
  }
  expect(started.filter((upload) => upload.startsWith('only'))).toHaveLength(running);
  const freeing = setInterval(engine.free, 5);
  await scene.untilEmpty();
  clearInterval(freeing);
  expect(started.toSorted()).toEqual(uploads.toSorted());
});

it('every upload is served once by several workers, and nothing is left', async () => {
  const scene = await newScene([], 2);
  await Promise.all([scene.start(), scene.start()]);
  const accounts = ['one', 'two', 'three'];
  await Promise.all(
    accounts.map(async (account) => {
      for (let count = 0; count < 40; count++) await scene.upload(account);
    }),
  );
  await scene.untilEmpty();
  const uploads = scene.engine.started.map(({ upload }) => upload);
  expect(uploads).toHaveLength(120);
  expect(new Set(uploads).size).toBe(120);
  await expect
    .poll(() => scene.deps.redis.keys(`${bullPrefix(scene.deps.config.QUEUE_PREFIX, 'inspect')}:fair:entry:*`))
    .toEqual([]);
});

it('a worker that closes returns the tickets that it could not use', async () => {
  const scene = await newScene(['loud']);
  const first = await scene.start();
  for (let count = 0; count < 6; count++) await scene.upload('loud');
  await expect.poll(() => scene.startedOf('loud')).toBe(2);
  const closed = first.close();
  scene.engine.free();
  await closed;
  expect(await scene.deps.queues.stats('inspect')).toMatchObject({ waiting: 4, active: 0 });
  expect(await scene.deps.queues.fair('inspect').repair()).toBe(0);
  const free = setInterval(scene.engine.free, 5);
  onTestFinished(() => clearInterval(free));
  await scene.start();
  await scene.untilEmpty();
  expect(scene.startedOf('loud')).toBe(6);
});

it('documents whose tickets wait in a busy worker are served by an idle one', async () => {
  const scene = await newScene(['loud']);
  await scene.start();
  for (let count = 0; count < 4; count++) await scene.upload('loud');
  await expect.poll(() => scene.startedOf('loud')).toBe(2);
  await scene.start();
  await expect.poll(() => scene.startedOf('loud')).toBe(4);
});

it('tickets without documents end, and lost tickets are added by the sweep', async () => {
  const scene = await newScene();
  await scene.deps.queues.addTickets('inspect', 30);
  for (let count = 0; count < 5; count++) await scene.upload('one');
  await scene.deps.redis.del(`${bullPrefix(scene.deps.config.QUEUE_PREFIX, 'inspect')}:inspect:wait`);
  await scene.start();
  await recoverTickets(scene.deps);
  await scene.untilEmpty();
  expect(scene.startedOf('one')).toBe(5);
});
