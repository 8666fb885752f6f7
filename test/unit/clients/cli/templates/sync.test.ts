import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runInProcess } from '../run-in-process.ts';

/** What no service of ours does: names that lead out of a folder, answers that are cut, changes between two requests. */
const top = mkdtempSync(join(tmpdir(), 'docmill-sync-'));
let folder: string;
let templates: { id: string; name: string; version: number; checksum: string; content: string }[];
let beforeAnswer: (request: IncomingMessage, response: ServerResponse) => boolean;
let uploads: (string | undefined)[];

const server = createServer(async (request, response) => {
  for await (const _ of request);
  if (beforeAnswer(request, response)) return;
  const [, , , id, , version] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
  const found = templates.find((one) => one.id === id);
  const json = (status: number, value: unknown, headers = {}) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
  if (request.method === 'PUT') {
    uploads.push(request.headers['if-match']);
    if (request.headers['if-match'] === `"${found?.version}-0"`)
      return json(200, { ...found, version: 9, warnings: [] });
    return json(412, { error: { status: 412, message: 'The resource was changed since you read it.' } });
  }
  if (id === undefined)
    return json(
      200,
      templates.map(({ content: _, ...template }) => template),
    );
  if (version !== undefined) return response.end(found?.content);
  return json(200, found, { ETag: `W/"${found?.version}-0"` });
});

beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(top, { recursive: true, force: true });
});
beforeEach(() => {
  folder = join(mkdtempSync(join(top, 'run-')), 'project');
  mkdirSync(folder);
  uploads = [];
  templates = [];
  beforeAnswer = () => false;
});
afterEach(() => expect(readdirSync(join(folder, '..')), 'nothing is written outside').toEqual(['project']));

function add(name: string, content = `content of ${name}`): void {
  const id = `tpl_${String(templates.length).padStart(26, '0')}`;
  const checksum = createHash('sha256').update(content).digest('hex');
  templates.push({ id, name, version: 1, checksum, content });
}
function run(...words: readonly string[]) {
  const { port } = server.address() as AddressInfo;
  const env = { DOCMILL_URL: `http://127.0.0.1:${port}`, DOCMILL_API_KEY: 'key' };
  return runInProcess(['templates', ...words, '--folder', folder], env);
}
const files = () => readdirSync(join(folder, 'templates')).sort();
const lockedFiles = () => {
  const { services } = JSON.parse(readFileSync(join(folder, 'docmill.lock.json'), 'utf8')) as {
    services: Record<string, { templates: Record<string, unknown> }>;
  };
  return Object.values(services).flatMap(({ templates: entries }) => Object.keys(entries));
};

test('hostile names stay in the folder, and each template has its file', async () => {
  const names = [
    '../../x.docx',
    '/etc/x.docx',
    '..\\x.docx',
    'a\0b.docx',
    'NUL.docx',
    'X.docx',
    `${'ü'.repeat(300)}.docx`,
  ];
  for (const name of names) add(name);
  expect(await run('pull')).toMatchObject({ exitCode: 0 });
  expect(files()).toHaveLength(names.length);
  expect(lockedFiles()).toEqual(files());
  expect(files()).toEqual(expect.arrayContaining(['x.docx', 'a_b.docx', '_NUL.docx']));
  expect(await run('pull', '--json')).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('downloaded') });
});

test('a template that cannot be one writes nothing', async () => {
  add('a.docx');
  for (const change of [{ id: 'tpl_../../../../evil' }, { checksum: '../x' }, { version: 0.5 }]) {
    const [first] = templates;
    templates = first === undefined ? [] : [{ ...first, ...change }];
    expect(await run('pull')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('cannot be one') });
    expect(readdirSync(folder)).toEqual([]);
    templates = first === undefined ? [] : [first];
  }
});

test('what does not arrive as it is stored is not written; what came before is in the lock file', async () => {
  add('a.docx');
  add('b.docx');
  const [, second] = templates;
  if (second !== undefined) second.content = 'cut';
  expect(await run('pull')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('did not arrive') });
  expect(files()).toEqual(['a.docx']);
  expect(lockedFiles()).toEqual(['a.docx']);
});

test('an interrupted pull leaves whole files that the lock file has, and can be repeated', async () => {
  for (let number = 0; number < 12; number += 1) add(`t${number}.docx`);
  let answered = 0;
  beforeAnswer = (request, response) => {
    const isCut = request.url?.includes('/versions/') === true && ++answered > 5;
    if (isCut)
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"error":{"status":403,"message":"no"}}');
    return isCut;
  };
  expect(await run('pull')).toMatchObject({ exitCode: 3 });
  expect(files()).toHaveLength(5);
  expect(lockedFiles().sort()).toEqual(files());
  beforeAnswer = () => false;
  expect(await run('pull')).toMatchObject({ exitCode: 0 });
  expect(files()).toHaveLength(12);
});

test('a file that is saved while its template is fetched is kept', async () => {
  add('a.docx');
  await run('pull');
  Object.assign(templates[0] ?? {}, {
    version: 2,
    content: 'theirs',
    checksum: createHash('sha256').update('theirs').digest('hex'),
  });
  beforeAnswer = (request) => {
    if (request.url?.includes('/versions/') === true) writeFileSync(join(folder, 'templates/a.docx'), 'saved now');
    return false;
  };
  expect(await run('pull')).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('just now') });
  expect(readFileSync(join(folder, 'templates/a.docx'), 'utf8')).toBe('saved now');
});

test('a version that is uploaded while another one is pushed is not overwritten', async () => {
  add('a.docx');
  await run('pull');
  writeFileSync(join(folder, 'templates/a.docx'), 'ours');
  beforeAnswer = ({ method }) => {
    if (method === 'PUT') Object.assign(templates[0] ?? {}, { version: 2 });
    return false;
  };
  expect(await run('push')).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('run the command again') });
  beforeAnswer = ({ url }) => {
    if (url?.endsWith('0')) Object.assign(templates[0] ?? {}, { version: 3, checksum: 'f'.repeat(64) });
    return false;
  };
  expect(await run('push')).toMatchObject({ exitCode: 7 });
  expect(uploads).toEqual(['"1-0"']);
});
