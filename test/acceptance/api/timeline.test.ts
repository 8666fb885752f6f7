import { expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { address, letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));

type Entry = Readonly<Record<'step' | 'status' | 'startedAt' | 'message', string>>;

test('the timeline of a document has its stages, its e-mail and its webhooks', async () => {
  const client = await newClient({ docs: 10 });
  const { id } = await client.template('a.docx', letter('Dear {name}'));
  const webhook = await client.call('POST', '/v1/webhooks', {
    json: { url: 'https://docmill.invalid/hook', events: ['document.succeeded', 'document.failed'] },
  });
  const webhookId = webhook.json<{ id: string }>().id;
  const output = { format: 'pdf', email: { to: [address()] } };
  const made = await client.generate(id, { data: { name: 'Ada' }, output });
  expect(made.status).toBe(200);
  const jobId = made.headers.get('Document-Id') ?? '';
  const read = async (job = jobId) => (await client.call('GET', `/v1/jobs/${job}/timeline`)).json<Entry[]>();
  const emailStatus = async () => (await read()).find(({ step }) => step === 'email')?.status;
  await expect.poll(emailStatus, { interval: 250 }).toBe('succeeded');
  const entries = await read();
  expect(entries.map(({ startedAt }) => startedAt)).toEqual(entries.map(({ startedAt }) => startedAt).toSorted());
  expect(entries.map(({ step }) => step).toSorted()).toEqual([
    'convert',
    'email',
    'finish',
    'queue',
    'render',
    'webhook',
  ]);
  const of = (step: string) => entries.find((entry) => entry.step === step);
  for (const step of ['queue', 'render', 'convert', 'finish'])
    expect(of(step)).toMatchObject({ status: 'succeeded', finishedAt: expect.any(String) });
  expect(of('email')).toMatchObject({ attempts: 1, deliveryId: made.headers.get('Email-Delivery-Id') });
  expect(of('webhook')).toMatchObject({
    webhookId,
    eventType: 'document.succeeded',
    deliveryId: expect.stringMatching(/^whd_/),
  });
  const failed = await client.generate(id, { data: {}, output: { onMissing: 'error' } });
  const failure = await read(failed.headers.get('Document-Id') ?? '');
  expect(failure.find(({ status }) => status === 'failed')?.message).toMatch(/\S/);
  expect(failure.find(({ step }) => step === 'webhook')).toMatchObject({ eventType: 'document.failed' });
  const other = await newClient();
  expectProblem(await other.call('GET', `/v1/jobs/${jobId}/timeline`), 404);
});
