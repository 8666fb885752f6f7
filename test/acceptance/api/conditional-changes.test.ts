import { beforeEach, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, type TemplateMetadata, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { png } from './pictures.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
let path: string;
beforeEach(async () => {
  client = await newClient();
  path = `/v1/templates/${(await client.template('a.docx', letter('{x}'))).id}`;
});

const tagOf = async (of = path) => (await client.call('GET', of)).headers.get('ETag') ?? '';
const matching = (tag: string | undefined) => (tag === undefined ? {} : { headers: { 'If-Match': tag } });
const changes: readonly (readonly [string, (tag?: string) => Promise<Answer>])[] = [
  ['a rename', (tag) => client.call('PUT', path, { json: { name: 'b.docx' }, ...matching(tag) })],
  [
    'a re-upload',
    (tag) => client.call('PUT', `${path}/content`, { body: uploadForm('b.docx', letter('{y}')), ...matching(tag) }),
  ],
  [
    'a re-upload that must fit the data of the current version',
    (tag) =>
      client.call('PUT', `${path}/content?strictSchema=true`, {
        body: uploadForm('b.docx', letter('{x}')),
        ...matching(tag),
      }),
  ],
  ['a promotion', (tag) => client.call('POST', `${path}/versions/1/promote`, matching(tag))],
];

describe('the entity tag of a template', () => {
  test.each(changes)('lets %s succeed once', async (_name, change) => {
    const seen = await tagOf();
    const changed = await change(seen);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('ETag')).toBe(await tagOf());
    expect(changed.headers.get('ETag')).toBe(await tagOf(`${path}/content`));
    expect(changed.headers.get('ETag')).not.toBe(seen);
    const refused = await change(seen);
    expectProblem(refused, 412, /was changed since you read it/);
    expect(refused.headers.get('Error-Code')).toBe('precondition_failed');
    expectProblem(await change('x'), 400, /^If-Match/);
    expect((await change(`"a", ${await tagOf()}`)).status).toBe(200);
  });

  test('lets a deletion succeed, and an older tag changes nothing', async () => {
    const seen = await tagOf(`${path}/content`);
    expect((await client.call('PUT', path, { json: { name: 'b.docx' } })).status).toBe(200);
    expectProblem(await client.call('DELETE', path, matching(seen)), 412);
    expect((await client.call('GET', path)).status).toBe(200);
    expect((await client.quotas()).remaining.total.templates).toBe(49);
    expect((await client.call('DELETE', path, matching(await tagOf()))).status).toBe(204);
    expectProblem(await client.call('DELETE', path, matching(seen)), 404);
    expect((await client.quotas()).remaining.total.templates).toBe(50);
  });
});

test('one of ten concurrent changes with the same entity tag succeeds', async () => {
  const seen = await tagOf();
  const names = Array.from({ length: 10 }, (_, i) => `${i}.docx`);
  const answers = await Promise.all(
    names.map((name) => client.call('PUT', path, { json: { name }, headers: { 'If-Match': seen } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
  const winner = answers.find(({ status }) => status === 200)?.json<TemplateMetadata>();
  expect((await client.call('GET', path)).json<TemplateMetadata>().name).toBe(winner?.name);
});

test('every change gets a new entity tag, however fast the changes follow each other', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `${i}.docx`);
  const answers = await Promise.all(names.map((name) => client.call('PUT', path, { json: { name } })));
  expect(new Set(answers.map(({ headers }) => headers.get('ETag'))).size).toBe(names.length);
  expect(answers.map((answer) => answer.json<TemplateMetadata>().name)).toEqual(names);
});

test('a precondition does not reveal whether another account has the template', async () => {
  const other = await newClient();
  for (const tag of ['*', await tagOf(), '"1-1"']) {
    expectProblem(await other.call('DELETE', path, matching(tag)), 404);
    expectProblem(await other.call('PUT', path, { json: { name: 'b.docx' }, ...matching(tag) }), 404);
  }
});

test('the deletion of an asset honours the tag of its content', async () => {
  const put = (red: number) =>
    client.call('POST', '/v1/assets', { body: uploadForm('logo.png', png(4, 4, [red, 0, 0])) });
  const first = await put(1);
  const asset = `/v1/assets/${first.json<{ id: string }>().id}`;
  const seen = first.headers.get('ETag') ?? '';
  expect([await tagOf(asset), await tagOf(`${asset}/content`)]).toEqual([seen, seen]);
  const second = (await put(2)).headers.get('ETag') ?? '';
  expect(second).not.toBe(seen);
  expectProblem(await client.call('DELETE', asset, matching(seen)), 412, /asset was changed/);
  expect((await client.call('DELETE', asset, matching(`${seen}, ${second}`))).status).toBe(204);
});

test('changes and the deletion of a webhook honour its entity tag', async () => {
  const json = { url: 'https://example.com/hook', events: ['document.failed'] };
  const { id } = (await client.call('POST', '/v1/webhooks', { json })).json<{ id: string }>();
  const webhook = `/v1/webhooks/${id}`;
  const seen = await tagOf(webhook);
  const patch = (tag: string) => client.call('PATCH', webhook, { json: { description: 'x' }, ...matching(tag) });
  const changed = await patch(seen);
  expect([changed.status, changed.headers.get('ETag')]).toEqual([200, await tagOf(webhook)]);
  expectProblem(await patch(seen), 412, /webhook was changed/);
  expectProblem(await client.call('DELETE', webhook, matching(seen)), 412);
  expectProblem(await patch('x'), 400, /^If-Match/);
  expect((await client.call('DELETE', webhook, matching(await tagOf(webhook)))).status).toBe(204);
  expectProblem(await client.call('DELETE', webhook, matching(seen)), 404);
});
