import { setTimeout as delay } from 'node:timers/promises';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { expectExact, progressOf, sendBatch, submitBatch } from '../../client/batch-requests.ts';
import type { Client } from '../../client/client.ts';
import { items, letter, list } from '../../client/templates.ts';
import type { FailpointName } from '../../harness/failpoints.ts';
import type { Harness } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const queues = 'docx,docx-batch,inspect,mail,bundle,maintenance';
const env = { WORKER_QUEUES: queues, BATCH_DOCX_CONCURRENCY: '4', BATCH_RENDER_PROCESSES: '1' };
const convertTimeoutMs = 3_000;
const pdfEnv = {
  WORKER_QUEUES: 'docx,pdf,docx-batch,pdf-batch,inspect,mail,bundle,maintenance',
  BATCH_OFFICE_SLOTS: '2',
  CONVERT_TIMEOUT_MS: String(convertTimeoutMs),
};
const goodRows = 60;

const intakeWindows: readonly FailpointName[] = ['batch-rows-written', 'batch-ledger-written', 'batch-before-commit'];

const unfillable = buildDocx({ body: paragraph('{canary} {order} {nothing}') });

/** Kills the API at a failpoint during `call` and restarts it. */
async function killApiIn(h: Harness, window: FailpointName, call: () => Promise<unknown>): Promise<void> {
  const point = h.arm(window, 'kill');
  const pending = call();
  await point.reached();
  await pending;
  await h.startApi();
}

/** Waits until no row is queued or running and nothing is reserved. */
async function untilGivenBack(h: Harness, { account }: Client): Promise<void> {
  await until('every row finishes and nothing is reserved', async () => {
    const [row] = await h.query<{ open: number; held: number }>(
      `select (select count(*) from generations where account_id = $1 and status in ('queued', 'running'))::int as open,
        (select sum(docs_held) from allowances where account_id = $1)::int as held`,
      [account.accountId],
    );
    return row?.open === 0 && row.held === 0;
  });
}

/** Seconds from the start of the first row to the end of the last. */
async function secondsOf(h: Harness, { account }: Client): Promise<number> {
  const [row] = await h.query<{ seconds: number }>(
    `select extract(epoch from max(finished_at) - min(started_at))::float as seconds from generations
      where account_id = $1 and batch_id is not null`,
    [account.accountId],
  );
  return row?.seconds ?? Number.NaN;
}

/** Rows that LibreOffice cannot finish, all different so that none is quarantined before it runs. */
async function submitEndless(h: Harness, rows: number): Promise<Client> {
  const { client, templateId } = await h.owner(list, { credits: rows });
  const data = { canary: client.account.canary, order: '', items: items(20_000) };
  const body = Array.from({ length: rows }, (_, index) => JSON.stringify({ ...data, order: `row-${index}` })).join(
    '\n',
  );
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const path = `/v1/templates/${templateId}/batches?format=pdf&bundle=none`;
  expectEqual((await client.call('POST', path, { body, headers })).status, 202, 'the batch that never ends');
  h.allowedUnanswered += rows;
  return client;
}

/** How long the good rows of a new account take beside the batch that `beside` submits. */
async function goodBeside(h: Harness, beside: () => Promise<Client | undefined>): Promise<number> {
  const neighbour = await beside();
  if (neighbour !== undefined) {
    await until('the neighbour having begun', async () => 'running' in (await h.statuses(neighbour.account.accountId)));
  }
  const { client, templateId } = await h.owner(letter, { credits: goodRows });
  const query = 'format=pdf&bundle=none&filename=letter-{order}';
  const path = await submitBatch(h, client, templateId, { rows: goodRows, query });
  await until(
    'the good rows having ended',
    async () => (await progressOf(client, path))?.status === 'completed',
    180_000,
    100,
  );
  expectEqual(await h.statuses(client.account.accountId), { succeeded: goodRows }, 'the good rows');
  if (neighbour !== undefined) await cancelAll(h, neighbour);
  return secondsOf(h, client);
}

async function cancelAll(h: Harness, client: Client): Promise<void> {
  const answer = await client.call('GET', '/v1/batches');
  for (const { id } of JSON.parse(answer.body.toString()) as { id: string }[]) {
    await client.call('DELETE', `/v1/batches/${id}`);
  }
  await untilGivenBack(h, client);
}

export const batchEndRows: readonly Row[] = [
  {
    id: 'B5',
    title: 'kill -9 of the API in every window of an intake',
    story: 'Nothing stays reserved or stored; a retry with the same key gets one batch, produced and charged once',
    async run(h) {
      await h.start({ worker: { env } });
      const { client, templateId } = await h.owner(letter, { credits: 100 });
      const send = () => sendBatch(client, templateId, { rows: 60, key: 'intake' });
      for (const window of intakeWindows) {
        await killApiIn(h, window, send);
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
      await h.start({ worker: { env: { ...env, RENDER_TIMEOUT_MS: '4000' } } });
      const { client, templateId } = await h.owner(letter, { credits: 3_000 });
      const path = await submitBatch(h, client, templateId, { rows: 1_500 });
      await until('rows', async () => ((await progressOf(client, path))?.counts.succeeded ?? 0) > 20);
      await killApiIn(h, 'batch-cancelled', () => client.call('DELETE', path));
      await untilGivenBack(h, client);
      expectEqual((await progressOf(client, path))?.status, 'cancelled', 'the batch');

      const strict = `format=docx&bundle=none&onMissing=error&maxFailures=2`;
      const failing = await h.owner(unfillable, { credits: 3_000 });
      const point = h.arm('batch-failed-before-cancel', 'kill');
      const failed = await submitBatch(h, failing.client, failing.templateId, { rows: 1_500, query: strict });
      await point.reached();
      await h.startWorker({ env });
      await untilGivenBack(h, failing.client);
      expectEqual((await progressOf(failing.client, failed))?.status, 'failed', 'the batch with failures');
      expectEqual((await failing.client.quotas()).docs, 3_000, 'its credits');

      const before = await h.statuses(failing.client.account.accountId);
      await killApiIn(h, 'retry-before-commit', () => failing.client.call('POST', `${failed}/retry`));
      expectEqual(await h.statuses(failing.client.account.accountId), before, 'the rows after a retry that died');
      expectEqual((await failing.client.quotas()).docs, 3_000, 'the credits after it');
    },
  },
  {
    id: 'B7',
    title: 'rows that LibreOffice cannot finish, beside rows of another account',
    story:
      'Each occupies a slot until its time limit, twice; the rows of the other account take no longer than beside good rows',
    async run(h) {
      await h.start({ worker: { env: pdfEnv } });
      await goodBeside(h, async () => undefined);
      const alone = await goodBeside(h, async () => undefined);
      const besideGood = await goodBeside(h, async () => {
        const { client, templateId } = await h.owner(letter, { credits: 2_000 });
        await submitBatch(h, client, templateId, { rows: 2_000, query: 'format=pdf&bundle=none' });
        return client;
      });
      await delay(1_000);
      const besideEndless = await goodBeside(h, () => submitEndless(h, 30));
      const took = `${goodRows} rows took ${alone.toFixed(1)} s alone, ${besideGood.toFixed(1)} s beside good rows, ${besideEndless.toFixed(1)} s beside endless ones`;
      process.stdout.write(`     ${took}\n`);
      expect(besideEndless <= besideGood * 1.5 + (2 * convertTimeoutMs) / 1_000, took);
    },
  },
];
