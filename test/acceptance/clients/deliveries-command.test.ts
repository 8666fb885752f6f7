import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { runCommand } from './cli-process.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);
const folder = mkdtempSync(join(tmpdir(), 'docmill-deliveries-'));
let client: TestClient;
let templateId: string;

beforeAll(async () => {
  client = await newClient();
  templateId = (await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }))).id;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const docmill = (...words: readonly string[]) =>
  runCommand(words, { cwd: folder, env: { DOCMILL_URL: stack.url, DOCMILL_API_KEY: client.apiKey } });

test('deliveries are listed, shown with their recipients, and resent only when they have ended', async () => {
  const output = { email: { to: ['ada@example.com'] } };
  const answer = await client.generate(templateId, { data: { name: 'Ada' }, output });
  const id = answer.headers.get('Email-Delivery-Id') ?? '';
  await expect.poll(async () => (await docmill('deliveries', 'show', id)).stdout).toMatch(/status +sent/);
  expect((await docmill('deliveries', 'show', id)).stdout).toMatch(/ada@example\.com +sent/);
  expect((await docmill('deliveries', 'list', '--status', 'sent')).stdout).toMatch(new RegExp(`\\n${id} +sent +1 +1 `));
  expect(JSON.parse((await docmill('deliveries', 'list', '--status', 'failed', '--json')).stdout)).toEqual([]);
  expect((await docmill('deliveries', 'resend', id, '--dry-run')).stdout).toBe(`${id} sent\n`);
  expect((await docmill('deliveries', 'resend', id)).exitCode).toBe(7);
  expect((await docmill('deliveries', 'show', '../jobs')).exitCode).toBe(4);
});

test('webhooks are listed and tested; their deliveries are listed and repeated', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const json = { url: receiver.url, events: ['document.succeeded'] };
    const { id } = (await client.call('POST', '/v1/webhooks', { json })).json<{ id: string }>();
    expect((await docmill('webhooks', 'list')).stdout).toContain(receiver.url);
    const tested = await docmill('webhooks', 'test', id);
    expect(tested.stdout).toMatch(/^whd_[0-9a-z]{26} delivered: status 204, \d+ ms\n$/);
    const listed = await docmill('webhooks', 'deliveries', id, '--json');
    const [delivery] = JSON.parse(listed.stdout) as readonly { id: string; eventType: string }[];
    expect(delivery?.eventType).toBe('webhook.test');
    expect((await docmill('webhooks', 'redeliver', id, delivery?.id ?? '')).exitCode).toBe(0);
    await expect.poll(() => receiver.received.length).toBe(2);
    expect((await docmill('webhooks', 'deliveries', 'callbacks')).exitCode).toBe(0);
  } finally {
    await receiver.close();
  }
});

test('a job is downloaded when it has ended; one that failed says why', async () => {
  const async = { Prefer: 'respond-async' };
  const { id } = (await client.generate(templateId, { data: { name: 'Ada' } }, async)).json<{ id: string }>();
  const { stdout, stderr } = await docmill('jobs', 'download', id, '--output', 'ada.docx');
  expect(stdout, stderr).toBe('ada.docx\n');
  expect(readFileSync(join(folder, 'ada.docx')).subarray(0, 2).toString()).toBe('PK');
  expect((await docmill('jobs', 'download', id, '--output', 'ada.docx')).exitCode).toBe(2);
  const request = { data: {}, output: { onMissing: 'error' } };
  const failed = (await client.generate(templateId, request, async)).json<{ id: string }>();
  const refused = await docmill('jobs', 'download', failed.id);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('failed: ');
});
