import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { png } from '../api/pictures.ts';

interface Sample {
  readonly label: string;
  readonly source: string;
}

const { anonymous, newClient, url } = await useService(inject('stack'));
const samples = new Map<string, readonly Sample[]>();
const receiver = createServer((_, response) => response.writeHead(204).end());
let folder = '';

beforeAll(async () => {
  const { paths } = (await anonymous.call('GET', '/openapi.json')).json<{
    paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': readonly Sample[] }>>;
  }>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    samples.set(operation.operationId, operation['x-codeSamples']);
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  folder = mkdtempSync(join(tmpdir(), 'docmill-samples-'));
  const template = paragraph('Dear {customer.name}') + paragraph('{#items}{name}: {amount}{/items}');
  writeFileSync(join(folder, 'invoice.docx'), buildDocx({ body: template }));
  writeFileSync(join(folder, 'logo.png'), png(4, 4, [200, 30, 30]));
  writeFileSync(join(folder, 'acme-sans-bold.ttf'), buildFont());
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('node_modules/@types'), join(folder, 'node_modules/@types'));
});

afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const programs: Readonly<Record<string, (source: string) => readonly [program: string, ...args: string[]]>> = {
  curl: (source) => ['bash', '--norc', '-ec', source],
  Python: (source) => ['/usr/bin/python3', '-c', source],
  TypeScript(source) {
    const file = join(folder, 'sample.mts');
    writeFileSync(file, source);
    return [process.execPath, '--import', resolve('node_modules/tsx/dist/loader.mjs'), file];
  },
};

/** Runs the samples of a language; `ids` are the ids that replace those of the example, by prefix. */
async function createRunner(language: string) {
  const client = await newClient({ docs: 1_000, templates: 10 });
  const ids = new Map<string, string>();
  const called = new Set<string>();
  const run = async (operationId: string): Promise<string> => {
    called.add(operationId);
    const sample = samples.get(operationId)?.find(({ label }) => label === language);
    const port = (receiver.address() as AddressInfo).port;
    const source = (sample?.source ?? 'exit 1')
      .replace(/\b([a-z]{3})_01hx5s3k2v9m8q7r6t5w4y3z2a/g, (id, prefix: string) => ids.get(prefix) ?? id)
      .replaceAll('https://example.com/hooks/docmill', `http://127.0.0.1:${port}/`);
    const [program, ...args] = programs[language]?.(source) ?? ['false'];
    const env = { PATH: process.env.PATH, URL: url, KEY: client.apiKey, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env, timeout: 60_000 });
    const id = /["']?\bid["']?: ?["']((?:tpl|doc|bat|dlv|whk|whd|ast|fnt)_[0-9a-z]{26})/.exec(stdout)?.[1];
    if (id !== undefined && /^(?:upload|create|test)/.test(operationId)) ids.set(id.slice(0, 3), id);
    return stdout;
  };
  return { run, ids, called, client };
}

describe.each(Object.keys(programs))('the samples in %s work as they are shown', (language) => {
  test('from the template to the file', async () => {
    const { run, ids } = await createRunner(language);
    await run('uploadTemplate');
    expect(ids.get('tpl')).toBeDefined();
    expect(await run('getTemplate')).toContain(ids.get('tpl'));
    await run('updateTemplate');
    rmSync(join(folder, 'invoice.pdf'), { force: true });
    await run('generateDocument');
    expect(readFileSync(join(folder, 'invoice.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    await run('createBatch');
    expect(await run('streamBatchEvents')).toContain('event: end');
    await run('getBatchContent');
    expect(await run('getBatchManifest')).toContain('Ada');
    expect(await run('deleteTemplate')).toBe('');
  });
});

test('the sample of every operation works', async () => {
  const { run, ids, called, client } = await createRunner('curl');
  const runAll = async (...operations: readonly string[]): Promise<void> => {
    for (const operation of operations) await run(operation);
  };
  await runAll(
    'uploadTemplate',
    'validateTemplate',
    'listTemplates',
    'getTemplate',
    'getTemplateSchema',
    'getTemplateStatistics',
    'getTemplateThumbnail',
  );
  await runAll('downloadTemplate', 'updateTemplate', 'replaceTemplateContent', 'listTemplateVersions');
  await runAll('downloadTemplateVersion', 'promoteTemplateVersion', 'generateDocument', 'previewTemplate');
  const output = { email: { to: ['ada@example.com'] } };
  const generated = await client.generate(ids.get('tpl') ?? '', { data: {}, output });
  ids.set('doc', generated.headers.get('Document-Id') ?? '');
  ids.set('dlv', generated.headers.get('Email-Delivery-Id') ?? '');
  await expect.poll(() => run('getDelivery')).toContain('"status":"sent"');
  await runAll(
    'getJob',
    'getJobContent',
    'getJobReceipt',
    'getJobRequest',
    'getJobTimeline',
    'listJobs',
    'listDeliveries',
  );
  await runAll('createBatch', 'streamBatchEvents', 'getBatch', 'listBatches', 'listBatchItems');
  await runAll('getBatchManifest', 'getBatchContent', 'getQuotas', 'getUsage', 'getKey', 'listKeys');
  // What has succeeded can be neither cancelled, nor tried or sent again.
  for (const operation of ['cancelJob', 'cancelBatch', 'retryBatch', 'resendDelivery'])
    await expect(run(operation)).rejects.toMatchObject({ stdout: expect.stringMatching(/"status":409/) });
  await runAll('uploadAsset', 'listAssets', 'getAsset', 'downloadAsset', 'deleteAsset');
  await runAll('uploadFont', 'listFonts', 'getFont', 'deleteFont');
  await runAll('putDictionary', 'getDictionary', 'deleteDictionary');
  await runAll('createWebhook', 'testWebhook', 'listWebhooks', 'getWebhook', 'rotateWebhookSecret');
  await runAll('listWebhookDeliveries', 'getWebhookDelivery', 'redeliverWebhook');
  await runAll('updateWebhook', 'deleteWebhook', 'deleteTemplate');
  expect([...called].sort()).toEqual([...samples.keys()].sort());
});
