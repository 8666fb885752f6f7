import { createHash } from 'node:crypto';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { png } from './pictures.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const paths: Record<string, string> = {};
let client: TestClient;

const available = (name: string) =>
  vi.waitFor(async () => expect((await client.call('GET', paths[name] ?? '')).status).toBe(200), 240_000);

beforeAll(async () => {
  client = await newClient();
  const { id } = await client.template('a.docx', letter('Dear {name}'));
  paths.template = `/v1/templates/${id}/content`;
  paths.version = `/v1/templates/${id}/versions/1/content`;
  paths.metadata = `/v1/templates/${id}`;
  const picture = uploadForm('logo.png', png(20, 20, [9, 9, 9]));
  const asset = (await client.call('POST', '/v1/assets', { body: picture })).json<{ id: string }>();
  paths.asset = `/v1/assets/${asset.id}/content`;
  paths.assetMetadata = `/v1/assets/${asset.id}`;
  const job = await client.start(id, { data: { name: 'Ada' } });
  paths.job = `${job.headers.get('Location')}/content`;
  await available('job');
  const json = { items: [{ data: { name: 'Ada' } }, { data: { name: 'Bob' } }] };
  const batch = (await client.call('POST', `/v1/templates/${id}/batches`, { json })).headers.get('Location') ?? '';
  paths.bundle = `${batch}/content`;
  paths.manifest = `${batch}/manifest`;
  await available('bundle');
  const hook = { url: 'https://example.com/hook', events: ['document.failed'] };
  paths.webhook = (await client.call('POST', '/v1/webhooks', { json: hook })).headers.get('Location') ?? '';
});

const get = (name: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  client.call(method, paths[name] ?? '', { headers });

const files = ['template', 'version', 'asset', 'job', 'bundle'] as const;
const everything = [...files, 'metadata', 'assetMetadata', 'manifest', 'webhook'] as const;

test.each(everything)(
  '%s is not sent again to a client that has it, nor if If-Match names another state',
  async (name) => {
    const etag = (await get(name)).headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const method of ['GET', 'HEAD']) {
      const answer = await get(name, { 'If-None-Match': `"x", ${etag}` }, method);
      expect([answer.status, answer.bytes.length, answer.headers.get('ETag')]).toEqual([304, 0, etag]);
    }
    expect((await get(name, { 'If-None-Match': '"x"', 'If-Match': etag })).status).toBe(200);
    expectProblem(await get(name, { 'If-Match': '"x"' }), 412);
  },
);

test.each(files)('the file of a %s can be downloaded in ranges, and HEAD has the headers of GET', async (name) => {
  const { bytes, headers } = await get(name);
  expect([headers.get('Accept-Ranges'), headers.get('Content-Length')]).toEqual(['bytes', String(bytes.length)]);
  for (const [range, start, end] of [
    ['bytes=4-9', 4, 9],
    ['bytes=-3', bytes.length - 3, bytes.length - 1],
  ] as const) {
    const part = await get(name, { Range: range, 'If-Range': headers.get('ETag') ?? '' });
    expect([part.status, part.headers.get('Content-Range')]).toEqual([206, `bytes ${start}-${end}/${bytes.length}`]);
    expect(part.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
    expect(part.headers.get('Content-Disposition')).toBe(headers.get('Content-Disposition'));
  }
  expect((await get(name, { Range: 'bytes=0-1', 'If-Range': '"x"' })).bytes).toHaveLength(bytes.length);
  expectProblem(await get(name, { Range: `bytes=${bytes.length}-` }), 416, /begins after its end/);
  const head = await get(name, { Range: 'bytes=0-1' }, 'HEAD');
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  for (const header of ['Content-Length', 'Content-Type', 'ETag', 'Accept-Ranges', 'Content-Disposition'])
    expect(head.headers.get(header), header).toBe(headers.get(header));
});

test('the entity tag of a file that never changes is its checksum', async () => {
  for (const name of ['version', 'asset', 'job', 'bundle']) {
    const { bytes, headers } = await get(name);
    expect(headers.get('ETag')).toBe(`"${sha256(bytes)}"`);
  }
});

test('HEAD requests for the events of a batch occupy no stream', async () => {
  const events = (paths.manifest ?? '').replace('/manifest', '/events');
  for (let i = 0; i < 30; i++) expect((await client.call('HEAD', events)).status).toBe(200);
});

test('the manifest has an entity tag for each of its two formats', async () => {
  const [json, csv] = [await get('manifest'), await get('manifest', { Accept: 'text/csv' })];
  expect(json.headers.get('ETag')).not.toBe(csv.headers.get('ETag'));
  const headers = { Accept: 'text/csv', 'If-None-Match': csv.headers.get('ETag') ?? '' };
  expect((await get('manifest', headers)).status).toBe(304);
});
