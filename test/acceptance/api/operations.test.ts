import { createHash } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { docxType, type TemplateMetadata } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('a template can be uploaded, read, renamed, replaced, generated and deleted', async () => {
  const client = await newClient();
  const file = letter('Dear {name}', '{#items}{item.label}{/items}{^items}nothing{/items}');

  const uploaded = await client.upload('Brief an Kunden.docx', file);
  expect(uploaded.status).toBe(201);
  expect(uploaded.headers.get('Content-Type')).toMatch(/^application\/json/);
  const template = uploaded.json<TemplateMetadata>();
  expect(uploaded.headers.get('Location')).toBe(`/v1/templates/${template.id}`);
  expect(template).toMatchObject({
    name: 'Brief an Kunden.docx',
    version: 1,
    size: file.length,
    checksum: sha256(file),
    tags: ['item.label', 'items', 'name'],
  });
  expect(template.createdAt).toMatch(isoTime);
  expect(template.updatedAt).toBe(template.createdAt);

  const path = `/v1/templates/${template.id}`;
  const got = await client.call('GET', path);
  expect(got.status).toBe(200);
  const { warnings, ...kept } = template;
  expect(warnings).toEqual([]);
  expect(got.json()).toMatchObject(kept);
  expect((await client.call('GET', '/v1/templates')).json<TemplateMetadata[]>().map(({ id }) => id)).toEqual([
    template.id,
  ]);

  const content = await client.call('GET', `${path}/content`);
  expect(content.status).toBe(200);
  expect(content.headers.get('Content-Type')).toBe(docxType);
  expect(content.headers.get('Content-Disposition')).toBe(
    'attachment; filename="Brief an Kunden.docx"; filename*=UTF-8\'\'Brief%20an%20Kunden.docx',
  );
  expect(content.headers.get('ETag')).toBe(got.headers.get('ETag'));
  expect(content.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(content.bytes.equals(file)).toBe(true);

  const renamed = await client.call('PUT', path, { json: { name: 'letter.DOCX' } });
  expect(renamed.status).toBe(200);
  const { updatedAt, ...same } = renamed.json<TemplateMetadata>();
  expect(same).toMatchObject({ id: template.id, name: 'letter.DOCX', version: 1, checksum: template.checksum });
  expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(template.updatedAt));

  const next = letter('Hello {first} {last}');
  const replaced = await client.reupload(template.id, 'hello.docx', next);
  expect(replaced.status).toBe(200);
  expect(replaced.json()).toMatchObject({
    id: template.id,
    name: 'hello.docx',
    version: 2,
    size: next.length,
    checksum: sha256(next),
    tags: ['first', 'last'],
    createdAt: template.createdAt,
  });

  const removed = await client.call('DELETE', path);
  expect(removed.status).toBe(204);
  expect(removed.bytes).toHaveLength(0);
  expect((await client.call('GET', path)).status).toBe(404);
  expect((await client.call('GET', '/v1/templates')).json()).toEqual([]);
});
