import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { listOf, useExampleFiles } from '../documentation/example-files.ts';

const { anonymous, newClient, url } = await useService(inject('stack'));
const { folder, replaceAddress } = await useExampleFiles();
const { paths } = (await anonymous.call('GET', '/openapi.json')).json<{
  paths: Record<string, Record<string, { summary: string }>>;
}>();
/** Requests of the admin API need an operator key, and would delete the account of this test. */
const ofAccounts = Object.entries(paths).filter(([path]) => !path.startsWith('/v1/admin/'));
const titles = ofAccounts.flatMap(([, methods]) => Object.values(methods).map(({ summary }) => summary));

/**
 * Every request, in an order in which each can succeed. The service keeps the file of a document with an e-mail, such
 * as the first one.
 */
const order = listOf(`
  Upload template by name, Upload template, Validate template, List templates, Get statistics, Get template,
  Update template metadata, Get schema, Get thumbnail,
  Download template, Re-upload template, List versions, Download version, Promote version,
  Get review, Submit version, Comment on version, Approve version, Refuse version, Override approval,
  Download the file of a job, Start job, Generate document, Preview template, Get job, Get the receipt of a job,
  Get the request of a job, Get the timeline of a job, List jobs, Cancel job,
  Quote batch, Create batch, Follow a batch, Get batch, List rows of a batch,
  Download the bundle of a batch, Get the manifest of a batch, Retry failed rows, Cancel batch, List batches,
  List e-mail deliveries, Get e-mail delivery, Send the e-mail of a document again, Resend e-mail delivery,
  Create webhook, Test webhook, List webhooks, Get webhook, Rotate webhook secret, List webhook deliveries, Get webhook delivery,
  Redeliver webhook, Update webhook, Delete webhook,
  Upload asset, List assets, Get asset, Download asset, Delete asset, Upload font, List fonts, Get font, Delete font,
  Validate invoice, Replace dictionary, Get dictionary, Delete dictionary, Get quotas, Get usage, Get this key, List keys, Delete template
`);

/** Requests that are refused because the document, the batch or the delivery has succeeded, or the version is live. */
const conflicts = new Set([
  ...['Submit version', 'Comment on version'],
  ...['Cancel job', 'Cancel batch', 'Retry failed rows', 'Resend e-mail delivery'],
]);

/** The key does not name the scopes of these. */
const forbidden = new Set(['Approve version', 'Refuse version', 'Override approval']);

/** The document of the collection was made without an e-mail. */
const withoutEmail = 'Send the e-mail of a document again';

function expectAccepted(statuses: readonly (readonly [title: string, status: unknown])[]): void {
  expect([...order].sort()).toEqual([...titles].sort());
  expect(statuses.map(([title]) => title)).toEqual(order);
  const isExpected = (title: string, status: unknown) =>
    title === withoutEmail
      ? status === 404
      : forbidden.has(title)
        ? status === 403
        : conflicts.has(title)
          ? status === 409
          : /^2\d\d$/.test(String(status));
  expect(statuses.filter(([title, status]) => !isExpected(title, status))).toEqual([]);
}

/** A key, and the ids of a document that was sent by e-mail. */
async function prepare() {
  const client = await newClient({ docs: 1_000, templates: 10 });
  const template = await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }));
  const output = { email: { to: ['ada@example.com'] } };
  const { headers } = await client.generate(template.id, { data: {}, output });
  const [jobId = '', deliveryId = ''] = ['Document-Id', 'Email-Delivery-Id'].map((name) => headers.get(name) ?? '');
  const state = async () => (await client.call('GET', `/v1/deliveries/${deliveryId}`)).json();
  await expect.poll(state).toMatchObject({ status: 'sent' });
  return { service: { baseUrl: url, apiKey: client.apiKey }, ids: { jobId, deliveryId } };
}

/** Runs a program with these variables of the collection. Some programs exit with 1 after a response with 409. */
function run(program: string, words: readonly string[], cwd: string, variables: object): Promise<string> {
  const all = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const bin = resolve('test/clients/node_modules/.bin');
  return new Promise((done) => {
    const env = { PATH: process.env.PATH, HOME: folder };
    execFile(join(bin, program), [...words, ...all], { cwd, env }, (_, stdout, stderr) => done(stdout + stderr));
  });
}

/** The text of a request. */
const isOfOperators = (text: string): boolean => text.includes('/v1/admin/');

interface PostmanItem {
  readonly name: string;
  readonly item?: readonly PostmanItem[];
}

test('Postman runs every request of its collection', async () => {
  const text = replaceAddress(readFileSync('clients/postman/docmill.postman_collection.json', 'utf8'));
  const collection = JSON.parse(text) as PostmanItem;
  const all = (collection.item ?? []).flatMap(({ item = [] }) => item);
  const items = new Map(all.filter((one) => !isOfOperators(JSON.stringify(one))).map((one) => [one.name, one]));
  expect(items.size).toBe(titles.length);
  const { service, ids } = await prepare();
  const variable = Object.entries(ids).map(([key, value]) => ({ key, value }));
  const ordered = { ...collection, variable, item: order.map((name) => items.get(name)) };
  writeFileSync(join(folder, 'postman.json'), JSON.stringify(ordered));
  const words = ['run', 'postman.json', '--reporters', 'json', '--reporter-json-export', 'postman-report.json'];
  const log = await run('newman', words, folder, service);
  const { run: report } = JSON.parse(readFileSync(join(folder, 'postman-report.json'), 'utf8')) as {
    run: { executions: { item: { name: string }; response?: { code: number } }[]; failures: unknown[] };
  };
  expectAccepted(report.executions.map(({ item, response }) => [item.name, response?.code]));
  expect(report.failures, log).toEqual([]);
});

test('Bruno runs every request of its collection', async () => {
  const collection = join(folder, 'bruno');
  const files = readdirSync(folder).filter((name) => /\.(docx|png|ttf|xml)$/.test(name));
  cpSync('clients/bruno', collection, { recursive: true });
  for (const name of files) cpSync(join(folder, name), join(collection, name));
  // Bruno runs one folder after the other, so all requests move to one folder.
  mkdirSync(join(collection, 'all'));
  for (const entry of readdirSync(collection, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const text = entry.isFile() && entry.name.endsWith('.bru') ? readFileSync(file, 'utf8') : '';
    const [, name = ''] = /^ {2}name: (.*)$/m.exec(text) ?? [];
    if (!text.includes('\n  type: http\n')) continue;
    rmSync(file);
    if (isOfOperators(text)) continue;
    const moved = text.replace(/^ {2}seq: \d+$/m, `  seq: ${order.indexOf(name) + 1}`);
    writeFileSync(join(collection, 'all', entry.name), replaceAddress(moved));
  }
  const { service, ids } = await prepare();
  const words = ['run', 'all', '--env', 'local', '--reporter-json', 'report.json'];
  const log = await run('bru', words, collection, { ...service, ...ids });
  const report = JSON.parse(readFileSync(join(collection, 'report.json'), 'utf8')) as {
    results: { name: string; response: { status: unknown }; error: unknown }[];
  }[];
  const results = report.flatMap((iteration) => iteration.results);
  expectAccepted(results.map(({ name, response }) => [name, response.status]));
  expect(
    results.map(({ error }) => error ?? null).filter((error) => error !== null),
    log,
  ).toEqual([]);
});

test('no file of a collection contains a key', () => {
  const files = ['clients/postman', 'clients/bruno'].flatMap((parent) =>
    readdirSync(parent, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(titles.length);
  expect(files.filter((text) => /dts_(test_)?[0-9A-Za-z]{8}/.test(text))).toEqual([]);
});
