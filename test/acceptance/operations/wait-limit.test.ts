import { afterAll, expect, inject, test } from 'vitest';
import { expectProblem, pdfType } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { whilePaused } from '../../support/services/while-paused.ts';
import { letter } from '../api/samples.ts';
import { startApi } from './start-process.ts';

const stack = inject('stack');

const { newClient, operator } = await useService(stack);
const { clientOf } = await useService({ ...stack, url: await startApi({ WAIT_LIMIT_MS: '1000' }, afterAll) });

test('a request that reaches the wait limit gets 504 with its job, whose document is produced and charged once', async () => {
  const client = await newClient({ docs: 5 });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const late = await whilePaused(stack, operator, client.accountId, () =>
    clientOf(client.apiKey).generate(id, { data: { name: 'Ada' }, output: { format: 'pdf' } }),
  );
  const { details = [] } = expectProblem(late, 504, /still being produced/);
  const { jobId } = details[0] as unknown as { readonly jobId: string };
  expect(late.headers.get('Document-Id')).toBe(jobId);
  const read = async () => (await client.call('GET', `/v1/jobs/${jobId}`)).json<{ status: string }>().status;
  await expect.poll(read).toBe('succeeded');
  const content = await client.call('GET', `/v1/jobs/${jobId}/content`);
  expect([content.status, content.headers.get('Content-Type')]).toEqual([200, pdfType]);
  expect(content.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await client.quotas()).remaining.total.docs).toBe(4);
});

test('a queued job can be cancelled; it is refunded and never produced', async () => {
  const client = await newClient({ docs: 5 });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const left = async () => (await client.quotas()).remaining.total.docs;
  const request = async () => (await client.start(id, { data: {} })).json<{ id: string; status: string }>();
  const jobId = await whilePaused(stack, operator, client.accountId, async () => {
    const job = await request();
    expect(job.status).toBe('queued');
    expectProblem(await client.call('GET', `/v1/jobs/${job.id}/content`), 409, /is queued/);
    expect(await left()).toBe(4);
    for (const _again of [1, 2]) expect((await client.call('DELETE', `/v1/jobs/${job.id}`)).status).toBe(204);
    expect(await left()).toBe(5);
    return job.id;
  });
  const next = await request();
  const statusOf = async (job: string) =>
    (await client.call('GET', `/v1/jobs/${job}`)).json<{ status: string }>().status;
  await expect.poll(() => statusOf(next.id)).toBe('succeeded');
  expect(await statusOf(jobId)).toBe('cancelled');
  expectProblem(await client.call('GET', `/v1/jobs/${jobId}/content`), 404, /cancelled/);
  expect((await client.call('GET', '/v1/account/usage')).json()).toMatchObject({
    totals: { documents: 1, cancelled: 1 },
  });
});
