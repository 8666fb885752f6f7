import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../../support/services/otlp-receiver.ts';
import { useOwnStack } from '../../support/services/own-stack.ts';
import { address, letter } from '../api/samples.ts';

const receiver = await startOtlpReceiver();
const { newClient } = await useOwnStack({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
afterAll(() => receiver.close());
const client = await newClient();
const { id: template } = await client.template('Notice.docx', letter('Dear {name}'));

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = (id: string) => ({ traceparent: `00-${id}-00f067aa0ba902b7-01`, 'X-Request-Id': `of-${id}` });

/** The spans of a trace, as soon as each of these names is among them. */
async function spansOf(id: string, ...names: readonly string[]): Promise<readonly ReceivedSpan[]> {
  const own = () => receiver.spans.filter((span) => span.traceId === id);
  await expect.poll(() => own().map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
  return own();
}

/** The last span of the name, because a busy machine may need a second attempt. */
function lastOf(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.filter((span) => span.name === name).sort((one, other) => one.endMs - other.endMs);
  expect(found, name).not.toEqual([]);
  return found.at(-1) as ReceivedSpan;
}

async function useWebhook(): Promise<void> {
  const hooks = await startWebhookReceiver();
  onTestFinished(() => hooks.close());
  const events = ['document.succeeded', 'batch.completed'];
  const { id } = (await client.call('POST', '/v1/webhooks', { json: { url: hooks.url, events } })).json<{
    id: string;
  }>();
  onTestFinished(async () => {
    await client.call('DELETE', `/v1/webhooks/${id}`);
  });
}

test('a document is one trace, from the request of the client to the e-mail and the webhook', async () => {
  await useWebhook();
  const output = { format: 'pdf', email: { to: [address('traced')] } };
  const answer = await client.generate(template, { data: { name: 'Ada' }, output }, headers(traceId));
  const documentId = answer.headers.get('Document-Id');
  const route = 'POST /v1/templates/:id/generate';
  const work = ['render', 'convert', 'settle', 'send mail', 'send webhook'];
  const later = ['wait pdf', 'process pdf', 'process mail', 'webhook document.succeeded'];
  const spans = await spansOf(traceId, route, ...work, ...later);
  const request = lastOf(spans, route);
  expect(request).toMatchObject({
    kind: 2,
    parentSpanId: '00f067aa0ba902b7',
    service: 'docmill-api',
    hasFailed: false,
  });
  expect(answer.headers.get('traceparent')).toBe(`00-${traceId}-${request.spanId}-01`);
  expect(request.attributes).toMatchObject({
    'http.response.status_code': 200,
    'docmill.document_id': documentId,
    'docmill.request_id': `of-${traceId}`,
  });
  for (const name of ['auth', 'reserve', 'enqueue', 'wait', ...later])
    expect(lastOf(spans, name).parentSpanId, name).toBe(request.spanId);
  const job = lastOf(spans, 'process pdf');
  expect(job).toMatchObject({
    kind: 5,
    service: 'docmill-worker',
    attributes: {
      'messaging.system': 'bullmq',
      'messaging.destination.name': 'pdf',
      'messaging.operation.type': 'process',
      'docmill.pages': 1,
    },
  });
  for (const name of work) expect(lastOf(spans, name).parentSpanId, name).toBe(job.spanId);
  const [render, convert, settle] = ['render', 'convert', 'settle'].map((name) => lastOf(spans, name));
  expect(render?.endMs).toBeLessThanOrEqual((convert?.startMs ?? 0) + 1);
  expect(convert?.endMs).toBeLessThanOrEqual((settle?.startMs ?? 0) + 1);
  const mail = lastOf(spans, 'process mail');
  expect(mail.links).toMatchObject([{ traceId, spanId: lastOf(spans, 'send mail').spanId }]);
  expect(lastOf(spans, 'webhook document.succeeded')).toMatchObject({
    kind: 3,
    attributes: { 'http.response.status_code': 204 },
  });
  expect(JSON.stringify(spans)).not.toMatch(/@|Ada/);
});

test('log lines arrive with their trace', async () => {
  const id = 'a'.repeat(32);
  await client.generate(template, { data: { name: 'Ada' } }, headers(id));
  const own = () => receiver.lines.filter((line) => line.traceId === id);
  const messages = () => own().map(({ body }) => body);
  await expect.poll(() => messages().sort()).toEqual(['job', 'request']);
  expect(own()).toMatchObject([
    { severity: 9, attributes: { requestId: `of-${id}`, outcome: 'succeeded' } },
    { severity: 9, attributes: { requestId: `of-${id}`, outcome: 'succeeded' } },
  ]);
});

test('rows of a batch have traces of their own, linked to the trace of the batch', async () => {
  const id = 'b'.repeat(32);
  const json = { items: [{ data: { name: 'Ada' } }, { data: { name: 'Grace' } }] };
  const answer = await client.call('POST', `/v1/templates/${template}/batches`, { json, headers: headers(id) });
  expect(answer.status).toBe(202);
  const spans = await spansOf(id, 'POST /v1/templates/:id/batches', 'process bundle');
  const { spanId } = lastOf(spans, 'POST /v1/templates/:id/batches');
  const isLinked = ({ links }: ReceivedSpan) => links.some((link) => link.traceId === id && link.spanId === spanId);
  const rows = () => receiver.spans.filter(({ name }) => name === 'process docx-batch').filter(isLinked);
  await expect.poll(() => rows().length).toBe(2);
  expect(new Set([id, ...rows().map((row) => row.traceId)]).size).toBe(3);
});

test('a failed document has a failed span with its error code', async () => {
  const id = 'c'.repeat(32);
  const answer = await client.generate(template, { data: {}, output: { onMissing: 'error' } }, headers(id));
  expect(answer.status).toBe(400);
  const spans = await spansOf(id, 'process docx', 'POST /v1/templates/:id/generate');
  const errorType = { 'error.type': answer.headers.get('Error-Code') };
  expect(lastOf(spans, 'process docx')).toMatchObject({ hasFailed: true, attributes: errorType });
  expect(lastOf(spans, 'POST /v1/templates/:id/generate')).toMatchObject({ hasFailed: false, attributes: errorType });
});

test.each(['refusing', 'hanging'] as const)('documents do not notice a collector that is %s', async (as) => {
  receiver.behave(as);
  const before = receiver.requests();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => client.generate(template, { data: { name: 'Ada' } }, headers('d'.repeat(32)))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await expect.poll(() => receiver.requests()).toBeGreaterThan(before);
  expect((await client.generate(template, { data: { name: 'Ada' } })).status).toBe(200);
  receiver.behave('taking');
});
