import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '../../../../src/shared/logger.ts';
import { createQueues } from '../../../../src/shared/queue/queues.ts';
import { expectExact, progressOf, submitBatch } from '../../client/batch-requests.ts';
import { letter } from '../../client/templates.ts';
import type { FailpointName } from '../../harness/failpoints.ts';
import type { Harness } from '../../harness/harness.ts';
import { tally } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const queues = 'docx,docx-batch,inspect,mail,bundle,maintenance';
const env = { WORKER_QUEUES: queues, BATCH_DOCX_CONCURRENCY: '4', BATCH_RENDER_PROCESSES: '1' };

const windows: readonly [FailpointName, ...FailpointName[]] = [
  'batch-dispatched-before-data',
  'batch-data-before-job',
  'after-claim',
  'result-stored-before-settle',
  'settled-before-publish',
  'batch-bundling-before-job',
  'bundle-claimed',
  'bundle-stored-before-complete',
  'bundle-completed',
];

export const batchRows: readonly Row[] = [
  {
    id: 'B1',
    title: 'kill -9 in every window of a batch',
    story:
      'SIGKILL of the dispatcher and of workers between any two steps: every row is produced, charged and bundled once',
    isQuick: true,
    async run(h) {
      await h.start({ worker: { env } });
      const { client, templateId } = await h.owner(letter, { credits: 200 });
      const path = await submitBatch(h, client, templateId, { rows: 120 });
      const [first, ...others] = windows;
      let point = h.arm(first, 'kill');
      for (const next of others) {
        await point.reached();
        // Armed before the worker restarts: the bundle is short and might pass the failpoint first.
        point = h.arm(next, 'kill');
        await h.startWorker({ env, isAwaited: false });
      }
      await point.reached();
      await h.startWorker({ env });
      await expectExact(h, client, path, 120);
      await until('one bundle', async () => (await bundlesOf(h, client.account.accountId)) === 1);
    },
  },
  {
    id: 'B2',
    title: 'a batch of 10,000 rows, killed at random five times',
    story: 'SIGKILL of a worker, the API, Redis or PostgreSQL at random times: the batch completes exactly',
    async run(h) {
      const rows = Number(process.env.BATCH_ROWS ?? 10_000);
      await h.start({ worker: { env } });
      await h.startWorker({ env });
      const { client, templateId } = await h.owner(letter, { credits: rows });
      const path = await submitBatch(h, client, templateId, { rows });
      for (let kill = 0; kill < 5; kill++) {
        const mark = (rows / 6) * (kill + h.random());
        await until(
          `${Math.round(mark)} rows`,
          async () => ((await progressOf(client, path))?.counts.succeeded ?? 0) >= mark,
          600_000,
          200,
        );
        await delay(h.random() * 1_000);
        await killSomething(h);
      }
      await expectExact(h, client, path, rows);
    },
  },
  {
    id: 'B3',
    title: 'Redis loses everything in the middle of a batch',
    story: 'The rows in the queues wait in PostgreSQL again; none is lost, none is charged twice',
    async run(h) {
      await h.start({ worker: { env } });
      const { client, templateId } = await h.owner(letter, { credits: 1_000 });
      const path = await submitBatch(h, client, templateId, { rows: 600 });
      await until('rows', async () => ((await progressOf(client, path))?.counts.succeeded ?? 0) > 100);
      await h.backing.redis.loseEverything();
      await expectExact(h, client, path, 600);
    },
  },
  {
    id: 'B4',
    title: 'more jobs than a queue accepts',
    story:
      'Without a worker: waiting callers get 503 with Retry-After beyond one depth, asynchronous callers beyond another',
    isQuick: true,
    async run(h) {
      const limits = { QUEUE_DEPTH_LIMIT: '5', QUEUE_DEPTH_LIMIT_ASYNC: '12', WAIT_LIMIT_MS: '60000' };
      const { worker } = await h.start({ api: { env: limits } });
      const { client, templateId } = await h.owner(letter, { credits: 100 });
      await worker.kill();
      const queues = createQueues(h.backing.redis.client, h.prefix, createLogger('silent', 'faults'));
      const pending = Array.from({ length: 5 }, () => client.generate({ templateId }));
      await until('five that wait', async () => (await queues.countWaiting('docx')) === 5);
      await queues.close();
      // The API refreshes its snapshot of the queue every second.
      await delay(1_100);
      const refused = await Promise.all(Array.from({ length: 5 }, () => client.generate({ templateId })));
      expectEqual(tally(refused), { 503: 5 }, 'callers beyond the depth');
      expect(Number(refused[0]?.headers.get('Retry-After')) >= 1, 'no Retry-After');
      const headers = { Prefer: 'respond-async', 'Content-Type': 'application/json' };
      const body = JSON.stringify({ data: { canary: client.account.canary, order: 'later' } });
      const askLater = () => client.call('POST', `/v1/templates/${templateId}/generate`, { headers, body });
      const later = [];
      for (let order = 0; order < 14; order++) later.push(await askLater());
      const { 202: accepted = 0, 503: rejected = 0 } = tally(later);
      expectEqual(accepted + rejected, 14, 'answers 202 or 503 to later callers');
      // A job added just after a snapshot is not counted by the next caller.
      expect(accepted >= 7 && accepted <= 9, `${accepted} later requests were accepted`);
      h.allowedUnanswered += accepted;
      await h.startWorker();
      expectEqual(tally(await Promise.all(pending)), { 200: 5 }, 'those who waited');
      await h.settled();
      expectEqual((await client.quotas()).docs, 95 - accepted, 'the credits left');
    },
  },
];

/** Files of bundles in the store; the sweep deletes those of dead attempts. */
async function bundlesOf(h: Harness, accountId: string): Promise<number> {
  const folder = join(h.backing.s3.objectsFolder, 'batches', accountId);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile() && /^\d+\._S3rver_object$/.test(file.name)).length;
}

/** Kills one process and restarts it, as an init system does. */
async function killSomething(h: Harness): Promise<void> {
  const kind = Math.floor(h.random() * 5);
  if (kind === 0) {
    await h.api.kill();
    await h.startApi();
  } else if (kind === 1) h.backing.redis.signal('SIGKILL');
  else if (kind === 2) h.backing.postgres.signal('SIGQUIT');
  else {
    await h.workers[Math.floor(h.random() * h.workers.length)]?.kill();
    await h.startWorker({ env });
  }
}
