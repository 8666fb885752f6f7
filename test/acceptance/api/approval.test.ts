import { beforeAll, expect, inject, test } from 'vitest';
import { type ApiClient, expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { letter } from './samples.ts';

const { newClient, clientOf, operator } = await useService(inject('stack'));

interface Person {
  readonly keyId: string;
  readonly apiKey: string;
}
let author: TestClient;
let approver: ApiClient;
let approverKey: Person;
let chief: ApiClient;
let tester: ApiClient;
let id: string;
let versions: string;

const newKey = (name: string, scopes: string, kind = 'live') =>
  operator.run<Person>('create-key', { account: author.accountId, name, scopes, kind });

beforeAll(async () => {
  author = await newClient({ docs: 50, templates: 20 });
  approverKey = await newKey('Grace', 'templates:read,templates:approve');
  approver = clientOf(approverKey.apiKey);
  chief = clientOf((await newKey('Mary', 'templates:override')).apiKey);
  tester = clientOf((await newKey('Tests', 'generate', 'test')).apiKey);
  ({ id } = await author.template('letter.docx', letter('One: {name}')));
  versions = `/v1/templates/${id}/versions`;
  expect(await operator.run('set-approval', { account: author.accountId, approval: 'on' })).toMatchObject({
    needsApproval: true,
  });
});

const generate = (client: ApiClient, query = '') =>
  client.call('POST', `/v1/templates/${id}/generate${query}`, { json: { data: { name: 'Ada' } } });
const textOf = async (client: ApiClient, query = '') => docxText((await generate(client, query)).bytes).trim();
const step = (client: ApiClient, version: number, name: string, json: object = {}, headers = {}) =>
  client.call('POST', `${versions}/${version}/${name}`, { json, headers });

test('an upload is a draft that only test keys and previews use', async () => {
  const uploaded = await author.reupload(id, 'letter.docx', letter('Two: {name}'));
  expect(uploaded.json()).toMatchObject({ version: 2, reviewState: 'draft', draftVersion: 2 });
  expect((await author.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ version: 1, draftVersion: 2 });
  expect(await textOf(author)).toBe('One: Ada');
  expect(await textOf(tester)).toBe('Two: Ada');
  const refused = await generate(author, '?version=2');
  expectProblem(refused, 409, /^Version 2 of this template is a draft\. Submit it for review/);
  expect(refused.headers.get('Error-Code')).toBe('version_not_approved');
  const items = { items: [{ data: { name: 'Ada' } }] };
  const batch = await author.call('POST', `/v1/templates/${id}/batches?version=2`, { json: items });
  expectProblem(batch, 409, /is a draft/);
  expectProblem(await author.call('POST', `${versions}/2/promote`), 409, /is a draft/);
});

test('a version is submitted, discussed, and refused or approved only by another person with the scope', async () => {
  const early = await step(approver, 2, 'approve');
  expectProblem(early, 409, 'Version 2 is a draft. Submit it for review first.');
  const submitted = await step(author, 2, 'submit', { comment: 'A new greeting.' });
  expect(submitted.json()).toMatchObject({ state: 'review', liveVersion: 1, uploadedByYou: true });
  expectProblem(await step(author, 2, 'submit'), 409, /in review already/);
  for (const name of ['approve', 'refuse', 'override'])
    expectProblem(await step(author, 2, name), 403, /lacks the scope templates:(approve|override)/);
  expectProblem(await step(approver, 2, 'submit'), 403, /lacks the scope templates:write/);
  expectProblem(await step(approver, 2, 'refuse'), 400, /comment: is missing/);
  expectProblem(await step(approver, 2, 'comment', { comment: '  ' }), 400, /comment: must not be empty/);
  expect((await step(approver, 2, 'comment', { comment: 'Why?' })).status).toBe(200);
  const stale = await step(approver, 2, 'approve', {}, { 'If-Match': '"1-1"' });
  expectProblem(stale, 412, /The template was changed since you read it/);
  const approved = await step(approver, 2, 'approve', { comment: 'Good.' });
  expect(approved.json()).toMatchObject({
    state: 'approved',
    liveVersion: 2,
    uploadedByYou: false,
    approval: { keyId: approverKey.keyId, name: 'Grace' },
    log: [
      { action: 'submitted', comment: 'A new greeting.' },
      { action: 'commented', name: 'Grace', comment: 'Why?' },
      { action: 'approved', comment: 'Good.' },
    ],
  });
  expect(await textOf(author)).toBe('Two: Ada');
});

test('a receipt names the approved version, and who approved it when', async () => {
  const document = (await generate(author)).headers.get('Document-Id');
  const { receipt } = (await author.call('GET', `/v1/jobs/${document}/receipt`)).json<{
    receipt: { template: object };
  }>();
  expect(receipt.template).toMatchObject({
    version: 2,
    approval: { keyId: approverKey.keyId, name: 'Grace', at: expect.stringMatching(/Z$/) },
  });
  expect(receipt.template).not.toHaveProperty('approval.overrideReason');
});

test('nobody approves a version that they uploaded, and an override is loud', async () => {
  const both = clientOf((await newKey('Both', 'templates:write,templates:approve')).apiKey);
  expect((await both.reupload(id, 'letter.docx', letter('Three: {name}'))).json()).toMatchObject({ version: 3 });
  expect((await step(both, 3, 'submit')).status).toBe(200);
  for (const [name, json] of [
    ['approve', {}],
    ['refuse', { comment: 'No.' }],
  ] as const) {
    const answer = await step(both, 3, name, json);
    expectProblem(
      answer,
      403,
      `You uploaded version 3, so another person must ${name} it. Use the key of another person.`,
    );
    expect(answer.headers.get('Error-Code')).toBe('approval_by_author');
  }
  expectProblem(await step(chief, 3, 'override'), 400, /reason: is missing/);
  const reason = 'The bank account was wrong.';
  const key = { 'Idempotency-Key': 'override-1' };
  const overridden = await step(chief, 3, 'override', { reason }, key);
  expect(overridden.json()).toMatchObject({ state: 'approved', approval: { name: 'Mary', overrideReason: reason } });
  expect((await step(chief, 3, 'override', { reason }, key)).json()).toEqual(overridden.json());
  expectProblem(await step(chief, 3, 'override', { reason }), 409, 'Version 3 is approved already.');
  expect(await textOf(author)).toBe('Three: Ada');
  const { acts } = await operator.run<{ acts: object[] }>('audit', { account: author.accountId, limit: '5' });
  expect(acts).toContainEqual(expect.objectContaining({ action: 'override-approval', target: id }));
});

test('another account sees no review', async () => {
  const other = await newClient();
  expectProblem(await other.call('GET', `${versions}/2/review`), 404);
  expectProblem(await step(other, 2, 'submit'), 404);
  expectProblem(await author.call('GET', `${versions}/99/review`), 404);
});

test('subscribers of the review events get them', async () => {
  const events = ['template.submitted', 'template.refused', 'template.overridden', 'template.approved'];
  const created = await author.call('POST', '/v1/webhooks', { json: { url: 'https://example.com/hook', events } });
  expect(created.status).toBe(201);
  const webhook = created.json<{ id: string }>().id;
  await author.reupload(id, 'letter.docx', letter('Four: {name}'));
  await step(author, 4, 'submit');
  await step(approver, 4, 'refuse', { comment: 'No.' });
  const sent = (await author.call('GET', `/v1/webhooks/${webhook}/deliveries`)).json<
    { id: string; eventType: string }[]
  >();
  expect(sent.map(({ eventType }) => eventType)).toEqual(['template.refused', 'template.submitted']);
});
