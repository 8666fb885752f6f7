import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { listOf, useExampleFiles } from './example-files.ts';

interface Operation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
}

const { anonymous, newClient, url } = await useService(inject('stack'));
const { folder, replaceAddress } = await useExampleFiles();
mkdirSync(join(folder, 'node_modules'));
symlinkSync(resolve('node_modules/@types'), join(folder, 'node_modules/@types'));
const { paths } = (await anonymous.call('GET', '/openapi.json')).json<{
  paths: Record<string, Record<string, Operation>>;
}>();
const samples = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    // The samples of the admin API need an operator key.
    path.startsWith('/v1/admin/')
      ? []
      : Object.values(methods).map((operation) => [operation.operationId, operation['x-codeSamples']] as const),
  ),
);

const programs: Readonly<Record<string, (source: string) => readonly [program: string, ...args: string[]]>> = {
  curl: (source) => ['bash', '--norc', '-ec', source],
  Python: (source) => ['/usr/bin/python3', '-c', source],
  TypeScript(source) {
    const file = join(folder, 'sample.mts');
    writeFileSync(file, source);
    return [process.execPath, '--import', resolve('node_modules/tsx/dist/loader.mjs'), file];
  },
};

/** Runs the samples of a language. `ids` has, by prefix, the ids that replace those of the examples. */
async function createRunner(language: string) {
  const client = await newClient({ docs: 1_000, templates: 10 });
  const ids = new Map<string, string>();
  const called = new Set<string>();
  const run = async (operationId: string): Promise<string> => {
    called.add(operationId);
    const sample = samples.get(operationId)?.find(({ label }) => label === language);
    const source = (sample?.source ?? 'exit 1').replace(
      /\b([a-z]{3})_01hx5s3k2v9m8q7r6t5w4y3z2a/g,
      (id, prefix: string) => ids.get(prefix) ?? id,
    );
    const [program, ...args] = programs[language]?.(replaceAddress(source)) ?? ['false'];
    const env = { PATH: process.env.PATH, URL: url, KEY: client.apiKey, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env });
    const id = /["']?\bid["']?: ?["']((?:tpl|doc|bat|dlv|whk|whd|ast|fnt)_[0-9a-z]{26})/.exec(stdout)?.[1];
    if (id !== undefined && /^(?:upload|create|test)/.test(operationId)) ids.set(id.slice(0, 3), id);
    return stdout;
  };
  return { run, ids, called, client };
}

describe.each(Object.keys(programs))('the samples in %s', (language) => {
  test('work as they are shown, from the template to the file', async () => {
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
  const runAll = async (operations: string): Promise<void> => {
    for (const operation of listOf(operations)) await run(operation);
  };
  await runAll(`
    uploadTemplate, putTemplate, validateTemplate, listTemplates, getTemplate, getTemplateSchema, getTemplateStatistics, getTemplateThumbnail,
    downloadTemplate, updateTemplate, replaceTemplateContent, listTemplateVersions, downloadTemplateVersion, promoteTemplateVersion,
    startJob, generateDocument, previewTemplate
  `);
  const output = { email: { to: ['ada@example.com'] } };
  const generated = await client.generate(ids.get('tpl') ?? '', { data: {}, output });
  ids.set('doc', generated.headers.get('Document-Id') ?? '');
  ids.set('dlv', generated.headers.get('Email-Delivery-Id') ?? '');
  await expect.poll(() => run('getDelivery')).toContain('"status":"sent"');
  await runAll(`
    getJob, getJobContent, getJobReceipt, getJobRequest, getJobTimeline, listJobs, listDeliveries, createDelivery,
    quoteBatch, createBatch, streamBatchEvents, getBatch, listBatches, listBatchItems, getBatchManifest, getBatchContent,
    getQuotas, getUsage, getKey, listKeys
  `);
  // The version needs no approval, and the key does not name the scopes of approvers.
  await run('getReview');
  for (const step of ['submit', 'comment'])
    await expect(run(`${step}TemplateVersion`)).rejects.toMatchObject({
      stdout: expect.stringMatching(/"status":409/),
    });
  for (const step of ['approve', 'refuse', 'override'])
    await expect(run(`${step}TemplateVersion`)).rejects.toMatchObject({
      stdout: expect.stringMatching(/"status":403/),
    });
  // The document, the batch and the delivery have succeeded.
  for (const operation of ['cancelJob', 'cancelBatch', 'retryBatch', 'resendDelivery'])
    await expect(run(operation)).rejects.toMatchObject({ stdout: expect.stringMatching(/"status":409/) });
  await runAll(`
    uploadAsset, listAssets, getAsset, downloadAsset, deleteAsset, uploadFont, listFonts, getFont, deleteFont,
    validateInvoice, putDictionary, getDictionary, deleteDictionary,
    createWebhook, testWebhook, listWebhooks, getWebhook, rotateWebhookSecret, listWebhookDeliveries, getWebhookDelivery,
    redeliverWebhook, updateWebhook, deleteWebhook, deleteTemplate
  `);
  expect([...called].sort()).toEqual([...samples.keys()].sort());
});
