import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type ReceivedWebhook, startWebhookReceiver } from '../../../../support/faults/webhook-receiver.ts';
import { type TestFolder, useFolder } from '../../../../support/folder.ts';
import { runInProcess } from '../run-in-process.ts';

/**
 * Simulates what our service never does: names that lead out of a folder, truncated responses, and changes between two
 * requests.
 */
const service = await startWebhookReceiver({ answer });
afterAll(() => service.close());
const top = useFolder();
let parent: TestFolder;
let templates: { id: string; name: string; version: number; checksum: string; content: string }[];
let beforeAnswer: (request: ReceivedWebhook, response: ServerResponse) => unknown;
let uploads: (string | undefined)[];

function answer(request: ReceivedWebhook, response: ServerResponse): void {
  if (beforeAnswer(request, response) === true) return;
  const { method, path, headers } = request;
  const [, , , id, , version] = path.split('?')[0]?.split('/') ?? [];
  const found = templates.find((one) => one.id === id);
  const json = (status: number, value: unknown, more = {}) =>
    void response.writeHead(status, more).end(JSON.stringify(value));
  if (method === 'PUT') {
    uploads.push(headers['if-match']);
    if (headers['if-match'] === `"${found?.version}-0"`) json(200, { ...found, version: 9, warnings: [] });
    else json(412, { error: { status: 412, message: 'The resource was changed since you read it.' } });
  } else if (id === 'validate') json(200, { warnings: [] });
  else if (id === undefined) json(200, templates);
  else if (version !== undefined) response.end(found?.content);
  else json(200, found, { ETag: `W/"${found?.version}-0"` });
}

beforeEach(() => {
  parent = top.below();
  parent.write('project/.keep', '');
  [uploads, templates, beforeAnswer] = [[], [], () => false];
});
afterEach(() => expect(parent.list(), 'nothing is written outside').toEqual(['project']));

const checksumOf = (content: string) => createHash('sha256').update(content).digest('hex');
function add(name: string, content = `content of ${name}`): void {
  const id = `tpl_${String(templates.length).padStart(26, '0')}`;
  templates.push({ id, name, version: 1, checksum: checksumOf(content), content });
}
function run(line: string) {
  const env = { DOCMILL_URL: service.url, DOCMILL_API_KEY: 'key' };
  return runInProcess(`templates ${line} --folder ${parent.at('project')}`, env);
}
const files = () => parent.list('project/templates');
const lockedFiles = () => {
  const { services } = JSON.parse(parent.text('project/docmill.lock.json')) as {
    services: Record<string, { templates: Record<string, unknown> }>;
  };
  return Object.values(services).flatMap(({ templates: entries }) => Object.keys(entries));
};
const isDownload = ({ path }: ReceivedWebhook) => path.includes('/versions/');

test('hostile names stay in the folder, and each template gets a file', async () => {
  const names = ['../../x.docx', '/etc/x.docx', '..\\x.docx', 'a\0b.docx', 'NUL.docx', 'X.docx'];
  for (const name of [...names, `${'ü'.repeat(300)}.docx`]) add(name);
  expect(await run('pull')).toMatchObject({ exitCode: 0 });
  expect(files()).toHaveLength(names.length + 1);
  expect(lockedFiles()).toEqual(files());
  expect(files()).toEqual(expect.arrayContaining(['x.docx', 'a_b.docx', '_NUL.docx']));
  expect(await run('pull --json')).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('downloaded') });
});

test('nothing is written when a template is invalid', async () => {
  add('a.docx');
  for (const change of [{ id: 'tpl_../../../../evil' }, { checksum: '../x' }, { version: 0.5 }]) {
    const [first] = templates;
    templates = first === undefined ? [] : [{ ...first, ...change }];
    expect(await run('pull')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('cannot be one') });
    expect(parent.list('project')).toEqual(['.keep']);
    templates = first === undefined ? [] : [first];
  }
});

test('a file that arrives damaged is not written, and earlier files are in the lock file', async () => {
  add('a.docx');
  add('b.docx');
  const [, second] = templates;
  if (second !== undefined) second.content = 'cut';
  expect(await run('pull')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('did not arrive') });
  expect(files()).toEqual(['a.docx']);
  expect(lockedFiles()).toEqual(['a.docx']);
});

test('an interrupted pull leaves only complete files, all in the lock file, and can be repeated', async () => {
  for (let number = 0; number < 12; number += 1) add(`t${number}.docx`);
  let answered = 0;
  beforeAnswer = (request, response) => {
    const isCut = isDownload(request) && ++answered > 5;
    if (isCut) response.writeHead(403).end('{"error":{"status":403,"message":"no"}}');
    return isCut;
  };
  expect(await run('pull')).toMatchObject({ exitCode: 3 });
  expect(files()).toHaveLength(5);
  expect(lockedFiles().sort()).toEqual(files());
  beforeAnswer = () => false;
  expect(await run('pull')).toMatchObject({ exitCode: 0 });
  expect(files()).toHaveLength(12);
});

test('a file that is saved during the download of its template is kept', async () => {
  add('a.docx');
  await run('pull');
  Object.assign(templates[0] ?? {}, { version: 2, content: 'theirs', checksum: checksumOf('theirs') });
  beforeAnswer = (request) => isDownload(request) && parent.write('project/templates/a.docx', 'saved now');
  expect(await run('pull')).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('just now') });
  expect(parent.text('project/templates/a.docx')).toBe('saved now');
});

test('a version uploaded by someone else during a push is not overwritten', async () => {
  add('a.docx');
  await run('pull');
  parent.write('project/templates/a.docx', 'ours');
  beforeAnswer = ({ method }) => method === 'PUT' && Object.assign(templates[0] ?? {}, { version: 2 });
  expect(await run('push')).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('run the command again') });
  const newest = { version: 3, checksum: 'f'.repeat(64) };
  beforeAnswer = ({ path }) => path.endsWith('0') && Object.assign(templates[0] ?? {}, newest);
  expect(await run('push')).toMatchObject({ exitCode: 7 });
  expect(uploads).toEqual(['"1-0"']);
});
