import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import {
  type Answer,
  startWebhookReceiver,
  verified,
  type WebhookReceiver,
} from '../../support/faults/webhook-receiver.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
let template: string;
beforeAll(async () => {
  client = await newClient();
  template = (await client.template('Notice.docx', letter('Dear {name}'))).id;
});

interface Webhook {
  readonly id: string;
  readonly kind: string;
  readonly url?: string;
  readonly status: string;
  readonly events: readonly string[];
  readonly secret?: string;
}

interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly url?: string;
  readonly status: string;
  readonly attempts: number;
  readonly response?: { readonly status: number; readonly body: string };
  readonly error?: string;
}

async function useReceiver(answer?: Answer): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(answer === undefined ? {} : { answer });
  onTestFinished(() => receiver.close());
  return receiver;
}

async function newWebhook(url: string, events = ['document.succeeded', 'document.failed'], of: TestClient = client) {
  const answer = await of.call('POST', '/v1/webhooks', { json: { url, events } });
  expect(answer.status, answer.bytes.toString('utf8')).toBe(201);
  const webhook = answer.json<Webhook & { readonly secret: string }>();
  expect(answer.headers.get('Location')).toBe(`/v1/webhooks/${webhook.id}`);
  onTestFinished(async () => {
    await of.call('DELETE', `/v1/webhooks/${webhook.id}`);
  });
  return webhook;
}

const deliveries = async (id: string, query = '', of: TestClient = client): Promise<Delivery[]> =>
  (await of.call('GET', `/v1/webhooks/${id}/deliveries${query}`)).json<Delivery[]>();

async function arrived(receiver: WebhookReceiver, count = 1) {
  await expect.poll(() => receiver.received.length, { interval: 20 }).toBe(count);
  return receiver.received[count - 1] as WebhookReceiver['received'][number];
}

const request = { data: { name: 'Ada' } };

test('a webhook is notified of a document: signed, at once, and without its data', async () => {
  const receiver = await useReceiver();
  const { id, secret } = await newWebhook(receiver.url);
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  await client.generate(template, { ...request, output: { format: 'pdf' } });
  const webhook = await arrived(receiver);
  const event = verified(secret, webhook);
  expect(event).toMatchObject({
    type: 'document.succeeded',
    data: { id: expect.stringMatching(/^doc_/), status: 'succeeded', templateId: template, format: 'pdf', pages: 1 },
  });
  expect(webhook.body).not.toContain('Ada');
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('delivered');
  expect(await deliveries(id)).toMatchObject([
    { eventId: webhook.headers['webhook-id'], eventType: 'document.succeeded', attempts: 1, response: { status: 204 } },
  ]);
  expect((await client.call('GET', `/v1/jobs/${String(event.data.id)}`)).status).toBe(200);
});

test('the callback of a single request is signed with the secret of callbacks', async () => {
  const receiver = await useReceiver();
  const callbackUrl = `${receiver.url}/done?order=7`;
  const answer = await client.start(template, { ...request, callbackUrl });
  expect(answer.status).toBe(202);
  const webhook = await arrived(receiver);
  const callbacks = (await client.call('GET', '/v1/webhooks/callbacks')).json<Webhook>();
  expect(callbacks).toMatchObject({ kind: 'callbacks', status: 'enabled' });
  expect(webhook.path).toBe('/done?order=7');
  expect(verified(callbacks.secret ?? '', webhook).data.id).toBe(answer.json<{ id: string }>().id);
  await expect
    .poll(async () => (await deliveries('callbacks'))[0])
    .toMatchObject({ url: callbackUrl, status: 'delivered' });
  const rotated = (await client.call('POST', '/v1/webhooks/callbacks/rotate-secret')).json<Webhook>();
  await client.generate(template, { ...request, callbackUrl });
  const second = await arrived(receiver, 2);
  for (const each of [callbacks, rotated]) verified(each.secret ?? '', second);
  expect((await client.call('GET', '/v1/webhooks')).json<Webhook[]>().map(({ kind }) => kind)).not.toContain(
    'callbacks',
  );
  expectProblem(await client.call('DELETE', `/v1/webhooks/${callbacks.id}`), 404);
  expectProblem(await client.call('PATCH', '/v1/webhooks/callbacks', { json: { status: 'disabled' } }), 404);
});

