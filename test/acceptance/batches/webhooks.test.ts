import { expect, inject, onTestFinished, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { startWebhookReceiver, verified } from '../../support/faults/webhook-receiver.ts';
import { letter } from '../api/samples.ts';
import { type Batch, ended, lines, send } from './batch-client.ts';

const { newClient } = await useService(inject('stack'));

test('the webhook and the callback are notified of the end of each run of a batch, but not of a cancelled one', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const client = await newClient({ docs: 500 });
  const { id: templateId } = await client.template('letter.docx', letter('Dear {name}'));
  const hook = { url: `${receiver.url}/hook`, events: ['batch.completed'] };
  const { secret } = (await client.call('POST', '/v1/webhooks', { json: hook })).json<{ secret: string }>();
  const create = async (rows: readonly unknown[], query = '') => {
    const callback = encodeURIComponent(`${receiver.url}/callback`);
    const path = `/v1/templates/${templateId}/batches?bundle=none&onMissing=error&callbackUrl=${callback}${query}`;
    return (await send(client, path, lines(rows))).json<Batch>().id;
  };
  const receivedAfter = async (count: number) => {
    await expect.poll(() => receiver.received.length).toBe(count);
    const last = receiver.received.slice(-2).sort((a, b) => a.path.localeCompare(b.path));
    expect(last.map(({ path }) => path)).toEqual(['/callback', '/hook']);
    const callbacks = (await client.call('GET', '/v1/webhooks/callbacks')).json<{ secret: string }>();
    const events = last.map((webhook, index) => verified(index === 0 ? callbacks.secret : secret, webhook));
    expect(events[0]).toEqual(events[1]);
    return events[0];
  };

  const cancelled = await create(Array(200).fill({ name: 'Ada' }), '&format=pdf');
  expect((await client.call('DELETE', `/v1/batches/${cancelled}`)).status).toBe(200);
  const id = await create([{ name: 'Ada' }, {}]);
  const counts = { succeeded: 1, failed: 1, cancelled: 0 };
  expect(await receivedAfter(2)).toMatchObject({
    type: 'batch.completed',
    data: { id, status: 'completed', rows: 2, counts },
  });
  await ended(client, id);
  expect((await client.call('POST', `/v1/batches/${id}/retry`)).status).toBe(202);
  expect(await receivedAfter(4)).toMatchObject({ data: { id, status: 'completed', counts } });

  const failing = await create([{}, {}, {}, {}], '&maxFailures=1');
  expect(await receivedAfter(6)).toMatchObject({
    data: { id: failing, status: 'failed', error: expect.stringMatching(/maxFailures/) },
  });
});
