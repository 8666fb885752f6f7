import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { address, letter } from './samples.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);
let client: TestClient;
let template: string;
beforeAll(async () => {
  client = await newClient();
  template = (await client.template('Notice.docx', letter('Dear {name}'))).id;
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
let count = 0;
const newRequestId = (): string => `client-${process.pid}-${Date.now()}-${++count}`;

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

/** The log lines of all processes with this request id, as soon as each of the messages is among them. */
async function linesOf(requestId: string, ...messages: readonly string[]): Promise<readonly Line[]> {
  const folder = join(dirname(stack.mailDir), 'logs');
  const read = async (): Promise<readonly Line[]> => {
    const names = (await readdir(folder)).filter((name) => /^(api|worker-\d+)\.log/.test(name));
    const logs = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    // A line without its end is still being written.
    const whole = logs.flatMap((log) => log.split('\n').slice(0, -1));
    return whole.filter((line) => line.includes(`"${requestId}"`)).map((line) => JSON.parse(line) as Line);
  };
  let lines: readonly Line[] = [];
  const seen = async () => {
    lines = await read();
    return lines.map(({ msg, queue }) => (typeof queue === 'string' ? `${msg} ${queue}` : msg));
  };
  await expect.poll(seen).toEqual(expect.arrayContaining([...messages]));
  return lines;
}

async function useWebhook(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const events = ['document.succeeded', 'document.failed', 'batch.completed', 'email.failed'];
  const answer = await client.call('POST', '/v1/webhooks', { json: { url: receiver.url, events } });
  expect(answer.status).toBe(201);
  onTestFinished(async () => {
    await client.call('DELETE', `/v1/webhooks/${answer.json<{ id: string }>().id}`);
  });
  return receiver;
}

test('invalid HTTP gets an id of its own, which is in the logs', async () => {
  const connection = await connectRaw(stack.url);
  await connection.send('GET /v1 HTTP/1.1\r\nBad Header: x\r\n\r\n');
  const id = (await connection.answer()).headers.get('X-Request-Id') ?? '';
  expect(id).toMatch(/^req_\w{26}$/);
  expect(await linesOf(id, 'request')).toMatchObject([{ status: 400, outcome: 'rejected' }]);
});

describe('a request id', () => {
  test('follows its document to the job, the logs of every process, the webhook and the e-mail', async () => {
    const receiver = await useWebhook();
    const requestId = newRequestId();
    const headers = { 'X-Request-Id': requestId, traceparent, tracestate: 'rojo=1' };
    const output = { format: 'pdf', email: { to: [address('follows')] } };
    const answer = await client.generate(template, { data: { name: 'Ada' }, output }, headers);
    expect(answer.status).toBe(200);
    const documentId = answer.headers.get('Document-Id');
    const job = (await client.call('GET', `/v1/jobs/${documentId}`)).json();
    expect(job).toMatchObject({ id: documentId, requestId });
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(receiver.received[0]?.headers).toMatchObject({
      'x-request-id': requestId,
      traceparent,
      tracestate: 'rojo=1',
    });
    const lines = await linesOf(requestId, 'request', 'job pdf', 'job mail', 'webhook attempt webhook');
    const shared = { requestId, traceId, documentId, accountId: client.accountId };
    const ofDocument = { ...shared, keyId: client.keyId, templateId: template, templateVersion: 1, pages: 1 };
    const bytes = answer.bytes.length;
    const [number, outcome] = [expect.any(Number), 'succeeded'];
    expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([
      { ...ofDocument, method: 'POST', status: 200, outcome, bytes, stages: { auth: number, wait: number } },
    ]);
    expect(lines.filter(({ queue }) => queue === 'pdf')).toMatchObject([
      {
        ...ofDocument,
        msg: 'job',
        outcome,
        bytes,
        attempt: 1,
        queueMs: number,
        stages: { claim: number, settle: number },
      },
    ]);
    expect(lines.filter(({ queue }) => queue === 'mail')).toMatchObject([
      { ...shared, msg: 'job', outcome: 'succeeded', deliveryId: answer.headers.get('Email-Delivery-Id') },
    ]);
    expect(lines.filter(({ queue }) => queue === 'webhook')).toMatchObject([
      { ...shared, msg: 'webhook attempt', outcome: 'succeeded', eventType: 'document.succeeded' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/@|Ada/);
  });

  test('follows a failed document, with the code of the error', async () => {
    const receiver = await useWebhook();
    const requestId = newRequestId();
    const headers = { 'X-Request-Id': requestId };
    const request = { data: {}, output: { onMissing: 'error' } };
    const answer = await client.generate(template, request, headers);
    const errorCode = answer.headers.get('Error-Code');
    expect([answer.status, answer.headers.get('X-Request-Id')]).toEqual([400, requestId]);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(receiver.received[0]?.headers['x-request-id']).toBe(requestId);
    expect(receiver.received[0]?.headers.traceparent).toBeUndefined();
    const lines = await linesOf(requestId, 'request', 'job docx');
    const documentId = answer.headers.get('Document-Id');
    expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([
      { outcome: 'rejected', errorCode, documentId },
    ]);
    expect(lines.filter(({ queue }) => queue === 'docx')).toMatchObject([{ outcome: 'failed', errorCode, documentId }]);
  });

  test('stays with a repeated request, whose log line names the document of the first', async () => {
    const [first, second] = [newRequestId(), newRequestId()];
    const send = (id: string) =>
      client.generate(template, { data: { name: 'Ada' } }, { 'Idempotency-Key': first, 'X-Request-Id': id });
    const documentId = (await send(first)).headers.get('Document-Id');
    expect((await send(second)).headers.get('X-Request-Id')).toBe(second);
    expect((await client.call('GET', `/v1/jobs/${documentId}`)).json()).toMatchObject({ requestId: first });
    expect(await linesOf(second, 'request')).toMatchObject([{ documentId, outcome: 'succeeded' }]);
  });

  test('follows an upload to its inspection', async () => {
    const requestId = newRequestId();
    await client.upload('Other.docx', letter('{x}'), { 'X-Request-Id': requestId });
    const lines = await linesOf(requestId, 'request', 'job inspect');
    expect(lines.filter(({ queue }) => queue === 'inspect')).toMatchObject([
      { msg: 'job', outcome: 'succeeded', accountId: client.accountId },
    ]);
  });

  test('follows a batch to its rows, its bundle and its webhooks', async () => {
    const receiver = await useWebhook();
    const requestId = newRequestId();
    const headers = { 'X-Request-Id': requestId, traceparent };
    const json = { items: [{ data: { name: 'Ada' } }, { data: { name: 'Grace' } }] };
    const answer = await client.call('POST', `/v1/templates/${template}/batches`, { json, headers });
    expect(answer.status, answer.bytes.toString()).toBe(202);
    const { id: batchId } = answer.json<{ id: string }>();
    expect(answer.json()).toMatchObject({ requestId });
    await expect.poll(() => receiver.received.length).toBe(3);
    expect(receiver.received.map((webhook) => webhook.headers['x-request-id'])).toEqual(Array(3).fill(requestId));
    const lines = await linesOf(requestId, 'request', 'job docx-batch', 'job bundle', 'webhook attempt webhook');
    expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([{ batchId, templateId: template }]);
    expect(lines.filter(({ queue }) => queue === 'docx-batch')).toMatchObject([
      { batchId, outcome: 'succeeded', traceId },
      { batchId, outcome: 'succeeded', traceId },
    ]);
    expect(lines.filter(({ queue }) => queue === 'bundle')).toMatchObject([{ batchId, outcome: 'succeeded' }]);
    const rows = (await client.call('GET', `/v1/batches/${batchId}/items`)).json<{ jobId: string }[]>();
    expect((await client.call('GET', `/v1/jobs/${rows[0]?.jobId}`)).json()).toMatchObject({ requestId });
  });
});
