import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { type CliOptions, runCommand } from './cli-process.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);
const folder = mkdtempSync(join(tmpdir(), 'docmill-local-tools-'));
let client: TestClient;
let templateId: string;

beforeAll(async () => {
  client = await newClient();
  templateId = (await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }))).id;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string) => join(folder, name);
const docmill = (words: readonly string[], options: Partial<CliOptions> = {}) =>
  runCommand(words, { cwd: folder, env: { DOCMILL_URL: stack.url, DOCMILL_API_KEY: client.apiKey }, ...options });
const quotas = async () => (await client.quotas()).remaining.total.docs;

/** The id of a job that failed because a value is missing. */
async function failedJob(): Promise<string> {
  const request = { data: { other: 1.5 }, output: { format: 'pdf', onMissing: 'error', locale: 'de' } };
  const answer = await client.generate(templateId, request, { Prefer: 'respond-async' });
  const { id } = answer.json<{ id: string }>();
  await expect
    .poll(async () => (await client.call('GET', `/v1/jobs/${id}`)).json<{ status: string }>().status)
    .toBe('failed');
  return id;
}

describe('reproduce', () => {
  test('a failed document: template and options are written, the data is asked for, the error has its place', async () => {
    const id = await failedJob();
    const before = await quotas();
    const asked = await docmill(['reproduce', id]);
    expect(asked.exitCode).toBe(1);
    expect(asked.stderr).toMatch(/does not keep the data of doc_[\s\S]*--data <file> --force/);
    expect(readdirSync(file(id)).sort()).toEqual(['options.json', 'template.docx']);
    expect(JSON.parse(readFileSync(join(file(id), 'options.json'), 'utf8'))).toMatchObject({
      format: 'pdf',
      onMissing: 'error',
      locale: 'de',
    });
    writeFileSync(file('data.json'), '{"other":1.5}');
    const failed = await docmill(['reproduce', id, '--data', 'data.json', '--force']);
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toContain('The value of {name} is missing.');
    expect(failed.stderr).toMatch(/path: +data\.name/);
    expect(failed.stderr).not.toContain('byte by byte');
    writeFileSync(file('data.json'), '{"name":"Ada"}');
    const mended = await docmill(['reproduce', id, '--data', 'data.json', '--force']);
    expect(mended.exitCode, mended.stderr).toBe(0);
    expect(mended.stderr).toContain('is not byte by byte the data of the job');
    expect(
      readFileSync(join(file(id), 'preview.pdf'))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(await quotas()).toBe(before);
  });

  test('a row of a batch has its data, digit by digit, only for its account and without its password', async () => {
    const json = {
      output: { format: 'pdf', onMissing: 'error', pdf: { password: 'hunter2', permissions: { copying: false } } },
      bundle: 'none',
      items: [{ data: { n: 1 } }],
    };
    const body = Buffer.from(JSON.stringify(json).replace('"n":1', '"n":12345678901234567890.10'));
    const headers = { 'Content-Type': 'application/json' };
    const path = `/v1/templates/${templateId}/batches`;
    const { id } = (await client.call('POST', path, { body, headers })).json<{ id: string }>();
    const items = async () =>
      (await client.call('GET', `/v1/batches/${id}/items?status=failed`)).json<readonly { jobId: string }[]>();
    await expect.poll(async () => (await items()).length).toBe(1);
    const jobId = (await items())[0]?.jobId ?? '';
    const { exitCode, stderr } = await docmill(['reproduce', jobId, '--output', 'row']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The value of {name} is missing.');
    expect(readFileSync(file('row/data.json'), 'utf8')).toBe('{"n":12345678901234567890.10}');
    expect(readFileSync(file('row/options.json'), 'utf8')).not.toContain('hunter2');
    const other = await newClient();
    expect((await other.call('GET', `/v1/jobs/${jobId}/request`)).status).toBe(404);
    const env = { DOCMILL_URL: stack.url, DOCMILL_API_KEY: other.apiKey };
    expect((await docmill(['reproduce', jobId, '--output', 'other'], { env })).exitCode).toBe(4);
  });
});

test('listen forwards events as the service sends them, verifiable with the printed secret', async () => {
  const [real, local] = [await startWebhookReceiver(), await startWebhookReceiver()];
  try {
    const json = { url: real.url, events: ['document.succeeded', 'document.failed'] };
    await client.call('POST', '/v1/webhooks', { json });
    await client.generate(templateId, { data: { name: 'before' } });
    await expect.poll(() => real.received.length).toBe(1);
    let isAsked = false;
    const words = ['listen', '--forward-to', `${local.url}/hooks`, '--interval', '1'];
    const run = docmill(words, {
      onMessage: (child, text) => {
        if (isAsked || !text.includes('Ctrl-C ends')) return;
        isAsked = true;
        void (async () => {
          await client.generate(templateId, { data: { name: 'Ada' } });
          await failedJob();
          await expect.poll(() => local.received.length).toBe(2);
        })().finally(() => child.kill('SIGINT'));
      },
    });
    const { exitCode, stdout, stderr } = await run;
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toMatch(/document\.succeeded {2}evt_[0-9a-z]+ {2}204 {2}\d+ ms\n[\s\S]*document\.failed/);
    const secret = /Secret: (whsec_\S+)/.exec(stderr)?.[1] ?? '';
    for (const [index, { body, headers, path }] of local.received.entries()) {
      expect(path).toBe('/hooks');
      const sent = real.received[index + 1];
      expect({ body, id: headers['webhook-id'] }).toEqual({ body: sent?.body, id: sent?.headers['webhook-id'] });
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    }
  } finally {
    await real.close();
    await local.close();
  }
});

test.each([
  ['guide', '/guide/'],
  ['api', '/docs'],
])('open prints the address of the page %s', async (page, path) => {
  const { exitCode, stdout } = await docmill(['open', page]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${stack.url}${path}\n` });
});
