import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { cliProgram, runCli } from './run-cli.ts';

const { newClient, url } = await useService(inject('stack'));
const top = mkdtempSync(join(tmpdir(), 'docmill-templates-as-code-'));
let folder: string;
let client: TestClient;

beforeEach(async () => {
  client = await newClient();
  folder = mkdtempSync(join(top, 'project-'));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const execute = promisify(execFile);
const docx = (text: string) => buildDocx({ body: paragraph(text) });
const cli = (...words: readonly string[]) => runCli([...words, '--folder', folder], { url, apiKey: client.apiKey });

/** Forwards requests to the service, the first upload of each client when all of them have sent theirs. */
async function startBarrier(clients: number) {
  const held: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.method === 'POST' && request.url === '/v1/templates' && held.length < clients) {
      const all = new Promise<void>((release) => held.push(release));
      if (held.length === clients) for (const release of held) release();
      await all;
    }
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const init = { method: request.method ?? '', headers: headers as Record<string, string> };
    const answer = await fetch(
      `${url}${request.url}`,
      body.length === 0 ? init : { ...init, body: new Uint8Array(body) },
    );
    const kept = [...answer.headers].filter(
      ([name]) => !/^(content-encoding|transfer-encoding|content-length)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((done) => server.close(done)),
  };
}

interface Result {
  readonly file: string;
  readonly id: string;
  readonly action: string;
  readonly version: number | null;
  readonly message?: string;
}

/** Runs a command with `--json`; the actions by file. */
async function sync(...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await cli(...words, '--json');
  expect(stdout, stderr).not.toBe('');
  const { templates } = JSON.parse(stdout) as { readonly templates: readonly Result[] };
  return { exitCode, templates, actions: Object.fromEntries(templates.map(({ file, action }) => [file, action])) };
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
const read = (path: string) => readFileSync(join(folder, path));
const versionsOf = async (id: string) => (await client.call('GET', `/v1/templates/${id}/versions`)).json<unknown[]>();

describe('pull and push', () => {
  test('a folder is fetched, changed and uploaded; only what changed travels', async () => {
    const invoice = await client.template('invoice.docx', docx('Invoice {number}'));
    const letter = await client.template('letter.docx', docx('Dear {name}'));
    const plan = await sync('templates', 'pull', '--dry-run');
    expect(plan.actions).toEqual({ 'invoice.docx': 'downloaded', 'letter.docx': 'downloaded' });
    expect(readdirSync(folder)).toEqual([]);
    expect((await sync('templates', 'pull')).exitCode).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['docmill.json', 'docmill.lock.json', 'templates']);
    expect(read('templates/invoice.docx')).toEqual(Buffer.from(docx('Invoice {number}')));
    expect(JSON.parse(read('docmill.lock.json').toString())).toEqual({
      lockVersion: 1,
      services: {
        [url]: {
          templates: {
            'invoice.docx': {
              id: invoice.id,
              name: 'invoice.docx',
              version: 1,
              checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
            },
            'letter.docx': {
              id: letter.id,
              name: 'letter.docx',
              version: 1,
              checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
            },
          },
        },
      },
    });
    write('templates/letter.docx', docx('Hello {name}'));
    write('templates/new.docx', docx('New {name}'));
    write('templates/~$new.docx', 'Word has it open');
    expect((await sync('templates', 'push', '--dry-run')).actions).toEqual({
      'invoice.docx': 'unchanged',
      'letter.docx': 'uploaded',
      'new.docx': 'created',
    });
    expect(await versionsOf(letter.id)).toHaveLength(1);
    const pushed = await sync('templates', 'push');
    expect(pushed.templates).toMatchObject([
      { file: 'invoice.docx', action: 'unchanged', version: 1 },
      { file: 'letter.docx', action: 'uploaded', version: 2 },
      { file: 'new.docx', action: 'created', version: 1 },
    ]);
    expect((await sync('templates', 'push')).actions).toEqual({
      'invoice.docx': 'unchanged',
      'letter.docx': 'unchanged',
      'new.docx': 'unchanged',
    });
    expect(await versionsOf(invoice.id)).toHaveLength(1);
    expect(await versionsOf(letter.id)).toHaveLength(2);
  });

  test('what somebody else uploaded is never overwritten, on either side', async () => {
    const { id } = await client.template('letter.docx', docx('Dear {name}'));
    await sync('templates', 'pull');
    await client.reupload(id, 'letter.docx', docx('Theirs {name}'));
    write('templates/letter.docx', docx('Ours {name}'));
    const { exitCode, stderr } = await cli('templates', 'push');
    expect(exitCode).toBe(7);
    expect(stderr).toContain('letter.docx: the service has version 2, the lock file 1');
    expect(stderr).toContain('docmill templates diff');
    expect(await versionsOf(id)).toHaveLength(2);
    const pulled = await sync('templates', 'pull');
    expect(pulled).toMatchObject({ exitCode: 7, actions: { 'letter.docx': 'conflict' } });
    expect(read('templates/letter.docx')).toEqual(Buffer.from(docx('Ours {name}')));
    expect((await sync('templates', 'push', 'letter', '--force')).templates).toMatchObject([{ version: 3 }]);
    await client.reupload(id, 'letter.docx', docx('Theirs again {name}'));
    write('templates/letter.docx', docx('Ours again {name}'));
    expect((await sync('templates', 'pull', '--force')).actions).toEqual({ 'letter.docx': 'downloaded' });
    expect(read('templates/letter.docx')).toEqual(Buffer.from(docx('Theirs again {name}')));
  });

  test('a lost lock file, and a run that died before it was written, heal', async () => {
    await client.template('letter.docx', docx('Dear {name}'));
    await sync('templates', 'pull');
    rmSync(join(folder, 'docmill.lock.json'));
    expect((await sync('templates', 'push')).actions).toEqual({ 'letter.docx': 'unchanged' });
    expect(existsSync(join(folder, 'docmill.lock.json'))).toBe(true);
    rmSync(join(folder, 'docmill.lock.json'));
    write('templates/letter.docx', docx('Another {name}'));
    expect(await sync('templates', 'push')).toMatchObject({ exitCode: 7, actions: { 'letter.docx': 'conflict' } });
  });

  test('one broken template does not keep the others back', async () => {
    write('docmill.json', '{"templates": "word"}');
    write('word/broken.docx', docx('{#open}'));
    write('word/good.docx', docx('{good}'));
    const pushed = await sync('templates', 'push');
    expect(pushed).toMatchObject({ exitCode: 1, actions: { 'broken.docx': 'failed', 'good.docx': 'created' } });
    expect(pushed.templates[0]?.message).toContain('{#open}');
    expect(await sync('templates', 'push', '--dry-run')).toMatchObject({ exitCode: 1 });
  });

  test('new templates that include each other are uploaded by one run', async () => {
    write('docmill.json', '{}');
    write('templates/a.docx', docx('{include "b"}'));
    write('templates/b.docx', docx('{include "terms.docx"}'));
    write('templates/terms.docx', docx('Dear {name}'));
    const created = {
      exitCode: 0,
      actions: { 'a.docx': 'created', 'b.docx': 'created', 'terms.docx': 'created' },
    };
    const planned = await sync('templates', 'push', '--dry-run');
    expect(planned).toMatchObject(created);
    const [terms, b] = planned.templates;
    expect([terms?.file, terms?.message]).toEqual(['terms.docx', undefined]);
    expect(b?.message).toBe('it was not checked, because it includes terms.docx, which is pushed first');
    expect(await sync('templates', 'push')).toMatchObject(created);
  });

  test('tags between the delimiters of the project are filled, and other braces stay', async () => {
    write('docmill.json', '{"delimiters": "<< >>"}');
    write('templates/letter.docx', docx('Dear << name >>, {salutation}'));
    const { templates } = await sync('templates', 'push');
    expect(templates).toMatchObject([{ file: 'letter.docx', action: 'created' }]);
    const made = await client.generate(templates[0]?.id ?? '', { data: { name: 'Ada' } });
    expect(docxText(made.bytes)).toContain('Dear Ada, {salutation}');
  });

  test('--strict-schema refuses what breaks the data of clients', async () => {
    await client.template('letter.docx', docx('Dear {name}'));
    await sync('templates', 'pull');
    write('templates/letter.docx', docx('Dear {customer}'));
    for (const words of [['--dry-run'], []]) {
      const pushed = await sync('templates', 'push', '--strict-schema', ...words);
      expect(pushed).toMatchObject({ exitCode: 1, actions: { 'letter.docx': 'failed' } });
    }
    expect((await sync('templates', 'push')).actions).toEqual({ 'letter.docx': 'uploaded' });
  });

  test('a deleted template keeps its file, and a deleted file its template', async () => {
    const { id } = await client.template('letter.docx', docx('Dear {name}'));
    await sync('templates', 'pull');
    rmSync(join(folder, 'templates/letter.docx'));
    expect((await sync('templates', 'push')).actions).toEqual({ 'letter.docx': 'kept' });
    expect((await sync('templates', 'pull')).actions).toEqual({ 'letter.docx': 'downloaded' });
    await client.call('DELETE', `/v1/templates/${id}`);
    expect((await sync('templates', 'pull')).actions).toEqual({ 'letter.docx': 'kept' });
    expect(await sync('templates', 'push')).toMatchObject({ exitCode: 7, actions: { 'letter.docx': 'conflict' } });
    expect((await sync('templates', 'push', '--force')).actions).toEqual({ 'letter.docx': 'created' });
  });
});

describe('the first push of a name from two computers at the same time', () => {
  const other = () => mkdtempSync(join(top, 'other-'));
  const project = (place: string, text: string): string => {
    mkdirSync(join(place, 'templates'));
    writeFileSync(join(place, 'docmill.json'), '{"templates": "templates"}');
    writeFileSync(join(place, 'templates/letter.docx'), docx(text));
    return place;
  };
  const pushTogether = async (...places: readonly string[]) => {
    const both = await startBarrier(places.length);
    try {
      const runs = places.map((place) =>
        runCli(['templates', 'push', '--folder', place, '--json'], { url: both.url, apiKey: client.apiKey }),
      );
      const results = (await Promise.all(runs)).map(({ stdout, stderr }) => {
        expect(stdout, stderr).not.toBe('');
        return (JSON.parse(stdout) as { readonly templates: readonly Result[] }).templates[0];
      });
      return results.sort((a, b) => ((a?.action ?? '') < (b?.action ?? '') ? -1 : 1));
    } finally {
      await both.close();
    }
  };
  const ids = async () => (await client.call('GET', '/v1/templates')).json<{ id: string }[]>().map(({ id }) => id);

  test('creates one template when the files are equal', async () => {
    const pushed = await pushTogether(project(folder, 'Dear {name}'), project(other(), 'Dear {name}'));
    const [id] = await ids();
    expect(pushed).toMatchObject([
      { action: 'created', id },
      { action: 'created', id },
    ]);
    expect(await ids()).toHaveLength(1);
  });

  test('creates one template when they differ, and the second push is a conflict', async () => {
    const pushed = await pushTogether(project(folder, 'Dear {name}'), project(other(), 'Hello {name}'));
    expect(pushed).toMatchObject([
      { action: 'conflict', message: expect.stringContaining('run the command again') },
      { action: 'created' },
    ]);
    expect(await ids()).toHaveLength(1);
  });

  test('works again after the template was deleted or renamed, with the same and with another file', async () => {
    project(folder, 'Dear {name}');
    for (const text of ['Dear {name}', 'Hello {name}', 'Dear {name}']) {
      write('templates/letter.docx', docx(text));
      expect((await sync('templates', 'push', '--force')).actions).toEqual({ 'letter.docx': 'created' });
      const [id] = await ids();
      expect(Buffer.from((await client.call('GET', `/v1/templates/${id}/content`)).bytes)).toEqual(
        Buffer.from(docx(text)),
      );
      expect(await ids()).toHaveLength(1);
      await client.call('DELETE', `/v1/templates/${id}`);
    }
  });
});

describe('diff', () => {
  test('of templates that have nothing in common fits on a screen', async () => {
    const tagged = (word: string) =>
      buildDocx({ body: Array.from({ length: 300 }, (_, index) => paragraph(`${word} {${word}${index}}`)).join('') });
    await client.template('letter.docx', tagged('before'));
    await sync('templates', 'pull');
    write('templates/letter.docx', tagged('after'));
    const { exitCode, stdout } = await cli('templates', 'diff');
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').length).toBeLessThan(160);
    expect(stdout).toMatch(/… 280 more tags that are removed; --json has all of them/);
    const json = JSON.parse((await cli('templates', 'diff', '--json')).stdout) as { templates: { tags: object }[] };
    expect(json.templates[0]?.tags).toMatchObject({ added: { length: 300 }, removed: { length: 300 } });
  });

  test('text, tags and fields, with what breaks clients marked; 1 when something differs', async () => {
    await client.template('letter.docx', docx('Dear {name}, {city}'));
    await client.template('same.docx', docx('Same {name}'));
    await sync('templates', 'pull');
    expect(await cli('templates', 'diff')).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'There are no differences.\n',
    });
    write('templates/letter.docx', docx('Hello {name}, {street}'));
    write('templates/new.docx', docx('{new}'));
    rmSync(join(folder, 'templates/same.docx'));
    const { exitCode, stdout } = await cli('templates', 'diff');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('letter.docx: differs from version 1\n--- version 1/letter.docx');
    expect(stdout).toContain('\n-Dear {name}, {city}\n+Hello {name}, {street}\n- tag city\n+ tag street\n! ');
    expect(stdout).toMatch(/^! .*city/m);
    expect(stdout).toMatch(/new\.docx: only here\nsame\.docx: only in the service\n$/);
    const json = await cli('templates', 'diff', 'letter', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      templates: [{ state: 'different', version: 1, tags: { added: ['street'], removed: ['city'] } }],
    });
    write('templates/letter.docx', docx('{#open}'));
    expect((await cli('templates', 'diff', 'letter')).stderr).toContain('the file would be rejected');
    write('templates/letter.docx', 'no zip');
    expect(await cli('templates', 'diff', 'letter')).toMatchObject({ exitCode: 1 });
  });
});

