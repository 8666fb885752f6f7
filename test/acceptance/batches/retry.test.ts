import { randomUUID } from 'node:crypto';
import PizZip from 'pizzip';
import { expect, inject, test } from 'vitest';
import { expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { whilePaused } from '../../support/services/while-paused.ts';
import { png } from '../api/pictures.ts';
import { address, letter } from '../api/samples.ts';
import { type Batch, docsLeft, ended, itemsOf, lines, send } from './batch-client.ts';

const stack = inject('stack');
const { newClient, mailbox, operator } = await useService(stack);

test('failed rows are retried once, charged only when they succeed, with their password and e-mail', async () => {
  const client = await newClient({ docs: 5 });
  const { id: templateId } = await client.template('letter.docx', letter('Dear {name}'));
  const path = `/v1/templates/${templateId}/batches`;
  const to = address();
  // A missing value fails the row in each attempt.
  const items = [
    { data: { name: 'Ada' } },
    { data: {}, output: { email: { to: [to] } } },
    { data: { name: 'Cyd' }, output: { email: { to: ['nobody'] } } },
  ];
  const answer = await client.call('POST', path, { json: { items, output: { onMissing: 'error' }, bundle: 'none' } });
  expect(answer.status).toBe(202);
  const { id } = answer.json<Batch>();
  expect(await ended(client, id)).toMatchObject({ status: 'completed', counts: { succeeded: 1, failed: 2 } });
  expect(await docsLeft(client)).toBe(4);
  const before = await itemsOf(client, id);

  const headers = { 'Idempotency-Key': randomUUID() };
  const retry = () => client.call('POST', `/v1/batches/${id}/retry`, { headers });
  const answers = [await retry(), await retry()];
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  const again = await ended(client, id);
  expect(again).toMatchObject({ status: 'completed', rows: 3, counts: { succeeded: 1, failed: 2, queued: 0 } });
  expect(await docsLeft(client)).toBe(4);
  const after = await itemsOf(client, id);
  expect(after.map(({ row }) => row)).toEqual([1, 2, 3]);
  expect(after[0]?.jobId).toBe(before[0]?.jobId);
  expect(after[1]?.jobId).not.toBe(before[1]?.jobId);
  expect(after[2]?.jobId).toBe(before[2]?.jobId);
  expect(after[1]?.error?.details).toEqual(before[1]?.error?.details);
  expect(await mailbox.to(to)).toHaveLength(0);
});

test('a row that lacked a picture succeeds once the picture exists, and is in the new bundle; the others are kept', async () => {
  const client = await newClient({ docs: 5 });
  const { id: templateId } = await client.template('letter.docx', letter('Dear {name} {%photo}'));
  const to = address();
  const rows = ['ada', 'bob'].map((name) => ({ name, photo: { asset: `${name}.png` } }));
  const put = async (name: string) => {
    const body = uploadForm(name, png(4, 4, [200, 0, 0]));
    expect((await client.call('POST', '/v1/assets', { body })).status).toBe(201);
  };
  await put('ada.png');
  const query = `filename={name}&emailTo=${encodeURIComponent(to)}&maxFailures=1`;
  const { id } = (await send(client, `/v1/templates/${templateId}/batches?${query}`, lines(rows))).json<Batch>();
  const path = `/v1/batches/${id}`;
  expect(await ended(client, id)).toMatchObject({ status: 'completed', counts: { succeeded: 1, failed: 1 } });
  const names = async () => Object.keys(new PizZip((await client.call('GET', `${path}/content`)).bytes).files);
  expect(await names()).toEqual(['ada.docx', 'manifest.csv']);
  const [first] = await itemsOf(client, id);

  await put('bob.png');
  await whilePaused(stack, operator, client.accountId, async () => {
    expect((await client.call('POST', `${path}/retry`)).status).toBe(202);
    expectProblem(await client.call('POST', `${path}/retry`), 409, /not ended/);
  });
  expect(await ended(client, id)).toMatchObject({ status: 'completed', counts: { succeeded: 2, failed: 0 } });
  expect(await names()).toEqual(['ada.docx', 'bob.docx', 'manifest.csv']);
  expect((await itemsOf(client, id))[0]).toEqual(first);
  expect(await docsLeft(client)).toBe(3);
  await expect.poll(async () => (await mailbox.to(to)).length).toBe(2);
});

test('a retry of a failed batch leaves out the rows that were cancelled', async () => {
  const client = await newClient({ docs: 500 });
  const { id: templateId } = await client.template('letter.docx', letter('Dear {name}'));
  const rows = [...Array(3).fill({}), ...Array(300).fill({ name: 'Ada' })];
  const query = 'format=pdf&bundle=zip&onMissing=error&maxFailures=2';
  const { id } = (await send(client, `/v1/templates/${templateId}/batches?${query}`, lines(rows))).json<Batch>();
  expect((await ended(client, id)).status).toBe('failed');
  const under = async () => (await client.call('GET', `/v1/batches/${id}`)).json<Batch>().counts;
  const unended = async () => (({ queued, running }) => queued + running)(await under());
  await expect.poll(unended, { timeout: 240_000 }).toBe(0);
  const { succeeded, cancelled } = await under();
  expect(cancelled).toBeGreaterThan(100);
  expect(await docsLeft(client)).toBe(500 - succeeded);
  await whilePaused(stack, operator, client.accountId, async () => {
    expect((await client.call('POST', `/v1/batches/${id}/retry`)).status).toBe(202);
    expect(await docsLeft(client)).toBe(500 - succeeded - 3);
  });
  const again = await ended(client, id);
  expect(again).toMatchObject({ status: 'failed', counts: { queued: 0, running: 0, succeeded, failed: 3, cancelled } });
  expect(await docsLeft(client)).toBe(500 - succeeded);
});

test('a refused retry reports why', async () => {
  const client = await newClient({ docs: 3 });
  const { id: templateId } = await client.template('letter.docx', letter('Dear {name}'));
  const url = `/v1/templates/${templateId}/batches?bundle=none&onMissing=error`;
  const good = (await send(client, url, lines([{ name: 'Ada' }]))).json<Batch>();
  await ended(client, good.id);
  expectProblem(await client.call('POST', `/v1/batches/${good.id}/retry`), 409, /no failed rows/);

  const bad = (await send(client, url, lines([{}, {}]))).json<Batch>();
  await ended(client, bad.id);
  const single = await client.generate(templateId, { data: { name: 'Bob' } });
  expect(single.status).toBe(200);
  expect(await docsLeft(client)).toBe(1);
  expectProblem(await client.call('POST', `/v1/batches/${bad.id}/retry`), 402, /quota/);
  expect((await client.call('GET', `/v1/batches/${bad.id}`)).json()).toMatchObject({
    status: 'completed',
    counts: { failed: 2 },
  });
  expect(await docsLeft(client)).toBe(1);

  const other = await newClient();
  expectProblem(await other.call('POST', `/v1/batches/${bad.id}/retry`), 404, /no batch/);
});
