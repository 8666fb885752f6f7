import { beforeAll, describe, expect, inject, test } from 'vitest';
import { docxType, expectProblem, type TemplateMetadata } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import type { Part } from '../api/form-bodies.ts';
import { letter, letterOfSize, megabyte } from '../api/samples.ts';
import { expectSuccess, operationsOf, uploadBoth } from './contract-client.ts';

/** The sentences of the contract about templates, by its numbers of sections. */
const { newClient } = await useService(inject('stack'));
const file = letter('Dear {name}');
let client: TestClient;
let template: TemplateMetadata;
beforeAll(async () => {
  client = await newClient({ docs: 100, templates: 100 });
  template = await client.template('letter.docx', file);
});

const metadataOf = (id: string) => client.call('GET', `/v1/templates/${id}`);
const named = (name: string): Part => ['name', name];
const filePart = (bytes: Uint8Array): Part => ['file', bytes, 'letter.docx'];

describe('2.1 Template', () => {
  test('id is a string that is returned on upload and is the value of {id} and {template_id} in paths', async () => {
    const { id } = await client.template('letter.docx', file);
    expect(id).toBeTypeOf('string');
    expect((await metadataOf(id)).json()).toMatchObject({ id });
    expectSuccess(await client.generate(id, { data: {} }));
  });

  test('id is unique, also for the same file with the same name', async () => {
    expect((await client.template('letter.docx', file)).id).not.toBe(template.id);
  });
});

describe('2.2 Template file input, for upload and re-upload', () => {
  /** Sections 4.1 and 7: entries of `details` are of the type `Message`. */
  async function expectRefused(parts: readonly Part[], message: RegExp): Promise<void> {
    for (const answer of await uploadBoth(client, template.id, parts)) {
      const { details = [] } = expectProblem(answer, 400);
      expect(details).toMatchObject([{ type: 'Message', message: expect.stringMatching(message) }]);
    }
  }

  test('name is required', () => expectRefused([filePart(file)], /name/));
  test('name must end with .docx', () => expectRefused([named('letter.pdf'), filePart(file)], /\.docx/));
  test('file is required', () => expectRefused([named('letter.docx')], /file/));

  test.each([
    ['text', Buffer.from('Dear {name}')],
    ['an empty file', Buffer.alloc(0)],
    ['a zip archive that is no document', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
  ])('file is a Word document: %s is not', (_, bytes) => expectRefused([named('letter.docx'), filePart(bytes)], /\S/));

  test('file has a maximum size of 10 MB', async () => {
    const largest = await newClient();
    const { id } = await largest.template('letter.docx', letterOfSize(10 * megabyte));
    expectSuccess(await largest.reupload(id, 'letter.docx', letterOfSize(10 * megabyte)));
    await expectRefused([named('letter.docx'), filePart(letterOfSize(10 * megabyte + 1))], /10 MB/);
  });
});

describe('4 Endpoints', () => {
  test('List Templates returns all templates of the account', async () => {
    const owner = await newClient();
    const ids = [await owner.template('a.docx', file), await owner.template('b.docx', file)].map(({ id }) => id);
    const listed = expectSuccess(await owner.call('GET', '/v1/templates')).json<TemplateMetadata[]>();
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test('Get Template returns TemplateMetadata', async () => {
    expect(expectSuccess(await metadataOf(template.id)).json()).toMatchObject({ id: template.id });
  });

  test('Download Template returns the file', async () => {
    const { headers, bytes } = expectSuccess(await client.call('GET', `/v1/templates/${template.id}/content`));
    expect(headers.get('Content-Type')).toBe(docxType);
    expect(bytes.equals(file)).toBe(true);
  });

  test('Upload Template returns TemplateMetadata of the new template', async () => {
    const { id } = expectSuccess(await client.upload('new.docx', file)).json<TemplateMetadata>();
    expect((await metadataOf(id)).json()).toMatchObject({ id, name: 'new.docx' });
  });

  test('Update Template Metadata renames the template', async () => {
    const { id } = await client.template('before.docx', file);
    expectSuccess(await client.call('PUT', `/v1/templates/${id}`, { json: { name: 'after.docx' } }));
    expect((await metadataOf(id)).json()).toMatchObject({ id, name: 'after.docx' });
  });

  test('Re-Upload Template replaces the content and returns TemplateMetadata of the same template', async () => {
    const { id } = await client.template('before.docx', file);
    const next = letter('Hello {name}');
    const replaced = expectSuccess(await client.reupload(id, 'after.docx', next)).json();
    expect(replaced).toMatchObject({ id, name: 'after.docx', version: 2 });
    expect((await metadataOf(id)).json()).toMatchObject({ id, name: 'after.docx', version: 2 });
    expect((await client.call('GET', `/v1/templates/${id}/content`)).bytes.equals(next)).toBe(true);
    expect(docxText((await client.generate(id, { data: { name: 'Ada' } })).bytes)).toBe('Hello Ada');
  });

  test('Delete Template removes it', async () => {
    const { id } = await client.template('letter.docx', file);
    expectSuccess(await client.call('DELETE', `/v1/templates/${id}`));
    for (const [, method, path, options] of operationsOf(id, file).filter((each) => each[2].includes(id)))
      expectProblem(await client.call(method, path, options), 404);
  });
});

describe('4.1 Upload and re-upload', () => {
  test('are sent as multipart/form-data', async () => {
    const json = { name: 'letter.docx', file: file.toString('base64') };
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${template.id}/content`],
    ] as const)
      expectProblem(await client.call(method, `/v1/templates${path}`, { json }), 400);
  });

  test('reject a template without tags with 400 "Template validation errors" and a Message', async () => {
    const parts = [named('letter.docx'), filePart(letter('Dear customer', 'nothing to fill'))];
    for (const answer of await uploadBoth(client, template.id, parts)) {
      const detail = {
        type: 'Message',
        message: 'The template contains no tags.',
        hint: 'Write a tag where data belongs, for example {name}.',
      };
      const error = { status: 400, message: 'Template validation errors', details: [detail] };
      expect([answer.status, answer.json()]).toStrictEqual([400, { error }]);
    }
  });

  test('validate the template, and a rejected re-upload changes nothing', async () => {
    const parts = [named('letter.docx'), filePart(letter('Dear {name, how are you'))];
    const before = (await metadataOf(template.id)).json();
    for (const answer of await uploadBoth(client, template.id, parts))
      expect(expectProblem(answer, 400, 'Template validation errors').details).toMatchObject([{ type: 'Message' }]);
    expect((await metadataOf(template.id)).json()).toStrictEqual(before);
  });
});