describe('promote', () => {
  test('copies from one account to another, is repeatable, and refuses what breaks clients', async () => {
    const production = await newClient();
    const profiles = { staging: { url, apiKey: client.apiKey }, production: { url, apiKey: production.apiKey } };
    mkdirSync(join(folder, 'docmill'), { mode: 0o700 });
    const config = JSON.stringify({ defaultProfile: 'staging', profiles });
    writeFileSync(join(folder, 'docmill/config.json'), config, { mode: 0o600 });
    const promote = async (...words: readonly string[]) => {
      const all = ['templates', 'promote', 'letter', '--from', 'staging', '--to', 'production', '--json', ...words];
      const { exitCode, stdout, stderr } = await runCli(all, { url, apiKey: '' }, { XDG_CONFIG_HOME: folder });
      expect(stdout, stderr).not.toBe('');
      const { templates } = JSON.parse(stdout) as { readonly templates: readonly Result[] };
      return { exitCode, ...templates[0] };
    };
    const { id } = await client.template('letter.docx', docx('Dear {name}'));
    expect(await promote('--dry-run')).toMatchObject({ exitCode: 0, action: 'created', version: null });
    expect((await production.call('GET', '/v1/templates')).json()).toEqual([]);
    expect(await promote()).toMatchObject({ exitCode: 0, action: 'created', version: 1 });
    expect(await promote()).toMatchObject({ exitCode: 0, action: 'unchanged', version: 1 });
    await client.reupload(id, 'letter.docx', docx('Dear {customer}'));
    for (const words of [['--dry-run'], []]) {
      const refused = await promote(...words);
      expect(refused).toMatchObject({ exitCode: 1, action: 'failed', version: 1 });
      expect(refused.message).toContain('--force');
    }
    expect(await promote('--template-version', '1')).toMatchObject({ action: 'unchanged' });
    expect(await promote('--force')).toMatchObject({ exitCode: 0, action: 'uploaded', version: 2 });
    expect((await production.call('GET', '/v1/templates')).json()).toMatchObject([
      { name: 'letter.docx', tags: ['customer'] },
    ]);
    const same = ['templates', 'promote', 'letter', '--from', 'staging', '--to', 'staging'];
    expect((await runCli(same, { url, apiKey: '' }, { XDG_CONFIG_HOME: folder })).exitCode).toBe(2);
  });
});

