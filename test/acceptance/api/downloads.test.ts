import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { formOf } from './form-bodies.ts';
import { png } from './pictures.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const paths: Record<string, string> = {};
let client: TestClient;

const available = (name: string) =>
  vi.waitFor(async () => expect((await client.call('GET', paths[name] ?? '')).status).toBe(200), 60_000);

beforeAll(async () => {
  client = await newClient();
  const { id } = await client.template('a.docx', letter('Dear {name}'));
  paths.template = `/v1/templates/${id}/content`;
  paths.version = `/v1/templates/${id}/versions/1/content`;
  paths.metadata = `/v1/templates/${id}`;
  const picture = formOf([
    ['name', 'logo.png'],
    ['file', png(20, 20, [9, 9, 9]), 'logo.png'],
  ]);
  const asset = (await client.call('POST', '/v1/assets', { body: picture })).json<{ id: string }>();
  paths.asset = `/v1/assets/${asset.id}/content`;
  paths.assetMetadata = `/v1/assets/${asset.id}`;
  const job = await client.generate(id, { data: { name: 'Ada' } }, { Prefer: 'respond-async' });
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

describe.each(everything)('%s', (name) => {
  test('is not sent again to a client that has it', async () => {
    const etag = (await get(name)).headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const known of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(name, { 'If-None-Match': known }, method);
        expect([answer.status, answer.bytes.length, answer.headers.get('ETag')]).toEqual([304, 0, etag]);
      }
    }
    for (const other of ['"x"', 'x', '', `"${'a'.repeat(9_000)}"`, '"a" "b"']) {
      expect((await get(name, { 'If-None-Match': other })).status).toBe(200);
    }
  });

  test('is sent only in the state that If-Match names', async () => {
    const etag = (await get(name)).headers.get('ETag') ?? '';
    for (const required of [etag, '*', `"x", ${etag}`])
      expect((await get(name, { 'If-Match': required })).status).toBe(200);
    for (const other of ['"x"', `W/${etag}`]) expectProblem(await get(name, { 'If-Match': other }), 412);
  });
});

describe.each(files)('the file of a %s', (name) => {
  test('can be downloaded in ranges', async () => {
    const whole = await get(name);
    const { bytes, headers } = whole;
    expect([headers.get('Accept-Ranges'), headers.get('Content-Length')]).toEqual(['bytes', String(bytes.length)]);
    const etag = headers.get('ETag') ?? '';
    const cases: readonly (readonly [string, number, number])[] = [
      ['bytes=4-9', 4, 9],
      ['bytes=0-0', 0, 0],
      ['BYTES=5-', 5, bytes.length - 1],
      ['bytes=-3', bytes.length - 3, bytes.length - 1],
      ['bytes=-999999999', 0, bytes.length - 1],
      [`bytes=7-${bytes.length + 5}`, 7, bytes.length - 1],
    ];
    for (const [range, start, end] of cases) {
      const part = await get(name, { Range: range, 'If-Range': etag });
      expect([part.status, part.headers.get('Content-Range')], range).toEqual([
        206,
        `bytes ${start}-${end}/${bytes.length}`,
      ]);
      expect(part.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
      expect(part.headers.get('Content-Disposition')).toBe(headers.get('Content-Disposition'));
    }
  });

  test('is sent whole when the range cannot be used, or the file has changed', async () => {
    const { bytes, headers } = await get(name);
    for (const range of [
      'bytes=9-4',
      'bytes=-',
      'bytes=a-b',
      'bytes=0-1,3-4',
      'lines=1-2',
      'bytes',
      `bytes=${'9'.repeat(99)}-`,
    ]) {
      const answer = await get(name, { Range: range });
      expect([answer.status, answer.bytes.length], range).toEqual([200, bytes.length]);
    }
    for (const known of ['"x"', `W/${headers.get('ETag')}`, 'Sat, 21 Nov 2026 00:00:00 GMT', '']) {
      const answer = await get(name, { Range: 'bytes=0-1', 'If-Range': known });
      expect([answer.status, answer.bytes.length], known).toEqual([200, bytes.length]);
    }
  });

  test('a range after its end gets 416 and the size', async () => {
    const { bytes } = await get(name);
    for (const range of [`bytes=${bytes.length}-`, 'bytes=999999999-', 'bytes=-0']) {
      const answer = await get(name, { Range: range });
      expectProblem(answer, 416, /begins after its end/);
      expect(answer.headers.get('Content-Range')).toBe(`bytes */${bytes.length}`);
    }
  });

  test('HEAD has the headers of GET, and ignores a range', async () => {
    const whole = await get(name);
    for (const headers of [{}, { Range: 'bytes=0-1' }]) {
      const head = await get(name, headers, 'HEAD');
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      for (const header of ['Content-Length', 'Content-Type', 'ETag', 'Accept-Ranges', 'Content-Disposition']) {
        expect(head.headers.get(header), header).toBe(whole.headers.get(header));
      }
    }
  });
});

test('files that never change are tagged with their checksum', async () => {
  for (const name of ['version', 'asset', 'job', 'bundle']) {
    const { bytes, headers } = await get(name);
    expect(headers.get('ETag')).toBe(`"${sha256(bytes)}"`);
  }
});

test('HEAD of JSON has the length that GET has', async () => {
  for (const path of [
    paths.metadata,
    paths.webhook,
    '/v1/templates',
    '/v1/account/quotas',
    '/healthz',
    '/openapi.json',
  ]) {
    const [head, whole] = [await client.call('HEAD', path ?? ''), await client.call('GET', path ?? '')];
    expect(head.headers.get('Content-Length'), path).toBe(String(whole.bytes.length));
    expect(head.bytes).toHaveLength(0);
  }
  const missing = await client.call('HEAD', '/v1/templates/tpl_00000000000000000000000000');
  expect([missing.status, Number(missing.headers.get('Content-Length')) > 0]).toEqual([404, true]);
});

test('HEAD of the events of a batch does not occupy a stream', async () => {
  const events = (paths.manifest ?? '').replace('/manifest', '/events');
  for (let i = 0; i < 30; i++) expect((await client.call('HEAD', events)).status).toBe(200);
});

test('the manifest has a tag for each of its two formats', async () => {
  const [json, csv] = [await get('manifest'), await get('manifest', { Accept: 'text/csv' })];
  expect(json.headers.get('ETag')).not.toBe(csv.headers.get('ETag'));
  const headers = { Accept: 'text/csv', 'If-None-Match': csv.headers.get('ETag') ?? '' };
  expect((await get('manifest', headers)).status).toBe(304);
});
