import { expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { type Batch, ended, itemsOf } from '../batches/batch-client.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));

// JSON can express null characters and lone surrogates; PostgreSQL cannot store them.
const unstorable = ['a\0b', 'a\ud800b', '\udc00'];

test('a row with a key that cannot be stored fails alone', async () => {
  const client = await newClient({ docs: 10 });
  const { id: templateId } = await client.template('letter.docx', letter('Dear {name}'));
  const items = [
    { data: { name: 'Ada' } },
    ...unstorable.map((key) => ({ data: {}, [key]: 1 })),
    ...unstorable.map((key) => ({ data: {}, output: { [key]: 1 } })),
    ...unstorable.map((key) => ({ data: { [key]: key }, output: { filename: key } })),
  ];
  const answer = await client.call('POST', `/v1/templates/${templateId}/batches`, { json: { items, bundle: 'none' } });
  expect(answer.status).toBe(202);
  const { id } = answer.json<Batch>();
  expect((await ended(client, id)).counts).toMatchObject({ succeeded: 4, failed: 6 });
  const failed = await itemsOf(client, id, '?status=failed');
  expect(failed.map(({ error }) => error?.message)).toEqual([
    ...['a\ufffdb', 'a\ufffdb', '\ufffd'].map((key) => `${key}: is not a known field`),
    ...['a\ufffdb', 'a\ufffdb', '\ufffd'].map((key) => `output.${key}: is not a known field`),
  ]);
});

test.each(unstorable)('a picture whose name cannot be stored is reported as not found (%#)', async (name) => {
  const client = await newClient({ docs: 1 });
  const { id } = await client.template('letter.docx', letter('Dear {%photo}'));
  expectProblem(await client.generate(id, { data: { photo: { asset: name } } }), 400, /data|photo|picture/);
  expect((await client.quotas()).remaining.total.docs).toBe(1);
});
