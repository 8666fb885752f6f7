import { PNG } from 'pngjs';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

const { newClient } = await useService(inject('stack'));
const colored = (color: string): Buffer =>
  buildDocx({
    body: `<w:p><w:pPr><w:shd w:val="clear" w:fill="${color}"/></w:pPr><w:r><w:t>Dear {name}</w:t></w:r></w:p>`,
  });

let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient({ docs: 3, templates: 10 });
  id = (await client.template('a.docx', colored('FF0000'))).id;
});

const read = (search = '', headers: Readonly<Record<string, string>> = {}) =>
  client.call('GET', `/v1/templates/${id}/thumbnail${search}`, { headers });

/** The number of pixels that nearly have the colour. */
function count(png: Uint8Array, [red, green, blue]: readonly [number, number, number]): number {
  const { data, width, height } = PNG.sync.read(Buffer.from(png));
  const isNear = (at: number, wanted: number) => Math.abs((data[at] ?? 0) - wanted) < 8;
  const pixels = Array.from({ length: width * height }, (_, n) => n * 4);
  return pixels.filter((at) => isNear(at, red) && isNear(at + 1, green) && isNear(at + 2, blue)).length;
}

describe('the thumbnail of a template', () => {
  test('is made once for concurrent requests, and charges nothing', async () => {
    const answers = await Promise.all([read(), read(), read('?version=1')]);
    const [first] = answers;
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const answer of [...answers, await read()]) {
      expect(answer.bytes.equals(first.bytes)).toBe(true);
      expect(answer.headers.get('ETag')).toBe(first.headers.get('ETag'));
    }
    expect(first.headers.get('Content-Type')).toBe('image/png');
    const { width, height } = PNG.sync.read(first.bytes);
    expect(Math.min(width, height)).toBeGreaterThan(400);
    expect(Math.max(width, height)).toBeLessThan(800);
    const [white, red] = [count(first.bytes, [255, 255, 255]), count(first.bytes, [255, 0, 0])];
    expect(red).toBeGreaterThan(1_000);
    // No watermark.
    expect(width * height - white - red).toBeLessThan(2_000);
    expect((await client.quotas()).remaining.total.docs).toBe(3);
    expect((await client.call('GET', '/v1/jobs')).json()).toEqual([]);
  });

  test('may be cached forever when the request names a version', async () => {
    const named = await read('?version=1');
    expect(named.headers.get('Cache-Control')).toBe('private, max-age=31536000, immutable');
    const current = await read();
    expect(current.headers.get('Cache-Control')).toBe('private, no-cache');
    const etag = current.headers.get('ETag') ?? '';
    expect((await read('', { 'If-None-Match': etag })).status).toBe(304);
    expectProblem(await read('', { 'If-Match': '"other"' }), 412);
  });

  test('belongs to its version', async () => {
    const form = uploadForm('a.docx', colored('0000FF'));
    expect((await client.call('PUT', `/v1/templates/${id}/content`, { body: form })).status).toBe(200);
    expect(count((await read()).bytes, [0, 0, 255])).toBeGreaterThan(1_000);
    expect(count((await read('?version=1')).bytes, [255, 0, 0])).toBeGreaterThan(1_000);
    expectProblem(await read('?version=3'), 404);
  });

  test('is not found when the template is at fault; the reason is kept, so that it is not drawn at each request', async () => {
    const broken = await client.template('c.docx', buildDocx({ body: paragraph('{name} {"soon" | date:"yyyy"}') }));
    const path = `/v1/templates/${broken.id}/thumbnail`;
    const first = await client.call('GET', path);
    expectProblem(first, 404, /There is no thumbnail of this version: \S/);
    const again = await client.call('GET', path);
    expect(again.json()).toEqual(first.json());
    expect(again.headers.get('RateLimit-Policy')).not.toContain('preview');
  });
});
