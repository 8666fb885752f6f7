import { beforeEach, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, type TemplateMetadata, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
let path: string;
beforeEach(async () => {
  client = await newClient();
  path = `/v1/templates/${(await client.template('a.docx', letter('{x}'))).id}`;
});

const tagOf = async () => (await client.call('GET', path)).headers.get('ETag') ?? '';
const matching = (tag: string | undefined) => (tag === undefined ? {} : { headers: { 'If-Match': tag } });
const changes: readonly (readonly [string, (tag?: string) => Promise<Answer>])[] = [
  ['a rename', (tag) => client.call('PUT', path, { json: { name: 'b.docx' }, ...matching(tag) })],
  [
    'a re-upload',
    (tag) => client.call('PUT', `${path}/content`, { body: uploadForm('b.docx', letter('{y}')), ...matching(tag) }),
  ],
  ['a promotion', (tag) => client.call('POST', `${path}/versions/1/promote`, matching(tag))],
];

test.each(changes)('%s succeeds once with the entity tag that was read', async (_name, change) => {
  const seen = await tagOf();
  const changed = await change(seen);
  expect(changed.status).toBe(200);
  expect(changed.headers.get('ETag')).toBe(await tagOf());
  expect(changed.headers.get('ETag')).not.toBe(seen);
  expectProblem(await change(seen), 409, /was changed since you read it/);
  expect((await change('*')).status).toBe(200);
});

test('of ten concurrent changes with the same entity tag one succeeds', async () => {
  const seen = await tagOf();
  const names = Array.from({ length: 10 }, (_, i) => `${i}.docx`);
  const answers = await Promise.all(
    names.map((name) => client.call('PUT', path, { json: { name }, headers: { 'If-Match': seen } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  const winner = answers.find(({ status }) => status === 200)?.json<TemplateMetadata>();
  expect((await client.call('GET', path)).json<TemplateMetadata>().name).toBe(winner?.name);
});

test('every change gets a new entity tag, however fast the changes follow each other', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `${i}.docx`);
  const answers = await Promise.all(names.map((name) => client.call('PUT', path, { json: { name } })));
  expect(new Set(answers.map(({ headers }) => headers.get('ETag'))).size).toBe(names.length);
});

test.each(['"1"', 'W/"1-1"', '"1-1", "1-2"', 'x'])(
  'the invalid entity tag %s is reported with the header\u2019s name',
  async (tag) => {
    const { details } = expectProblem(
      await client.call('PUT', path, { json: { name: 'b.docx' }, ...matching(tag) }),
      400,
    );
    expect(details).toEqual([expect.objectContaining({ type: 'Field', path: 'If-Match' })]);
  },
);