test('a test returns the response of the endpoint, and is not retried', async () => {
  const receiver = await useReceiver((_request, response) => void response.writeHead(418).end('I am a teapot'));
  const { id, secret } = await newWebhook(receiver.url, ['quota.warning']);
  const answer = await client.call('POST', `/v1/webhooks/${id}/test`);
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({
    eventType: 'webhook.test',
    status: 'failed',
    attempts: 1,
    response: { status: 418, body: 'I am a teapot' },
    error: 'answered 418',
  });
  expect(verified(secret, await arrived(receiver))).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
});

test('an ended delivery can be redelivered, once for each key', async () => {
  const receiver = await useReceiver();
  const { id, secret } = await newWebhook(receiver.url);
  await client.generate(template, request);
  const first = await arrived(receiver, 1);
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('delivered');
  const [delivery] = await deliveries(id, '?status=delivered&limit=1');
  const path = `/v1/webhooks/${id}/deliveries/${delivery?.id}`;
  expect((await client.call('GET', path)).json()).toMatchObject({ status: 'delivered', attempts: 1 });
  const headers = { 'Idempotency-Key': 'again' };
  expect((await client.call('POST', `${path}/redeliver`, { headers })).status).toBe(202);
  const second = await arrived(receiver, 2);
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  verified(secret, second);
  await client.call('POST', `${path}/redeliver`, { headers });
  await client.generate(template, request);
  await arrived(receiver, 3);
});

test('a change disables and enables a webhook, and it receives the events that it names', async () => {
  const receiver = await useReceiver();
  const { id } = await newWebhook(receiver.url);
  const change = (json: object) => client.call('PATCH', `/v1/webhooks/${id}`, { json });
  expect((await change({ status: 'disabled' })).json()).toMatchObject({ id, status: 'disabled' });
  expectProblem(await client.call('POST', `/v1/webhooks/${id}/test`), 409, /disabled/);
  const enabled = await change({ status: 'enabled', events: ['email.failed'] });
  expect(enabled.json()).toMatchObject({ status: 'enabled', events: ['email.failed'], url: `${receiver.url}/` });
});

test('a secret is shown once', async () => {
  const json = { url: 'https://example.com/hook', events: ['email.failed'], description: 'Für die Buchhaltung' };
  const created = (await client.call('POST', '/v1/webhooks', { json })).json<Webhook>();
  expect((await client.call('GET', `/v1/webhooks/${created.id}`)).json()).toEqual({ ...created, secret: undefined });
  const listed = (await client.call('GET', '/v1/webhooks')).json<Webhook[]>();
  expect(listed.filter(({ id }) => id === created.id)).toHaveLength(1);
  expect(JSON.stringify(listed)).not.toContain('whsec_');
  expect((await client.call('DELETE', `/v1/webhooks/${created.id}`)).status).toBe(204);
});

test('a webhook with an address that is not allowed or an unknown event is rejected', async () => {
  const json = { url: 'HTTP://169.254.169.254/latest/', events: ['document.failed'] };
  expectProblem(await client.call('POST', '/v1/webhooks', { json }), 400, /^url: /);
  const unknown = { url: 'https://example.com/', events: ['document.lost'] };
  expectProblem(await client.call('POST', '/v1/webhooks', { json: unknown }), 400, /^events\[0\]/);
});

test('a callback address that is not allowed is rejected, and nothing is charged', async () => {
  const before = await client.quotas();
  for (const callbackUrl of ['http://10.0.0.1/', 'x', 'https://[64:ff9b::a00:1]/', 7]) {
    const { details } = expectProblem(await client.generate(template, { ...request, callbackUrl }), 400);
    expect(details?.[0]?.path).toBe('callbackUrl');
  }
  expect(await client.quotas()).toEqual(before);
});

test('deliveries of another account are not found', async () => {
  const receiver = await useReceiver();
  const { id } = await newWebhook(receiver.url);
  await client.call('POST', `/v1/webhooks/${id}/test`);
  const [delivery] = await deliveries(id);
  const otherClient = await newClient();
  const own = await newWebhook(receiver.url, ['email.failed'], otherClient);
  for (const [method, path] of [
    ['GET', `${id}/deliveries/${delivery?.id}`],
    ['POST', `${id}/deliveries/${delivery?.id}/redeliver`],
    ['POST', `${own.id}/deliveries/${delivery?.id}/redeliver`],
  ] as const) {
    expectProblem(await otherClient.call(method, `/v1/webhooks/${path}`), 404);
  }
});
