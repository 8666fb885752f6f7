import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { useFolder } from '../../support/folder.ts';
import { cliEnv, cliProgram, runCli, spawnCli } from './run-cli.ts';

const { newClient, url } = await useService(inject('stack'));
const folder = useFolder();
const letter = buildDocx({ body: paragraph('Dear {name}, {city}') });
let client: TestClient;
let templateId: string;

beforeAll(async () => {
  client = await newClient();
  templateId = (await client.template('letter.docx', letter)).id;
});

const options = (service: { readonly url: string; readonly apiKey: string } = client) => ({
  cwd: folder.path,
  env: cliEnv(folder.path, service),
});
/** Runs the program in the folder, with the key in its environment. */
const docmill = (line: string, input = '') => runCli(line, { ...options(), input });
const json = async <T = unknown>(line: string): Promise<T> => JSON.parse((await docmill(`${line} --json`)).stdout) as T;
const startOf = (bytes: Buffer) => bytes.subarray(0, 2).toString();
const remaining = async () => (await client.quotas()).remaining.total.docs;

describe('generate', () => {
  test('writes the document of a template by its name, and charges it once', async () => {
    const before = await remaining();
    folder.write('data.json', JSON.stringify({ name: 'Ada' }));
    const line = 'generate letter --data data.json --set city=London --format pdf --output ada.pdf';
    const { exitCode, stdout, stderr } = await docmill(line);
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 0, stdout: 'ada.pdf\n' });
    expect(stderr).toMatch(/^doc_[0-9a-z]{26}: [\d.]+ k?B in \d+ ms\n$/);
    expect(folder.read('ada.pdf').subarray(0, 5).toString()).toBe('%PDF-');
    expect(await remaining()).toBe(before - 1);
  });

  test('reads data from standard input, and writes only the document to standard output', async () => {
    const line = `generate ${templateId} --data - --output -`;
    const { exitCode, bytes, stderr } = await docmill(line, '{"name":"Grace","city":"New York"}');
    expect(exitCode, stderr).toBe(0);
    expect(startOf(bytes)).toBe('PK');
  });

  test('prints one document with --json, and keeps an existing file', async () => {
    const line = 'generate letter --set name=Ada --output once.docx --json';
    const first = await docmill(line);
    const printed = { id: expect.stringMatching(/^doc_/), file: 'once.docx', emailDeliveryId: null };
    expect(JSON.parse(first.stdout)).toMatchObject(printed);
    const bytes = folder.read('once.docx');
    const before = await remaining();
    const second = await docmill(line);
    expect(await remaining(), 'nothing is charged').toBe(before);
    expect(JSON.parse(second.stderr)).toMatchObject({ error: { exitCode: 2, message: 'once.docx exists.' } });
    expect(second.exitCode).toBe(2);
    expect(folder.read('once.docx')).toEqual(bytes);
    expect(folder.list().filter((name) => name.endsWith('.part'))).toEqual([]);
    expect((await docmill(`${line} --force`)).exitCode).toBe(0);
  });

  test('keeps an existing file without --output, and gives the document the next free name', async () => {
    const line = 'generate letter --set name=Ada';
    expect(await docmill(line)).toMatchObject({ stdout: 'letter.docx\n' });
    const { stdout, stderr } = await docmill(line);
    expect(stdout).toBe('letter-2.docx\n');
    expect(stderr).toContain('letter.docx exists; the document is in letter-2.docx.');
    expect(startOf(folder.read('letter-2.docx'))).toBe('PK');
  });

  test('charges and writes nothing with --dry-run', async () => {
    const before = await remaining();
    const plan = { dryRun: true, templateId, data: { name: 'Ada' }, output: { format: 'docx' } };
    expect(await json('generate letter --set name=Ada --output dry.docx --dry-run')).toMatchObject(plan);
    expect(folder.list()).not.toContain('dry.docx');
    expect(await remaining()).toBe(before);
  });

  test('starts a document with --no-wait, whose file is downloaded later', async () => {
    const { stdout } = await docmill('generate letter --set name=Ada --no-wait --filename later');
    const download = await docmill(`jobs download ${stdout.trim()}`);
    expect(download).toMatchObject({ exitCode: 0, stdout: 'later.docx\n' });
    expect((await docmill('generate letter --no-wait --output a.docx')).exitCode).toBe(2);
  });

  test('reports a missing value with its path, and exits with 1', async () => {
    const { exitCode, stdout, stderr } = await docmill('generate letter --on-missing error --set city=Bern');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^Error: [\s\S]*The value of \{name\} is missing\.[\s\S]*path: +data\.name/);
  });
});

