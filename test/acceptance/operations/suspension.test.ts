import { expect, inject, onTestFinished, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { address, letter } from '../api/samples.ts';

const { newClient, mailbox, operator } = await useService(inject('stack'));

const statusOf = async (client: TestClient) => (await client.call('GET', '/v1/templates')).status;
const untilStatus = (client: TestClient, status: number) =>
  expect.poll(() => statusOf(client), { interval: 250 }).toBe(status);

test('a suspended account gets 403; what it requested before is finished and sent; then it is resumed', async () => {
  const receiver = await startWebhookReceiver({});
  onTestFinished(() => receiver.close());
  const client = await newClient();
  const template = await client.template('letter.docx', letter('Dear {name}'));
  const webhook = { url: receiver.url, events: ['document.succeeded'] };
  expect((await client.call('POST', '/v1/webhooks', { json: webhook })).status).toBe(201);
  const to = address('suspended');
  const output = { format: 'pdf', email: { to: [to] } };
  const accepted = await client.start(template.id, { data: { name: 'Ada' }, output });
  expect(accepted.status).toBe(202);
  const account = { account: client.accountId };
  const first = await operator.run<{ suspendedAt: string }>('suspend-account', account);
  expect(await operator.run('suspend-account', account)).toEqual(first);
  await untilStatus(client, 403);
  const refused = await client.generate(template.id, { data: { name: 'Bob' } });
  expect(refused.headers.get('Error-Code')).toBe('account_suspended');
  expect(refused.json()).toEqual({
    error: { status: 403, message: 'This account is suspended. Contact the operator of this service.' },
  });
  await expect.poll(async () => (await mailbox.to(to)).length).toBe(1);
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(await operator.run('show-account', account)).toMatchObject(first);
  expect(await operator.run('resume-account', account)).toMatchObject({ suspendedAt: null });
  await untilStatus(client, 200);
  expect((await client.generate(template.id, { data: { name: 'Bob' } })).status).toBe(200);
});
