import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { png } from '../api/pictures.ts';

const { anonymous, newClient, url } = await useService(inject('stack'));
const receiver = createServer((_, response) => response.writeHead(204).end());
const bin = resolve('test/clients/node_modules/.bin');
let folder = '';
let webhookUrl = '';
let titles: readonly string[] = [];

beforeAll(async () => {
  const { paths } = (await anonymous.call('GET', '/openapi.json')).json<{
    paths: Record<string, Record<string, { summary: string }>>;
  }>();
  titles = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ summary }) => summary));
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  folder = mkdtempSync(join(tmpdir(), 'docmill-collections-'));
  const template = paragraph('Dear {customer.name}') + paragraph('{#items}{name}: {amount}{/items}');
  writeFileSync(join(folder, 'invoice.docx'), buildDocx({ body: template }));
  writeFileSync(join(folder, 'logo.png'), png(4, 4, [200, 30, 30]));
  writeFileSync(join(folder, 'acme-sans-bold.ttf'), buildFont());
});

afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every request, in an order in which each can succeed. */
const order = [
  ...[
    'Upload template',
    'Validate template',
    'List templates',
    'Get statistics',
    'Get template',
    'Update template metadata',
    'Get schema',
    'Get thumbnail',
  ],
  ...['Download template', 'Re-upload template', 'List versions', 'Download version', 'Promote version'],
  // The file of a document that was only returned is not kept; that of one with an e-mail is.
  ...['Download the file of a job', 'Generate document', 'Preview template', 'Get job', 'Get the receipt of a job'],
  ...[
    'Get the request of a job',
    'Get the timeline of a job',
    'List jobs',
    'Cancel job',
    'Create batch',
    'Follow a batch',
    'Get batch',
    'List rows of a batch',
  ],
  ...['Download the bundle of a batch', 'Get the manifest of a batch', 'Retry failed rows', 'Cancel batch'],
  ...[
    'List batches',
    'List e-mail deliveries',
    'Get e-mail delivery',
    'Resend e-mail delivery',
    'Create webhook',
    'Test webhook',
  ],
  ...['List webhooks', 'Get webhook', 'Rotate webhook secret', 'List webhook deliveries', 'Get webhook delivery'],
  ...['Redeliver webhook', 'Update webhook', 'Delete webhook', 'Upload asset', 'List assets', 'Get asset'],
  ...['Download asset', 'Delete asset', 'Upload font', 'List fonts', 'Get font', 'Delete font'],
  ...['Replace dictionary', 'Get dictionary', 'Delete dictionary', 'Get quotas'],
  ...['Get usage', 'Get this key', 'List keys', 'Delete template'],
];

/** What has succeeded can be neither cancelled, nor tried or sent again. */
const conflicts = new Set(['Cancel job', 'Cancel batch', 'Retry failed rows', 'Resend e-mail delivery']);

type Statuses = readonly (readonly [title: string, status: unknown])[];

function expectAccepted(statuses: Statuses): void {
  expect([...order].sort()).toEqual([...titles].sort());
  expect(statuses.map(([title]) => title)).toEqual(order);
  const unexpected = statuses.filter(([title, status]) =>
    conflicts.has(title) ? status !== 409 : !/^2\d\d$/.test(String(status)),
  );
  expect(unexpected).toEqual([]);
}

/** A key, and the ids of a document that was sent by e-mail. */
async function prepare() {
  const client = await newClient({ docs: 1_000, templates: 10 });
  const template = await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }));
  const output = { email: { to: ['ada@example.com'] } };
  const generated = await client.generate(template.id, { data: {}, output });
  const deliveryId = generated.headers.get('Email-Delivery-Id') ?? '';
  await expect
    .poll(async () => (await client.call('GET', `/v1/deliveries/${deliveryId}`)).json())
    .toMatchObject({ status: 'sent' });
  const jobId = generated.headers.get('Document-Id') ?? '';
  return { service: { baseUrl: url, apiKey: client.apiKey }, ids: { jobId, deliveryId } };
}

