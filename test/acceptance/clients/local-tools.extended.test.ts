import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { startWebhookReceiver, verified } from '../../support/faults/webhook-receiver.ts';
import { useFolder } from '../../support/folder.ts';
import { cliEnv, runCli, startCli } from './run-cli.ts';

const { newClient, url } = await useService(inject('stack'));
const folder = useFolder();
let client: TestClient;
let templateId: string;

beforeAll(async () => {
  client = await newClient();
  templateId = (await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }))).id;
});

const options = ({ apiKey }: TestClient = client) => ({ cwd: folder.path, env: cliEnv(folder.path, { url, apiKey }) });
const docmill = (line: string) => runCli(line, options());

/** The id of a job that failed because a value is missing. */
async function failedJob(): Promise<string> {
  const request = { data: { other: 1.5 }, output: { format: 'pdf', onMissing: 'error', locale: 'de' } };
  const answer = await client.start(templateId, request);
  const { id } = answer.json<{ id: string }>();
  const state = async () => (await client.call('GET', `/v1/jobs/${id}`)).json();
  await expect.poll(state).toMatchObject({ status: 'failed' });
  return id;
}

describe('reproduce', () => {
  test('writes template and options of a failed document, asks for the data and locates the error', async () => {
    const id = await failedJob();
    const remaining = async () => (await client.quotas()).remaining.total.docs;
    const before = await remaining();
    const asked = await docmill(`reproduce ${id}`);
    expect(asked.exitCode).toBe(1);
    expect(asked.stderr).toMatch(/does not keep the data of doc_[\s\S]*--data <file> --force/);
    expect(folder.list(id)).toEqual(['options.json', 'template.docx']);
    const used = { format: 'pdf', onMissing: 'error', locale: 'de' };
    expect(JSON.parse(folder.text(`${id}/options.json`))).toMatchObject(used);
    const reproduceWith = (data: string) => {
      folder.write('data.json', data);
      return docmill(`reproduce ${id} --data data.json --force`);
    };
    const failed = await reproduceWith('{"other":1.5}');
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toMatch(/The value of \{name\} is missing\.[\s\S]*path: +data\.name/);
    expect(failed.stderr).not.toContain('byte by byte');
    const mended = await reproduceWith('{"name":"Ada"}');
    expect(mended.exitCode, mended.stderr).toBe(0);
    expect(mended.stderr).toContain('is not byte by byte the data of the job');
    expect(folder.text(`${id}/preview.pdf`).slice(0, 5)).toBe('%PDF-');
    expect(await remaining()).toBe(before);
  });

  test('writes the exact data of a row of a batch, for its account only and without its password', async () => {
    const pdf = { password: 'hunter2', permissions: { copying: false } };
    const request = { output: { format: 'pdf', onMissing: 'error', pdf }, bundle: 'none', items: [{ data: { n: 1 } }] };
    const body = Buffer.from(JSON.stringify(request).replace('"n":1', '"n":12345678901234567890.10'));
    const headers = { 'Content-Type': 'application/json' };
    const path = `/v1/templates/${templateId}/batches`;
    const { id } = (await client.call('POST', path, { body, headers })).json<{ id: string }>();
    const items = async () =>
      (await client.call('GET', `/v1/batches/${id}/items?status=failed`)).json<readonly { jobId: string }[]>();
    await expect.poll(items).toHaveLength(1);
    const jobId = (await items())[0]?.jobId ?? '';
    const { exitCode, stderr } = await docmill(`reproduce ${jobId} --output row`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The value of {name} is missing.');
    expect(folder.text('row/data.json')).toBe('{"n":12345678901234567890.10}');
    expect(folder.text('row/options.json')).not.toContain('hunter2');
    const other = await newClient();
    expect((await other.call('GET', `/v1/jobs/${jobId}/request`)).status).toBe(404);
    expect((await runCli(`reproduce ${jobId} --output other`, options(other))).exitCode).toBe(4);
  });
});

test('listen forwards events as the service sends them, verifiable with the printed secret', async () => {
  const [real, local] = [await startWebhookReceiver(), await startWebhookReceiver()];
  onTestFinished(async () => void (await Promise.all([real.close(), local.close()])));
  const json = { url: real.url, events: ['document.succeeded', 'document.failed'] };
  await client.call('POST', '/v1/webhooks', { json });
  await client.generate(templateId, { data: { name: 'before' } });
  await expect.poll(() => real.received).toHaveLength(1);
  const run = startCli(`listen --forward-to ${local.url}/hooks --interval 1`, options());
  await expect.poll(run.stderr).toContain('Ctrl-C ends');
  await client.generate(templateId, { data: { name: 'Ada' } });
  await failedJob();
  // An event is printed once it has been received and answered.
  await expect.poll(run.stdout).toMatch(/document\.failed.*\n/);
  run.interrupt();
  const { exitCode, stdout, stderr } = await run.ended;
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/document\.succeeded {2}evt_[0-9a-z]+ {2}204 {2}\d+ ms\n[\s\S]*document\.failed/);
  const secret = /Secret: (whsec_\S+)/.exec(stderr)?.[1] ?? '';
  expect(local.received).toHaveLength(2);
  await expect.poll(() => real.received).toHaveLength(3);
  const idOf = ({ headers }: (typeof real.received)[number]) => headers['webhook-id'];
  for (const received of local.received) {
    // Webhooks may arrive in another order than their events happened.
    const sent = real.received.find((webhook) => idOf(webhook) === idOf(received));
    expect(received).toMatchObject({ path: '/hooks', body: sent?.body });
    expect(verified(secret, received)).toEqual(JSON.parse(received.body));
  }
});
