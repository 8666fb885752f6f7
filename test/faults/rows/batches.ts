import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../harness/client.ts';
import type { FailpointName } from '../harness/failpoints.ts';
import type { Harness } from '../harness/harness.ts';
import { tally } from '../harness/harness.ts';
import { letter } from '../harness/templates.ts';
import { expect, expectEqual, until } from '../harness/until.ts';
import { readOrders } from '../harness/zip-orders.ts';
import type { Row } from '../row.ts';

const lanes = 'docx,docx-batch,inspect,mail,bundle,maintenance';
const env = { WORKER_LANES: lanes, BATCH_DOCX_CONCURRENCY: '4', BATCH_RENDER_PROCESSES: '1' };

interface Progress {
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Orders a batch of letters, each with its number, as NDJSON; answers its path. */
async function order(h: Harness, client: Client, templateId: string, rows: number): Promise<string> {
  const body = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({ canary: client.account.canary, order: `row-${index + 1}` }),
  ).join('\n');
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const path = `/v1/templates/${templateId}/batches?format=docx&bundle=zip&filename=letter-{order}`;
  const answer = await client.call('POST', path, { body, headers });
  expectEqual(answer.status, 202, `the batch (${answer.body.toString().slice(0, 300)})`);
  h.allowedUnanswered += rows;
  return answer.headers.get('Location') ?? '';
}

async function progressOf(client: Client, path: string): Promise<Progress | undefined> {
  const answer = await client.call('GET', path);
  return answer.status === 200 ? (JSON.parse(answer.body.toString()) as Progress) : undefined;
}

/** Every row is made once, charged once, and stands once in the bundle, in its order. */
async function expectExact(h: Harness, client: Client, path: string, rows: number): Promise<void> {
  await until(
    'the batch having completed',
    async () => {
      const progress = await progressOf(client, path);
      if (progress !== undefined) expect(progress.status !== 'failed', `the batch ${JSON.stringify(progress)}`);
      return progress?.status === 'completed';
    },
    600_000,
    500,
  );
  expectEqual(await h.statuses(client.account.accountId), { succeeded: rows }, 'the documents');
  const [ledger] = await h.query<Record<string, number>>(
    `select count(*) filter (where kind = 'reserve')::int as reserved, count(*) filter (where kind = 'settle')::int as settled,
      count(distinct generation_id)::int as documents, count(*)::int as entries from ledger where account_id = $1`,
    [client.account.accountId],
  );
  expectEqual(ledger, { reserved: rows, settled: rows, documents: rows, entries: 2 * rows }, 'the ledger');
  const content = await client.call('GET', `${path}/content`);
  expectEqual(content.status, 200, 'the bundle');
  const orders = await readOrders(content.body, h.folder);
  const expected = Array.from({ length: rows }, (_, index) => `row-${index + 1}`);
  expectEqual(orders.map((one) => one.order).join(), expected.join(), 'the rows in the bundle');
  expectEqual(new Set(orders.map((one) => one.filename)).size, rows, 'names in the bundle');
  expect(
    orders.every(({ canary }) => canary === client.account.canary),
    'the bundle holds what is not its own',
  );
  const { rows: flights } = await h.backing.postgres.pool.query('select 1 from batch_flights where account_id = $1', [
    client.account.accountId,
  ]);
  expectEqual(flights.length, 0, 'rows under way');
}

const windows: readonly FailpointName[] = [
  'batch-dispatched-before-data',
  'batch-data-before-job',
  'after-claim',
  'result-stored-before-settle',
  'settled-before-publish',
  'batch-bundling-before-job',
];

export const batchRows: readonly Row[] = [
  {
    id: 'B1',
    title: 'kill -9 in every window of a batch',
    story:
      'SIGKILL of the dispatcher and of workers between any two steps: every row is made, charged and bundled once',
    isQuick: true,
    async run(h) {
      await h.start({ worker: { env } });
      const { client, templateId } = await h.owner(letter, { credits: 200 });
      const path = await order(h, client, templateId, 120);
      for (const window of windows) {
        const point = h.arm(window, 'kill');
        await point.reached();
        await h.startWorker({ env });
      }
      await expectExact(h, client, path, 120);
    },
  },
  {
    id: 'B2',
    title: 'a batch of 10,000 rows, killed at random five times',
    story: 'SIGKILL of a worker, the API, Redis or PostgreSQL at random moments: the batch ends complete and exact',
    async run(h) {
      const rows = Number(process.env.BATCH_ROWS ?? 10_000);
      await h.start({ worker: { env } });
      await h.startWorker({ env });
      const { client, templateId } = await h.owner(letter, { credits: rows });
      const path = await order(h, client, templateId, rows);
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
    story: 'The rows that were with their lane wait in line again; none is lost, none is charged twice',
    async run(h) {
      await h.start({ worker: { env } });
      const { client, templateId } = await h.owner(letter, { credits: 1_000 });
      const path = await order(h, client, templateId, 600);
      await until('rows', async () => ((await progressOf(client, path))?.counts.succeeded ?? 0) > 100);
      await h.backing.redis.loseEverything();
      await expectExact(h, client, path, 600);
    },
  },
  {
    id: 'B4',
    title: 'more waits than a lane takes',
    story: 'Without a worker: callers get 503 with Retry-After beyond one depth, asynchronous ones beyond their own',
    async run(h) {
      const limits = { QUEUE_DEPTH_LIMIT: '5', QUEUE_DEPTH_LIMIT_ASYNC: '12', WAIT_LIMIT_MS: '20000' };
      const { worker } = await h.start({ api: { env: limits } });
      const { client, templateId } = await h.owner(letter, { credits: 100 });
      await worker.kill();
      const asked = Array.from({ length: 5 }, () => client.generate({ templateId }));
      await delay(1_500);
      const refused = await Promise.all(Array.from({ length: 5 }, () => client.generate({ templateId })));
      expectEqual(tally(refused), { 503: 5 }, 'callers beyond the depth');
      expect(Number(refused[0]?.headers.get('Retry-After')) >= 1, 'no Retry-After');
      const headers = { Prefer: 'respond-async', 'Content-Type': 'application/json' };
      const body = JSON.stringify({ data: { canary: client.account.canary, order: 'later' } });
      const later = await Promise.all(
        Array.from({ length: 12 }, () =>
          client.call('POST', `/v1/templates/${templateId}/generate`, { headers, body }),
        ),
      );
      expectEqual(tally(later), { 202: 7, 503: 5 }, 'callers who come back later');
      h.allowedUnanswered += 7;
      await h.startWorker();
      expectEqual(tally(await Promise.all(asked)), { 200: 5 }, 'those who waited');
      await h.settled();
      expectEqual((await client.quotas()).docs, 88, 'the credits left');
    },
  },
];

/** One process dies at once, and comes back as under an init system. */
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