/** Runs a program in the folder; some end with 1 when a request was answered with 409. */
function run(program: string, words: readonly string[], cwd: string): Promise<string> {
  return new Promise((done) => {
    const env = { PATH: process.env.PATH, HOME: folder };
    execFile(join(bin, program), words, { cwd, env, timeout: 280_000 }, (_, stdout, stderr) => done(stdout + stderr));
  });
}

function toOptions(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
}

interface PostmanItem {
  readonly name: string;
  readonly item?: readonly PostmanItem[];
}

test('Postman runs every request of its collection', async () => {
  const text = readFileSync('clients/postman/docmill.postman_collection.json', 'utf8');
  const collection = JSON.parse(text.replaceAll('https://example.com/hooks/docmill', webhookUrl)) as PostmanItem;
  const items = new Map((collection.item ?? []).flatMap(({ item = [] }) => item.map((one) => [one.name, one])));
  expect(items.size).toBe(titles.length);
  const { service, ids } = await prepare();
  const variable = Object.entries(ids).map(([key, value]) => ({ key, value }));
  writeFileSync(
    join(folder, 'postman.json'),
    JSON.stringify({ ...collection, variable, item: order.map((name) => items.get(name)) }),
  );
  const variables = toOptions(service);
  const output = ['--reporters', 'json', '--reporter-json-export', 'postman-report.json'];
  const log = await run('newman', ['run', 'postman.json', ...variables, ...output], folder);
  const { run: report } = JSON.parse(readFileSync(join(folder, 'postman-report.json'), 'utf8')) as {
    run: { executions: { item: { name: string }; response?: { code: number } }[]; failures: unknown[] };
  };
  expectAccepted(report.executions.map(({ item, response }) => [item.name, response?.code]));
  expect(report.failures, log).toEqual([]);
}, 300_000);

test('Bruno runs every request of its collection', async () => {
  const collection = mkdtempSync(join(folder, 'bruno-'));
  cpSync('clients/bruno', collection, { recursive: true });
  for (const name of ['invoice.docx', 'logo.png', 'acme-sans-bold.ttf'])
    cpSync(join(folder, name), join(collection, name));
  // Folders are run one after the other: all requests move to one.
  mkdirSync(join(collection, 'all'));
  for (const entry of readdirSync(collection, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const text = entry.isFile() && entry.name.endsWith('.bru') ? readFileSync(file, 'utf8') : '';
    const [, name = ''] = /^ {2}name: (.*)$/m.exec(text) ?? [];
    if (!text.includes('\n  type: http\n')) continue;
    rmSync(file);
    const moved = text.replace(/^ {2}seq: \d+$/m, `  seq: ${order.indexOf(name) + 1}`);
    writeFileSync(
      join(collection, 'all', entry.name),
      moved.replaceAll('https://example.com/hooks/docmill', webhookUrl),
    );
  }
  const { service, ids } = await prepare();
  const variables = toOptions({ ...service, ...ids });
  const log = await run(
    'bru',
    ['run', 'all', '--env', 'local', ...variables, '--reporter-json', 'report.json'],
    collection,
  );
  const report = JSON.parse(readFileSync(join(collection, 'report.json'), 'utf8')) as {
    results: { name: string; response: { status: unknown }; error: unknown }[];
  }[];
  const results = report.flatMap((iteration) => iteration.results);
  expectAccepted(results.map(({ name, response }) => [name, response.status]));
  expect(
    results.filter(({ error }) => error !== null && error !== undefined),
    log,
  ).toEqual([]);
}, 300_000);

test('no file of a collection has a key', () => {
  const files = ['clients/postman', 'clients/bruno'].flatMap((parent) =>
    readdirSync(parent, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(titles.length);
  expect(files.filter((text) => /dts_(test_)?[0-9A-Za-z]{8}/.test(text))).toEqual([]);
});
