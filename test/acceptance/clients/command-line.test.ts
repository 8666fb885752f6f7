import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { cliProgram } from './run-cli.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);
const folder = mkdtempSync(join(tmpdir(), 'docmill-command-line-'));
let client: TestClient;
let templateId: string;

beforeAll(async () => {
  client = await newClient();
  templateId = (await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}, {city}') }))).id;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly onStart?: (pid: number) => void;
}

/** Runs the program as a process of its own, in the folder, with the key in its environment. */
async function docmill(words: readonly string[], { env, input = '', onStart }: Options = {}) {
  const child = spawn(process.execPath, [cliProgram, ...words], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ...(env ?? { DOCMILL_URL: stack.url, DOCMILL_API_KEY: client.apiKey }),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const chunks: { readonly stdout: Buffer[]; readonly stderr: Buffer[] } = { stdout: [], stderr: [] };
  child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  onStart?.(child.pid ?? 0);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const bytes = Buffer.concat(chunks.stdout);
  return { exitCode, bytes, stdout: bytes.toString('utf8'), stderr: Buffer.concat(chunks.stderr).toString('utf8') };
}

const file = (name: string) => join(folder, name);

describe('migrate', () => {
  test('with --data the new template is filled by the service, and what it rejects is printed', async () => {
    writeFileSync(file('carbone.docx'), buildDocx({ body: paragraph('{d.total:formatN(2)}') }));
    writeFileSync(file('number.json'), JSON.stringify({ total: 5 }));
    writeFileSync(file('text.json'), JSON.stringify({ total: 'five' }));
    const words = ['migrate', 'carbone.docx', '--from', 'carbone', '--force', '--json', '--data'];
    const filled = await docmill([...words, 'number.json']);
    expect(filled).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(filled.stdout)).toMatchObject({ files: [{ target: 'carbone.docmill.docx', problems: [] }] });
    writeFileSync(file('other.json'), JSON.stringify({ sum: 5 }));
    const missing = await docmill([...words, 'other.json']);
    expect(JSON.parse(missing.stdout)).toMatchObject({ files: [{ problems: [expect.stringContaining('total')] }] });
    const rejected = await docmill([...words, 'text.json']);
    expect(rejected.exitCode).toBe(1);
    expect(JSON.parse(rejected.stdout)).toMatchObject({ files: [{ problems: [expect.stringContaining('total')] }] });
  });
});

describe('generate', () => {
  test('writes the document of a template by its name, and charges it once', async () => {
    const before = (await client.quotas()).remaining.total.docs;
    writeFileSync(file('data.json'), JSON.stringify({ name: 'Ada' }));
    const words = [
      'generate',
      'letter',
      '--data',
      'data.json',
      '--set',
      'city=London',
      '--format',
      'pdf',
      '--output',
      'ada.pdf',
    ];
    const { exitCode, stdout, stderr } = await docmill(words);
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 0, stdout: 'ada.pdf\n' });
    expect(stderr).toMatch(/^doc_[0-9a-z]{26}: [\d.]+ k?B in \d+ ms\n$/);
    expect(readFileSync(file('ada.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await client.quotas()).remaining.total.docs).toBe(before - 1);
  });

  test('data from standard input, the document to standard output, nothing else there', async () => {
    const { exitCode, bytes, stderr } = await docmill(['generate', templateId, '--data', '-', '--output', '-'], {
      input: '{"name":"Grace","city":"New York"}',
    });
    expect(exitCode, stderr).toBe(0);
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
  });

  test('--json prints one document, and a file that exists is kept', async () => {
    const words = ['generate', 'letter', '--set', 'name=Ada', '--output', 'once.docx', '--json'];
    const first = await docmill(words);
    expect(JSON.parse(first.stdout)).toMatchObject({
      id: expect.stringMatching(/^doc_/),
      file: 'once.docx',
      emailDeliveryId: null,
    });
    const bytes = readFileSync(file('once.docx'));
    const before = (await client.quotas()).remaining.total.docs;
    const second = await docmill(words);
    expect((await client.quotas()).remaining.total.docs, 'nothing is charged').toBe(before);
    expect(second.exitCode).toBe(2);
    expect(JSON.parse(second.stderr.split('\n')[0] ?? '')).toMatchObject({
      error: { exitCode: 2, message: 'once.docx exists.' },
    });
    expect(readFileSync(file('once.docx'))).toEqual(bytes);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect((await docmill([...words, '--force'])).exitCode).toBe(0);
  });

  test('without --output a file that exists is kept, and the document gets the next free name', async () => {
    const words = ['generate', 'letter', '--set', 'name=Ada', '--json'];
    const files = [];
    for (let run = 0; run < 3; run += 1) files.push(JSON.parse((await docmill(words)).stdout) as { file: string });
    expect(files.map(({ file: name }) => name)).toEqual(['letter.docx', 'letter-2.docx', 'letter-3.docx']);
    expect((await docmill(words)).stderr).toContain('letter.docx exists; the document is in letter-4.docx.');
    for (const { file: name } of files) expect(readFileSync(file(name)).subarray(0, 2).toString()).toBe('PK');
  });

  test('--dry-run charges nothing and writes nothing', async () => {
    const before = (await client.quotas()).remaining.total.docs;
    const { stdout } = await docmill([
      'generate',
      'letter',
      '--set',
      'name=Ada',
      '--output',
      'dry.docx',
      '--dry-run',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      dryRun: true,
      templateId,
      data: { name: 'Ada' },
      output: { format: 'docx' },
    });
    expect(existsSync(file('dry.docx'))).toBe(false);
    expect((await client.quotas()).remaining.total.docs).toBe(before);
  });

  test('a missing value is an error with its place, and 1', async () => {
    const { exitCode, stdout, stderr } = await docmill([
      'generate',
      'letter',
      '--on-missing',
      'error',
      '--set',
      'city=Bern',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('Error: ');
    expect(stderr).toContain('The value of {name} is missing.');
    expect(stderr).toMatch(/path: +data\.name/);
  });

  test('a closed pipe ends the program silently', async () => {
    const words = ['generate', 'letter', '--set', 'name=Ada', '--set', 'city=London', '--output', '-'];
    const command = [process.execPath, cliProgram, ...words].map((word) => `'${word}'`).join(' ');
    const shell = spawn('bash', ['-c', `${command} | head -c 2; echo " \${PIPESTATUS[0]}"`], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, DOCMILL_URL: stack.url, DOCMILL_API_KEY: client.apiKey },
    });
    let text = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await once(shell, 'close');
    expect(text).toBe('PK 0\n');
  });
});

describe('templates, jobs and usage', () => {
  test('a table for people, JSON for programs', async () => {
    expect((await docmill(['templates', 'list'])).stdout).toMatch(
      /^NAME +VERSION +SIZE +TAGS +CHANGED +ID\nletter\.docx +1 /,
    );
    const templates: unknown = JSON.parse((await docmill(['templates', 'list', '--json'])).stdout);
    expect(templates).toMatchObject([{ id: templateId, name: 'letter.docx', tags: ['city', 'name'] }]);
  });

  test('jobs are listed over pages, shown, and those that ended are not cancelled', async () => {
    const { json } = await client.generate(templateId, { data: {} }, { Prefer: 'respond-async' });
    const { id } = json<{ id: string }>();
    expect(JSON.parse((await docmill(['jobs', 'list', '--limit', '1', '--json'])).stdout)).toMatchObject([{ id }]);
    await expect
      .poll(
        async () => (JSON.parse((await docmill(['jobs', 'show', id, '--json'])).stdout) as { status: string }).status,
      )
      .toBe('succeeded');
    expect((await docmill(['jobs', 'show', id])).stdout).toMatch(/status +succeeded/);
    expect((await docmill(['jobs', 'cancel', id])).exitCode).toBe(7);
    expect((await docmill(['jobs', 'cancel', id, '--dry-run'])).stdout).toBe(`${id} succeeded\n`);
  });

  test('the words of the account are stored, shown in the same form, and deleted', async () => {
    const words = { de: { total: 'Summe' } };
    writeFileSync(join(folder, 'words.json'), JSON.stringify(words));
    expect(await docmill(['dictionary', 'put', 'words.json'])).toMatchObject({ exitCode: 0, stdout: '' });
    expect(JSON.parse((await docmill(['dictionary', 'show'])).stdout)).toEqual(words);
    const refused = await docmill(['dictionary', 'put', '-'], { input: '{"de": {"total": 1}}' });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('words.de.total')]);
    expect(await docmill(['dictionary', 'delete'])).toMatchObject({ exitCode: 0 });
    expect((await docmill(['dictionary', 'show'])).exitCode).toBe(4);
  });

  test('usage by template', async () => {
    const { stdout } = await docmill(['usage', '--by', 'template', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ groupBy: 'template', groups: [{ templateId }] });
    expect((await docmill(['usage'])).stdout).toMatch(/^DAY +DOCUMENTS[\s\S]*\ntotal +\d+/);
  });
});

