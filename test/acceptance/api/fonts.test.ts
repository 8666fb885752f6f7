import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Answer, expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx } from '../../support/documents/docx-builder.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { formOf, type Part } from './form-bodies.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
beforeAll(async () => {
  client = await newClient();
});

interface Font {
  readonly id: string;
  readonly family: string;
  readonly checksum: string;
}

const send = (
  file: Uint8Array,
  as = client,
  headers: Readonly<Record<string, string>> = {},
  name?: string,
): Promise<Answer> =>
  as.call('POST', '/v1/fonts', {
    body: formOf([...(name === undefined ? [] : [['name', name] satisfies Part]), ['file', file, 'font.ttf']]),
    headers,
  });
const letter = (font: string): Buffer =>
  buildDocx({
    body: `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/><w:sz w:val="60"/></w:rPr><w:t>{x}</w:t></w:r></w:p>`,
  });
const fontsIn = (pdf: Uint8Array): string => execFileSync('pdffonts', ['-'], { input: pdf, encoding: 'utf8' });

test('a font can be uploaded, read, listed, used in a PDF and deleted', async () => {
  const own = await newClient();
  const file = buildFont({ family: 'Acme Boxes', style: 'Bold', characters: 'ABC' });
  const uploaded = await send(file, own, {}, 'Ours');
  expect(uploaded.status, uploaded.bytes.toString()).toBe(201);
  const font = uploaded.json<Font>();
  expect(font).toMatchObject({
    scope: 'account',
    name: 'Ours',
    family: 'Acme Boxes',
    style: 'bold',
    fullName: 'Acme Boxes Bold',
    embedding: 'installable',
    characters: 3,
    size: file.length,
    checksum: createHash('sha256').update(file).digest('hex'),
  });
  const read = await own.call('GET', `/v1/fonts/${font.id}`);
  expect(read.json()).toEqual(font);
  expect(read.headers.get('ETag')).toBe(`"${font.checksum}"`);
  expect((await own.call('GET', '/v1/fonts?name=acme')).json()).toEqual([
    expect.objectContaining({ name: 'Acme Boxes', scope: 'account', fonts: [{ id: font.id, style: 'bold' }] }),
  ]);
  const replaced = await send(buildFont({ family: 'acme boxes', style: 'Bold', advance: 900 }), own);
  expect([replaced.status, replaced.json<Font>().id]).toEqual([200, font.id]);

  const { id } = await own.template('letter.docx', letter('Acme Boxes'));
  const pdf = await own.generate(id, { data: { x: 'ABC' }, output: { format: 'pdf' } });
  expect(fontsIn(pdf.bytes)).toMatch(/AcmeBoxesBold/i);
  const docx = await own.generate(id, { data: { x: 'ABC' } });
  expect(docx.bytes.includes('odttf')).toBe(false);

  expectProblem(
    await own.call('DELETE', `/v1/fonts/${font.id}`, { headers: { 'If-Match': `"${'0'.repeat(64)}"` } }),
    412,
  );
  expect((await own.call('DELETE', `/v1/fonts/${font.id}`)).status).toBe(204);
  expectProblem(await own.call('GET', `/v1/fonts/${font.id}`), 404);
  const later = await own.generate(id, { data: { x: 'CBA' }, output: { format: 'pdf' } });
  expect(fontsIn(later.bytes)).not.toMatch(/AcmeBoxesBold/i);
});

test('fonts of another account are not used', async () => {
  const [owner, other] = [await newClient(), await newClient()];
  const { id } = (await send(buildFont({ family: 'Hidden Boxes' }), owner)).json<Font>();
  for (const method of ['GET', 'DELETE'])
    expectProblem(await owner.call(method, `/v1/fonts/${encodeURIComponent(`../${id}`)}`), 404);
  for (const [account, isUsed] of [
    [owner, true],
    [other, false],
    [owner, true],
  ] as const) {
    const template = await account.template('letter.docx', letter('Hidden Boxes'));
    const pdf = await account.generate(template.id, { data: { x: 'Text' }, output: { format: 'pdf' } });
    expect(fontsIn(pdf.bytes).includes('HiddenBoxes')).toBe(isUsed);
  }
});

test('a font that must not be embedded is refused, with the reason', async () => {
  expectProblem(await send(buildFont({ embedding: 2 })), 400, /licence forbids embedding/);
  expectProblem(await send(Buffer.from('no font')), 400, /not a TrueType or OpenType font/);
});

test('a repeated upload with the same key is the same font', async () => {
  const key = { 'Idempotency-Key': 'font-1' };
  const first = await send(buildFont({ family: 'Once' }), client, key);
  const second = await send(buildFont({ family: 'Once' }), client, key);
  expect([second.status, second.json()]).toEqual([201, first.json()]);
  expectProblem(await send(buildFont({ family: 'Twice' }), client, key), 409);
});
