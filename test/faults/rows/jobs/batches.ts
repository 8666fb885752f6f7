import { setTimeout as delay } from 'node:timers/promises';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { expectExact, progressOf, sendBatch, submitBatch } from '../../client/batch-requests.ts';
import type { Client } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import type { FailpointName } from '../../harness/failpoints.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const queues = 'docx,docx-batch,inspect,mail,bundle,maintenance';
const env = { WORKER_QUEUES: queues, BATCH_DOCX_CONCURRENCY: '4', BATCH_RENDER_PROCESSES: '1' };

/** Kills a worker in each window in turn; every row is produced, charged and bundled once. */
async function killInEach(h: Harness, rows: number, windows: readonly FailpointName[]): Promise<void> {
  await h.start({ worker: { env } });
  const owner = await h.owner(letter, { credits: rows });
  const [first, ...others] = windows.map((window) => () => h.arm(window, 'kill'));
  let point = first?.();
  const path = await submitBatch(h, owner.client, owner.templateId, { rows });
  for (const armNext of [...others, () => undefined]) {
    await point?.reached();
    // Armed before the worker restarts: the bundle is short and might pass the failpoint first.
    point = armNext();
    await h.startWorker({ env, isAwaited: false });
  }
  await expectExact(h, owner.client, path, rows);
  const isBundle = (name: string): boolean => /(^|\/)\d+\._S3rver_object$/.test(name);
  await until('one bundle', () => h.objectsOf(owner, 'batches').filter(isBundle).length === 1);
  for (const worker of h.workers) await worker.ready();
}

async function untilSucceeded(client: Client, path: string, rows: number): Promise<void> {
  const isReached = async () => ((await progressOf(client, path))?.counts.succeeded ?? 0) >= rows;
  await until(`${Math.round(rows)} rows`, isReached, 600_000, 200);
}

/** Waits until no row is queued or running and nothing is reserved. */
async function untilReleased(h: Harness, { account }: Owner): Promise<void> {
  await until('every row finishes and nothing is reserved', async () => {
    const [row] = await h.query<{ open: number; held: number }>(
      `select (select count(*) from generations where account_id = $1 and status in ('queued', 'running'))::int as open,
        (select sum(docs_held) from allowances where account_id = $1)::int as held`,
      [account.accountId],
    );
    return row?.open === 0 && row.held === 0;
  });
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

export const batchRows: readonly Row[] = [
  {
    id: 'B8',
    title: 'kill -9 in every window of a batch',
    story:
      'SIGKILL of the dispatcher and of workers between any two steps: every row is produced, charged and bundled once',
    set: 'extended',
    run: (h) =>
      killInEach(h, 120, [
        'batch-dispatched-before-data',
        'batch-data-before-job',
        'after-claim',
        'result-stored-before-settle',
        'settled-before-publish',
        'batch-bundling-before-job',
        'bundle-claimed',
        'bundle-stored-before-complete',
        'bundle-completed',
      ]),
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
        await untilSucceeded(client, path, (rows / 6) * (kill + h.random()));
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
      await untilSucceeded(client, path, 100);
      await h.backing.redis.loseEverything();
      await expectExact(h, client, path, 600);
    },
  },
  {
    id: 'B5',
    title: 'kill -9 of the API in every window of an intake',
    story: 'Nothing stays reserved or stored; a retry with the same key gets one batch, produced and charged once',
    async run(h) {
      await h.start({ worker: { env } });
      const { client, templateId } = await h.owner(letter, { credits: 100 });
      const send = () => sendBatch(client, templateId, { rows: 60, key: 'intake' });
      for (const window of ['batch-rows-written', 'batch-ledger-written', 'batch-before-commit'] as const) {
        await h.killIn(window, send);
        await h.startApi();
        expectEqual((await client.quotas()).docs, 100, `the credits after ${window}`);
      }
      const answers = [await send(), await send()];
      expectEqual([answers[0]?.status, answers[1]?.status], [202, 202], 'the answers to one key');
      const paths = answers.map(({ headers }) => headers.get('Location') ?? '');
      expectEqual(paths[0], paths[1], 'the batch of one key');
      h.allowedUnanswered += 60;
      await expectExact(h, client, paths[0] ?? '', 60);
      expectEqual((await client.quotas()).docs, 40, 'the credits left');
    },
  },
  {
    id: 'B6',
    title: 'kill -9 between the end of a batch and the end of its rows',
    story: 'Cancelled, or failed by its limit: the sweep refunds the rest. Retried: all rows again, or none',
    async run(h) {
      await h.start({ worker: { env } });
      const owner = await h.owner(letter, { credits: 3_000 });
      const path = await submitBatch(h, owner.client, owner.templateId, { rows: 1_500 });
      await untilSucceeded(owner.client, path, 20);
      await h.killIn('batch-cancelled', () => owner.client.call('DELETE', path));
      await h.startApi();
      await untilReleased(h, owner);
      expectEqual((await progressOf(owner.client, path))?.status, 'cancelled', 'the batch');

      const failing = await h.owner(buildDocx({ body: paragraph('{canary} {order} {nothing}') }), { credits: 3_000 });
      const { client, account, templateId } = failing;
      const query = 'format=docx&bundle=none&onMissing=error&maxFailures=2';
      const failed = await h.killIn('batch-failed-before-cancel', () =>
        submitBatch(h, client, templateId, { rows: 1_500, query }),
      );
      await h.startWorker({ env });
      await untilReleased(h, failing);
      expectEqual((await progressOf(client, failed))?.status, 'failed', 'the batch with failures');
      const before = await h.statuses(account.accountId);
      expectEqual((await client.quotas()).docs, 3_000, 'its credits');
      await h.killIn('retry-before-commit', () => client.call('POST', `${failed}/retry`));
      await h.startApi();
      await h.expectCharged(failing, before, 3_000);
    },
  },
];