describe('keys', () => {
  test('login stores a key for its user only; logout deletes it; no process shows it', async () => {
    const env = { XDG_CONFIG_HOME: file('config') };
    let seen = '';
    const login = ['login', '--url', stack.url, '--key-stdin'];
    const { exitCode, stdout, stderr } = await docmill(login, {
      env,
      input: `${client.apiKey}\n`,
      onStart: (pid) =>
        (seen = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')),
    });
    expect(exitCode, stderr).toBe(0);
    expect(seen).toContain('XDG_CONFIG_HOME');
    const stored = join(env.XDG_CONFIG_HOME, 'docmill/config.json');
    expect(statSync(stored).mode & 0o777).toBe(0o600);
    const whoami = await docmill(['whoami'], { env });
    expect(whoami.stdout).toContain(stack.url);
    for (const text of [seen, stdout, stderr, whoami.stdout, whoami.stderr]) expect(text).not.toContain(client.apiKey);
    chmodSync(stored, 0o644);
    expect((await docmill(['whoami'], { env })).exitCode).toBe(3);
    chmodSync(stored, 0o600);
    expect((await docmill(['logout'], { env })).exitCode).toBe(0);
    expect(readFileSync(stored, 'utf8')).not.toContain(client.apiKey);
  });

  test('a wrong key is 3 and is not stored', async () => {
    const env = { XDG_CONFIG_HOME: file('wrong') };
    const { exitCode, stderr } = await docmill(['login', '--url', stack.url, '--key-stdin'], {
      env,
      input: 'dm_wrong_key',
    });
    expect(exitCode).toBe(3);
    expect(stderr).not.toContain('dm_wrong_key');
    expect(existsSync(env.XDG_CONFIG_HOME)).toBe(false);
  });
});

describe('exit codes', () => {
  test('4: what does not exist', async () => {
    expect((await docmill(['generate', 'nothing'])).exitCode).toBe(4);
    expect((await docmill(['generate', 'tpl_01hx5s3k2v9m8q7r6t5w4y3z2a'])).exitCode).toBe(4);
    expect((await docmill(['jobs', 'show', '../account/usage'])).exitCode).toBe(4);
  });

  test('6: nothing is left of the quota', async () => {
    const { apiKey, template } = await newClient({ docs: 0, templates: 1 });
    await template('letter.docx', buildDocx({ body: paragraph('{name}') }));
    const env = { DOCMILL_URL: stack.url, DOCMILL_API_KEY: apiKey };
    expect((await docmill(['generate', 'letter', '--output', 'none.docx'], { env })).exitCode).toBe(6);
  });

  test('5: nobody answers at the address', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    const env = { DOCMILL_URL: `http://127.0.0.1:${port}`, DOCMILL_API_KEY: client.apiKey };
    const { exitCode, stderr } = await docmill(['whoami'], { env });
    expect(exitCode).toBe(5);
    expect(stderr).not.toContain(client.apiKey);
  });

  test('130: Ctrl-C ends a run that waits', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const env = { DOCMILL_URL: `http://127.0.0.1:${port}`, DOCMILL_API_KEY: client.apiKey };
    const run = docmill(['whoami'], {
      env,
      onStart: (pid) => server.once('request', () => process.kill(pid, 'SIGINT')),
    });
    expect(await run).toMatchObject({ exitCode: 130, stdout: '', stderr: 'Interrupted.\n' });
    server.closeAllConnections();
    server.close();
  });
});
