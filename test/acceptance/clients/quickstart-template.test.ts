import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { uploadExample } from '../../../tools/quickstart/upload-example.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

const { url, newClient } = await useService(inject('stack'));
const name = 'invoice.docx';

test('the quick start reuses its template and leaves all others alone, even those of the same name', async () => {
  const client = await newClient();
  const service = { url, apiKey: client.apiKey };
  const first = await uploadExample(service, name);
  const own = buildDocx({ body: paragraph('My own {invoice}') });
  // The newest templates are listed first, so these come before the template of the quick start.
  await client.template(name, own);
  await client.template('example-invoice.docx', own);
  await client.template('invoice.docx.docx', readFileSync(`examples/${name}`));
  const before = (await client.call('GET', '/v1/templates')).json();

  expect(await uploadExample(service, name)).toBe(first);
  expect((await client.call('GET', '/v1/templates')).json()).toEqual(before);
});

test('a changed template of the quick start is kept, and the next run uploads another one', async () => {
  const client = await newClient();
  const service = { url, apiKey: client.apiKey };
  const first = await uploadExample(service, name);
  expect((await client.reupload(first, name, buildDocx({ body: paragraph('Changed {invoice}') }))).status).toBe(200);

  const second = await uploadExample(service, name);
  expect(second).not.toBe(first);
  expect((await client.call('GET', `/v1/templates/${first}`)).json()).toMatchObject({ id: first, version: 2 });
  expect((await client.call('GET', `/v1/templates/${second}`)).json()).toMatchObject({ name: 'invoice-2.docx' });
  expect(await uploadExample(service, name)).toBe(second);
});
