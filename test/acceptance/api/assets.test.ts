import { createHash } from 'node:crypto';
import PizZip from 'pizzip';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, nextOf, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { formOf } from './form-bodies.ts';
import { jpeg, png, pngThatClaims, svg } from './pictures.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const [red, blue] = [png(40, 30, [200, 0, 0]), png(40, 30, [0, 0, 200])];
let client: TestClient;
beforeAll(async () => {
  client = await newClient();
});

interface Asset {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly checksum: string;
  readonly updatedAt: string;
}

const put = (name: string, file: Uint8Array, as = client): Promise<Answer> =>
  as.call('POST', '/v1/assets', { body: uploadForm(name, file) });
const uploadAsset = async (name: string, file: Uint8Array, as = client): Promise<Asset> => {
  const answer = await put(name, file, as);
  expect(answer.status, answer.bytes.toString()).toBe(201);
  return answer.json<Asset>();
};
const mediaOf = (docx: Uint8Array): Buffer[] =>
  new PizZip(Buffer.from(docx)).file(/^word\/media\//).map((entry) => entry.asNodeBuffer());

test('an asset can be uploaded, read, listed and deleted', async () => {
  const own = await newClient();
  const uploaded = await put('Firmenzeichen ä.png', red, own);
  expect(uploaded.status).toBe(201);
  const asset = uploaded.json<Asset>();
  expect(uploaded.headers.get('Location')).toBe(`/v1/assets/${asset.id}`);
  expect(asset).toEqual({
    id: expect.stringMatching(/^ast_[0-9a-z]{26}$/) as string,
    name: 'Firmenzeichen ä.png',
    type: 'png',
    size: red.length,
    checksum: createHash('sha256').update(red).digest('hex'),
    width: 40,
    height: 30,
    createdAt: expect.stringMatching(/Z$/) as string,
    updatedAt: asset.updatedAt,
  });
  expect((await own.call('GET', `/v1/assets/${asset.id}`)).json()).toEqual(asset);
  expect((await own.call('GET', '/v1/assets')).json()).toEqual([asset]);

  const content = await own.call('GET', `/v1/assets/${asset.id}/content`);
  expect(content.bytes.equals(red)).toBe(true);
  expect(Object.fromEntries(content.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'attachment; filename="Firmenzeichen a.png"; filename*=UTF-8\'\'Firmenzeichen%20%C3%A4.png',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    etag: `"${asset.checksum}"`,
  });

  expect((await own.call('DELETE', `/v1/assets/${asset.id}`)).status).toBe(204);
  for (const path of ['', '/content']) expectProblem(await own.call('GET', `/v1/assets/${asset.id}${path}`), 404);
  expectProblem(await own.call('DELETE', `/v1/assets/${asset.id}`), 404);
  expect((await own.call('GET', '/v1/assets')).json()).toEqual([]);
});

test.each([
  ['png', red, 'a.txt', 'image/png', 'a.txt.png', 40, 30],
  ['jpeg', jpeg, 'photo.png', 'image/jpeg', 'photo.png.jpeg', 8, 6],
  ['svg', svg('<rect width="120" height="80"/>'), 'drawing.html', 'image/svg+xml', 'drawing.html.svg', 120, 80],
])('a %s is recognized by its bytes, not by its name', async (type, file, name, mediaType, filename, width, height) => {
  const asset = await uploadAsset(name, file);
  expect(asset).toMatchObject({ type, name, width, height });
  const content = await client.call('GET', `/v1/assets/${asset.id}/content`);
  expect(content.headers.get('Content-Type')).toBe(mediaType);
  expect(content.headers.get('Content-Disposition')).toContain(`attachment; filename="${filename}"`);
});

test('pages list every asset once, newest first, and can be filtered by part of the name', async () => {
  const own = await newClient();
  for (const name of ['a.png', 'b.png', 'Bild.png']) await uploadAsset(name, red, own);
  const first = await own.call('GET', '/v1/assets?limit=2');
  const last = await own.call('GET', nextOf(first) ?? '');
  const names = [first, last].flatMap((page) => page.json<Asset[]>().map(({ name }) => name));
  expect(names).toEqual(['Bild.png', 'b.png', 'a.png']);
  expect(nextOf(last)).toBeUndefined();
  expect((await own.call('GET', '/v1/assets?name=BIL')).json<Asset[]>().map(({ name }) => name)).toEqual(['Bild.png']);
});

test.each([
  ['a text file', Buffer.from('hello'), /PNG, JPEG, GIF or SVG/],
  ['a PNG that is cut off', red.subarray(0, 60), /damaged/],
  ['a PNG of too many pixels', pngThatClaims(10_000, 10_000), /more than 50 million pixels/],
  ['an SVG with a script', svg('<script>alert(1)</script>'), /holds scripts/],
])('%s is refused, and not stored', async (_name, file, message) => {
  const { details } = expectProblem(await put('bad.png', file), 400);
  expect(details).toEqual([{ type: 'Field', path: 'file', message: expect.stringMatching(message) as string }]);
  expect((await client.call('GET', '/v1/assets?name=bad.png')).json()).toEqual([]);
});

describe('assets in documents', () => {
  test('data refers to an asset by id or by name, and gets its current content', async () => {
    const own = await newClient();
    const { id } = await own.template('a.docx', letter('{%logo}'));
    const asset = await uploadAsset('logo.png', red, own);
    for (const name of [asset.id, 'logo.png']) {
      const answer = await own.generate(id, { data: { logo: { asset: name } } });
      expect(answer.status, answer.bytes.toString().slice(0, 300)).toBe(200);
      expect(mediaOf(answer.bytes).some((bytes) => bytes.equals(red))).toBe(true);
    }
    const replaced = await put('logo.png', blue, own);
    expect([replaced.status, replaced.json<Asset>().id]).toEqual([200, asset.id]);
    const later = await own.generate(id, { data: { logo: { asset: asset.id } } });
    expect(mediaOf(later.bytes).some((bytes) => bytes.equals(blue))).toBe(true);
    const pdf = await own.generate(id, { data: { logo: { asset: 'logo.png' } }, output: { format: 'pdf' } });
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('a deleted asset, or one of another account, is reported with its path in the data, and nothing is charged', async () => {
    const own = await newClient({ docs: 5, templates: 5 });
    const { id } = await own.template('a.docx', letter('{#items}{%logo}{/items}'));
    const [gone, foreign] = [await uploadAsset('gone.png', red, own), await uploadAsset('foreign.png', red)];
    await own.call('DELETE', `/v1/assets/${gone.id}`);
    const data = { items: [gone.id, 'gone.png', foreign.id, 'foreign.png'].map((asset) => ({ logo: { asset } })) };
    for (const format of ['docx', 'pdf']) {
      const { details } = expectProblem(await own.generate(id, { data, output: { format } }), 400);
      expect(details?.map(({ path, message }) => [path, message])).toEqual(
        [0, 1, 2, 3].map((i) => [`data.items[${i}].logo.asset`, expect.stringMatching(/asset that does not exist/)]),
      );
    }
    expect((await own.quotas()).remaining.total.docs).toBe(5);
  });

  test('validate accepts references to assets too', async () => {
    const own = await newClient();
    await uploadAsset('logo.png', red, own);
    const validate = (asset: string) => {
      const sample = JSON.stringify({ logo: { asset } });
      const body = formOf([
        ['file', letter('{%logo}'), 'a.docx'],
        ['sampleData', sample],
      ]);
      return own.call('POST', '/v1/templates/validate', { body });
    };
    expect((await validate('logo.png')).json()).toMatchObject({ valid: true, warnings: [] });
    expectProblem(await validate('none.png'), 400);
  });
});
