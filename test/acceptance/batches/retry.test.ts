import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/api-client.ts';
import { useService } from '../../support/service-under-test.ts';
import { address, letter } from '../api/samples.ts';
import { type Batch, docsLeft, ended, itemsOf, lines, send } from './batch-client.ts';

const { newClient, mailbox } = await useService(inject('stack'));

test('failed rows are made again, once, charged only when they succeed, with their password and e-mail', async () => {
  const client = await newClient({ docs: 5 });
  const { id: templateId } = await client.template('letter.docx', letter('Dear {name}'));
  const path = `/v1/templates/${templateId}/batches`;
  const to = address();
  // A value that is missing fails a row each time it is made.
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

test('what cannot be retried says why', async () => {
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
