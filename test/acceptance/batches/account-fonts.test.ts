import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx } from '../../support/documents/docx-builder.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { formOf } from '../api/form-bodies.ts';
import { type Batch, ended, itemsOf, lines, send } from './batch-client.ts';

const { newClient } = await useService(inject('stack'));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const styled = (style: string) =>
  `<w:p><w:r><w:rPr><w:rFonts w:ascii="Batch Boxes" w:hAnsi="Batch Boxes"/>${style}</w:rPr><w:t>{name}</w:t></w:r></w:p>`;
const letter = buildDocx({ body: `${styled('')}${styled('<w:b/>')}` });
const rows = Array.from({ length: 8 }, (_, i) => ({ name: `Row ${'abcdef'[i % 6]}` }));
const [regular, bold, narrow] = [
  buildFont({ family: 'Batch Boxes' }),
  buildFont({ family: 'Batch Boxes', style: 'Bold' }),
  buildFont({ family: 'Batch Boxes', advance: 300 }),
];

async function upload(client: TestClient, font: Buffer): Promise<string> {
  const answer = await client.call('POST', '/v1/fonts', { body: formOf([['file', font, 'font.ttf']]) });
  expect([200, 201]).toContain(answer.status);
  return answer.json<{ readonly id: string }>().id;
}

async function submit(client: TestClient, templateId: string): Promise<string> {
  const answer = await send(client, `/v1/templates/${templateId}/batches?format=pdf&bundle=none`, lines(rows));
  expect(answer.status, answer.bytes.toString()).toBe(202);
  return answer.json<Batch>().id;
}

/** The embedded fonts of each row's PDF, and the account's fonts in its receipt. */
async function fontsOf(client: TestClient, batchId: string) {
  const items = await itemsOf(client, batchId, '?limit=1000');
  return Promise.all(
    items.map(async ({ jobId }) => {
      const pdf = await client.call('GET', `/v1/jobs/${jobId}/content`);
      const table = execFileSync('pdffonts', ['-'], { input: pdf.bytes, encoding: 'utf8' });
      const { receipt } = (await client.call('GET', `/v1/jobs/${jobId}/receipt`)).json<{
        readonly receipt: { readonly fonts: { readonly account: readonly { readonly sha256: string }[] } };
      }>();
      const names = [...table.matchAll(/BatchBoxes(?:Bold)?/g)].map(([name]) => name);
      const embedded = [...new Set(names)].sort();
      return [...embedded, ...receipt.fonts.account.map((font) => font.sha256)];
    }),
  );
}

test('every row of a batch is printed with the fonts that the account had when the batch was accepted', async () => {
  const client = await newClient({ docs: 200 });
  const { id } = await client.template('letter.docx', letter);
  const fontId = await upload(client, regular);
  const boldId = await upload(client, bold);
  const first = await submit(client, id);
  expect(await upload(client, narrow)).toBe(fontId);
  expect((await client.call('DELETE', `/v1/fonts/${boldId}`)).status).toBe(204);
  const second = await submit(client, id);
  for (const batch of [first, second]) {
    expect(await ended(client, batch)).toMatchObject({ status: 'completed', counts: { succeeded: 8, failed: 0 } });
  }
  const expected = (...fonts: readonly string[]) => rows.map(() => fonts);
  expect(await fontsOf(client, first)).toEqual(expected('BatchBoxes', 'BatchBoxesBold', sha256(regular), sha256(bold)));
  expect(await fontsOf(client, second)).toEqual(expected('BatchBoxes', sha256(narrow)));
});
