import { createHash } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { partOf } from '../../support/documents/document-text.ts';
import { type Batch, ended, itemsOf } from '../batches/batch-client.ts';
import { png } from './pictures.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
// The key that Word hashes instead of "Example" (ECMA-376 part 4, 2.15.1.28).
const exampleKey = Buffer.from('7EEDCE64', 'utf16le');
const protection = { mode: 'readOnly', password: 'Example' };

/** Whether the settings of a file contain the hash of the password "Example". */
function isProtectedByExample(file: Uint8Array): boolean {
  const xml = partOf(file, 'word/settings.xml');
  const read = (name: string) => Buffer.from(new RegExp(` w:${name}="([^"]*)"`).exec(xml)?.[1] ?? '', 'base64');
  let hash = createHash('sha512').update(read('salt')).update(exampleKey).digest();
  for (let i = 0; i < 100_000; i++)
    hash = createHash('sha512')
      .update(hash)
      .update(new Uint8Array(new Uint32Array([i]).buffer))
      .digest();
  return /<w:documentProtection w:edit="readOnly" w:enforcement="1" /.test(xml) && hash.equals(read('hash'));
}

test('a .docx is protected with a password, which no answer shows; a PDF ignores the option', async () => {
  const client = await newClient({ docs: 2 });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const output = { docx: { comments: 'remove', protection } };
  const answer = await client.generate(id, { data: { name: 'Ada' }, output });
  expect(isProtectedByExample(answer.bytes)).toBe(true);
  const job = `/v1/jobs/${answer.headers.get('Document-Id')}`;
  const shown = { comments: 'remove', protection: { mode: 'readOnly' } };
  const request = (await client.call('GET', `${job}/request`)).json<{ output: object }>();
  expect(request.output).toMatchObject({ docx: shown });
  const { receipt } = (await client.call('GET', `${job}/receipt`)).json<{ receipt: { options: object } }>();
  expect(receipt.options).toEqual({ docx: shown });
  expect(JSON.stringify([request, receipt])).not.toContain('Example');
  const pdf = await client.generate(id, { data: { name: 'Ada' }, output: { ...output, format: 'pdf' } });
  expect([pdf.status, pdf.headers.get('Warnings')]).toEqual([200, null]);
  const wrong = { docx: { protection: { mode: 'readOnly', password: 'more than 15 characters' } } };
  expectProblem(await client.generate(id, { data: {}, output: wrong }), 400, /output\.docx\.protection\.password/);
});

test('rows of a batch are protected, after a retry too', async () => {
  const client = await newClient({ docs: 5 });
  const { id } = await client.template('letter.docx', letter('Dear {name} {%photo}'));
  const put = async (name: string) =>
    expect((await client.call('POST', '/v1/assets', { body: uploadForm(name, png(4, 4, [200, 0, 0])) })).status).toBe(
      201,
    );
  await put('ada.png');
  const items = ['ada', 'bob'].map((name) => ({ data: { name, photo: { asset: `${name}.png` } } }));
  const json = { items, output: { docx: { protection } }, bundle: 'none' };
  const batch = (await client.call('POST', `/v1/templates/${id}/batches`, { json })).json<Batch>();
  expect(await ended(client, batch.id)).toMatchObject({ counts: { succeeded: 1, failed: 1 } });
  await put('bob.png');
  expect((await client.call('POST', `/v1/batches/${batch.id}/retry`)).status).toBe(202);
  expect(await ended(client, batch.id)).toMatchObject({ counts: { succeeded: 2, failed: 0 } });
  for (const { jobId } of await itemsOf(client, batch.id))
    expect(isProtectedByExample((await client.call('GET', `/v1/jobs/${jobId}/content`)).bytes)).toBe(true);
});
