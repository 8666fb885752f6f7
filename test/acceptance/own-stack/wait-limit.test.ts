import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem, pdfType } from '../../support/client/api-client.ts';
import { type ServiceUnderTest, useService } from '../../support/client/service-under-test.ts';
import { type LocalStack, type StackLine, startLocalStack } from '../../support/services/local-stack.ts';
import { withoutWorkers } from '../../support/services/without-workers.ts';
import { letter } from '../api/samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'docmill-wait-limit-'));
let stack: LocalStack;
let line: StackLine;
let service: ServiceUnderTest;
beforeAll(async () => {
  stack = startLocalStack({ LOCAL_DIR: folder, PORT: '0', WAIT_LIMIT_MS: '1000' });
  line = await stack.ready;
  service = await useService(line);
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a request that reaches the wait limit gets 504 with its job, whose document is produced and charged once', async () => {
  const client = await service.newClient({ docs: 5 });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const late = await withoutWorkers(line, () =>
    client.generate(id, { data: { name: 'Ada' }, output: { format: 'pdf' } }),
  );
  const { details = [] } = expectProblem(late, 504, /still being produced/);
  const { jobId } = details[0] as unknown as { readonly jobId: string };
  expect(late.headers.get('Document-Id')).toBe(jobId);
  const read = async () => (await client.call('GET', `/v1/jobs/${jobId}`)).json<{ status: string }>().status;
  await expect.poll(read, { timeout: 30_000 }).toBe('succeeded');
  const content = await client.call('GET', `/v1/jobs/${jobId}/content`);
  expect([content.status, content.headers.get('Content-Type')]).toEqual([200, pdfType]);
  expect(content.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await client.quotas()).remaining.total.docs).toBe(4);
});

test('a queued job can be cancelled: it is refunded and never produced', async () => {
  const client = await service.newClient({ docs: 5 });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const left = async () => (await client.quotas()).remaining.total.docs;
  const jobId = await withoutWorkers(line, async () => {
    const answer = await client.generate(id, { data: {} }, { Prefer: 'respond-async' });
    const job = answer.json<{ readonly id: string; readonly status: string }>();
    expect(job.status).toBe('queued');
    expectProblem(await client.call('GET', `/v1/jobs/${job.id}/content`), 409, /is queued/);
    expect(await left()).toBe(4);
    for (const _again of [1, 2]) expect((await client.call('DELETE', `/v1/jobs/${job.id}`)).status).toBe(204);
    expect(await left()).toBe(5);
    return job.id;
  });
  const next = await client.generate(id, { data: {} }, { Prefer: 'respond-async' });
  const { id: nextId } = next.json<{ readonly id: string }>();
  const statusOf = async (job: string) =>
    (await client.call('GET', `/v1/jobs/${job}`)).json<{ status: string }>().status;
  await expect.poll(() => statusOf(nextId), { timeout: 30_000 }).toBe('succeeded');
  expect(await statusOf(jobId)).toBe('cancelled');
  expectProblem(await client.call('GET', `/v1/jobs/${jobId}/content`), 404, /cancelled/);
  expect((await client.call('GET', '/v1/account/usage')).json()).toMatchObject({
    totals: { documents: 1, cancelled: 1 },
  });
});