test('migrate --data lets the service fill the new template, and prints what it rejects', async () => {
  folder.write('carbone.docx', buildDocx({ body: paragraph('{d.total:formatN(2)}') }));
  const resultWith = async (data: object) => {
    folder.write('total.json', JSON.stringify(data));
    const { exitCode, stdout } = await docmill('migrate carbone.docx --from carbone --force --json --data total.json');
    return { exitCode, ...(JSON.parse(stdout) as object) };
  };
  const target = 'carbone.docmill.docx';
  expect(await resultWith({ total: 5 })).toMatchObject({ exitCode: 0, files: [{ target, problems: [] }] });
  const problems = [expect.stringContaining('total')];
  for (const data of [{ sum: 5 }, { total: 'five' }])
    expect(await resultWith(data)).toMatchObject({ exitCode: 1, files: [{ problems }] });
});

test('templates are listed as a table for people and as JSON for programs', async () => {
  expect((await docmill('templates list')).stdout).toMatch(/^NAME +VERSION +SIZE +TAGS +CHANGED +ID\nletter\.docx +1 /);
  expect(await json('templates list')).toMatchObject([{ id: templateId, name: 'letter.docx', tags: ['city', 'name'] }]);
});

describe('jobs', () => {
  const request = async (data: object) => (await client.start(templateId, data)).json<{ id: string }>().id;

  test('are listed over pages, shown, and not cancelled when they have ended', async () => {
    const id = await request({ data: {} });
    expect(await json('jobs list --limit 1')).toMatchObject([{ id }]);
    await expect.poll(() => json(`jobs show ${id}`)).toMatchObject({ status: 'succeeded' });
    expect((await docmill(`jobs show ${id}`)).stdout).toMatch(/status +succeeded/);
    expect((await docmill(`jobs cancel ${id}`)).exitCode).toBe(7);
    expect((await docmill(`jobs cancel ${id} --dry-run`)).stdout).toBe(`${id} succeeded\n`);
  });

  test('are downloaded when they have ended; a failed one reports why', async () => {
    const id = await request({ data: { name: 'Ada' } });
    expect(await docmill(`jobs download ${id} --output job.docx`)).toMatchObject({ exitCode: 0, stdout: 'job.docx\n' });
    expect(startOf(folder.read('job.docx'))).toBe('PK');
    expect((await docmill(`jobs download ${id} --output job.docx`)).exitCode).toBe(2);
    const failed = await request({ data: {}, output: { onMissing: 'error' } });
    const stderr = expect.stringContaining('failed: ');
    expect(await docmill(`jobs download ${failed}`)).toMatchObject({ exitCode: 1, stderr });
  });
});

test('deliveries are listed, shown with their recipients, and resent only when they have ended', async () => {
  const output = { email: { to: ['ada@example.com'] } };
  const { headers } = await client.generate(templateId, { data: { name: 'Ada' }, output });
  const id = headers.get('Email-Delivery-Id') ?? '';
  await expect.poll(async () => (await docmill(`deliveries show ${id}`)).stdout).toMatch(/ada@example\.com +sent/);
  expect((await docmill('deliveries list --status sent')).stdout).toMatch(new RegExp(`\\n${id} +sent +1 +1 `));
  expect(await json('deliveries list --status failed')).toEqual([]);
  expect((await docmill(`deliveries resend ${id} --dry-run`)).stdout).toBe(`${id} sent\n`);
  expect((await docmill(`deliveries resend ${id}`)).exitCode).toBe(7);
});

test('webhooks are listed and tested; their deliveries are listed and repeated', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const wanted = { url: receiver.url, events: ['document.succeeded'] };
  const { id } = (await client.call('POST', '/v1/webhooks', { json: wanted })).json<{ id: string }>();
  expect((await docmill('webhooks list')).stdout).toContain(receiver.url);
  expect((await docmill(`webhooks test ${id}`)).stdout).toMatch(/^whd_[0-9a-z]{26} delivered: status 204, \d+ ms\n$/);
  const [delivery] = await json<{ id: string; eventType: string }[]>(`webhooks deliveries ${id}`);
  expect(delivery?.eventType).toBe('webhook.test');
  expect((await docmill(`webhooks redeliver ${id} ${delivery?.id}`)).exitCode).toBe(0);
  await expect.poll(() => receiver.received.length).toBe(2);
  expect((await docmill('webhooks deliveries callbacks')).exitCode).toBe(0);
});