/** The commands of a part of a guide, as one script. */
function readSnippets(guide: string, part: string): string {
  const text = readFileSync(guide, 'utf8');
  const [, content = ''] = text.split(`\n## ${part}\n`);
  const [own = ''] = content.split('\n## ');
  return [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, snippet]) => snippet).join('');
}

test('the commands of the guide work as they are printed', async () => {
  const production = await newClient();
  const profiles = { staging: { url, apiKey: client.apiKey }, production: { url, apiKey: production.apiKey } };
  mkdirSync(join(folder, 'docmill'), { mode: 0o700 });
  const config = JSON.stringify({ defaultProfile: 'staging', profiles });
  writeFileSync(join(folder, 'docmill/config.json'), config, { mode: 0o600 });
  const snippets = readSnippets('docs/guides/command-line.md', 'Templates as code');
  expect(snippets.match(/^docmill /gm)?.length).toBeGreaterThan(8);
  const script = `set -eu\ndocmill() { "$NODE" "$PROGRAM" "$@"; }\n${snippets}`;
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, XDG_CONFIG_HOME: folder, NODE: process.execPath, PROGRAM: cliProgram };
  const { stdout, stderr } = await execute('bash', ['-c', script], { cwd: folder, env });
  expect(stdout, stderr).toContain('1 passed');
  expect((await production.call('GET', '/v1/templates')).json()).toMatchObject([
    { name: 'example-invoice.docx', version: 1 },
  ]);
});