test('the words of the account are stored, shown in the same form, and deleted', async () => {
  const words = { de: { total: 'Summe' } };
  folder.write('words.json', JSON.stringify(words));
  expect(await docmill('dictionary put words.json')).toMatchObject({ exitCode: 0, stdout: '' });
  expect(JSON.parse((await docmill('dictionary show')).stdout)).toEqual(words);
  const refused = await docmill('dictionary put -', '{"de": {"total": 1}}');
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('words.de.total') });
  expect(await docmill('dictionary delete')).toMatchObject({ exitCode: 0 });
  expect((await docmill('dictionary show')).exitCode).toBe(4);
});

test('usage is shown by day and by template', async () => {
  expect(await json('usage --by template')).toMatchObject({ groupBy: 'template', groups: [{ templateId }] });
  expect((await docmill('usage --by template')).stdout).toMatch(/^TEMPLATE +DOCUMENTS.*\n\S+\.docx +\d/);
  expect((await docmill('usage')).stdout).toMatch(/^DAY +DOCUMENTS[\s\S]*\ntotal +\d+/);
});

describe('keys', () => {
  const home = (name: string) => ({ ...cliEnv(folder.path), XDG_CONFIG_HOME: folder.at(name) });

  test('login stores a key, and logout deletes it; no process shows it', async () => {
    const env = home('config');
    let seen = '';
    // The kernel shows both shortly after a program has started; this one waits for its input.
    const look = async ({ pid }: ChildProcess) => {
      const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
      await expect.poll(() => (seen = read('cmdline') + read('environ'))).toContain('XDG_CONFIG_HOME');
    };
    const input = `${client.apiKey}\n`;
    const login = await spawnCli(`login --url ${url} --key-stdin`, { env, input }, look);
    expect(login.exitCode, login.stderr).toBe(0);
    const whoami = await runCli('whoami', { env });
    expect(whoami.stdout).toContain(url);
    for (const shown of [seen, login.stdout, login.stderr, whoami.stdout, whoami.stderr])
      expect(shown).not.toContain(client.apiKey);
    expect(folder.text('config/docmill/config.json')).toContain(client.apiKey);
    expect((await runCli('logout', { env })).exitCode).toBe(0);
    expect(folder.text('config/docmill/config.json')).not.toContain(client.apiKey);
  });

  test('a wrong key exits with 3, and is neither stored nor printed', async () => {
    const login = { env: home('wrong'), input: 'dm_wrong_key' };
    const { exitCode, stderr } = await runCli(`login --url ${url} --key-stdin`, login);
    expect(exitCode).toBe(3);
    expect(stderr).not.toContain('dm_wrong_key');
    expect(folder.list()).not.toContain('wrong');
  });
});

describe('exit codes', () => {
  test('are 4 for what does not exist', async () => {
    for (const template of ['nothing', 'tpl_01hx5s3k2v9m8q7r6t5w4y3z2a'])
      expect((await docmill(`generate ${template}`)).exitCode).toBe(4);
  });

  test('are 6 when the quota is used up', async () => {
    const poor = await newClient({ docs: 0, templates: 1 });
    await poor.template('letter.docx', letter);
    expect((await runCli('generate letter --output none.docx', options(poor))).exitCode).toBe(6);
  });
});

describe('the process', () => {
  test('exits with 130 on Ctrl-C while it waits', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close().closeAllConnections());
    const silent = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: client.apiKey };
    const interrupt = (child: ChildProcess) => void server.once('request', () => child.kill('SIGINT'));
    const run = await spawnCli('whoami', options(silent), interrupt);
    expect(run).toEqual({ exitCode: 130, stdout: '', stderr: 'Interrupted.\n' });
  });

  test('exits silently when its pipe is closed', async () => {
    const words = 'generate letter --set name=Ada --set city=London --output -';
    const script = `'${process.execPath}' '${cliProgram}' ${words} | head -c 2; echo " \${PIPESTATUS[0]}"`;
    const shell = spawn('bash', ['-c', `{ ${script}; } 2>&1`], options());
    expect(await text(shell.stdout)).toBe('PK 0\n');
  });
});
