import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, type TemplateMetadata } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { address, letter } from './samples.ts';

const { newClient, operator, mailbox } = await useService(inject('stack'));
const file = letter('Dear {name}');
const withKey = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });
const sameHeaders = ['Content-Type', 'Content-Length', 'Content-Disposition', 'Email-Delivery-Id', 'Location'];
const seenOf = ({ status, headers, bytes }: Answer) => ({
  status,
  headers: sameHeaders.map((name) => headers.get(name)),
  body: bytes.toString('base64'),
});

let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('a.docx', file)).id;
});
const docsLeft = async (of: TestClient = client) => (await of.quotas()).remaining.total.docs;

describe('generate', () => {
  test.each(['docx', 'pdf'])(
    '20 concurrent requests with one key produce one %s, one charge and one e-mail',
    async (format) => {
      const before = await docsLeft();
      const to = address();
      const headers = withKey();
      const request = { data: { name: 'Ada' }, output: { format, email: { to: [to] } } };
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.generate(id, request, headers)));
      expect(answers[0]?.status).toBe(200);
      expect(new Set(answers.map((answer) => JSON.stringify(seenOf(answer)))).size).toBe(1);
      expect(await docsLeft()).toBe(before - 1);
      const delivery = answers[0]?.headers.get('Email-Delivery-Id');
      const status = async () =>
        (await client.call('GET', `/v1/deliveries/${delivery}`)).json<{ status: string }>().status;
      await expect.poll(status, { timeout: 20_000 }).toBe('sent');
      expect(await mailbox.to(to)).toHaveLength(1);
    },
  );

  test('a later repetition gets the same file, even after a new version and a rename', async () => {
    const own = await client.template('before.docx', file);
    const headers = withKey();
    const first = await client.generate(own.id, { data: { name: 'Ada' } }, headers);
    const before = await docsLeft();
    await client.reupload(own.id, 'after.docx', letter('Farewell {name}'));
    const again = await client.generate(own.id, { data: { name: 'Ada' } }, headers);
    expect(seenOf(again)).toEqual(seenOf(first));
    expect(docxText(again.bytes)).toBe('Dear Ada');
    expect(await docsLeft()).toBe(before);
  });

  test('the same key with other data is a conflict, and nothing is charged', async () => {
    const headers = withKey();
    expect((await client.generate(id, { data: { name: 'Ada' } }, headers)).status).toBe(200);
    const before = await docsLeft();
    const other = await client.template('b.docx', file);
    expectProblem(await client.generate(id, { data: { name: 'Bob' } }, headers), 409, /Idempotency-Key/);
    expectProblem(await client.generate(id, { data: { name: 'Ada' }, output: { format: 'pdf' } }, headers), 409);
    expectProblem(await client.generate(other.id, { data: { name: 'Ada' } }, headers), 409);
    expectProblem(await client.upload('c.docx', file, headers), 409);
    expect(await docsLeft()).toBe(before);
  });

  test('keys of different accounts are independent', async () => {
    const other = await newClient();
    const own = await other.template('a.docx', letter('Other {name}'));
    const headers = withKey();
    const [mine, theirs] = await Promise.all([
      client.generate(id, { data: { name: 'Ada' } }, headers),
      other.generate(own.id, { data: { name: 'Ada' } }, headers),
    ]);
    expect([docxText(mine.bytes), docxText(theirs.bytes)]).toEqual(['Dear Ada', 'Other Ada']);
    expect(await docsLeft(other)).toBe(999);
  });

  test('a request rejected for its quota can be repeated with the same key', async () => {
    const poor = await newClient({ docs: 0 });
    const own = await poor.template('a.docx', file);
    const headers = withKey();
    expectProblem(await poor.generate(own.id, { data: {} }, headers), 402);
    await operator.grantCredits(poor.accountId, 5);
    expect((await poor.generate(own.id, { data: {} }, headers)).status).toBe(200);
    expect((await poor.generate(own.id, { data: {} }, headers)).status).toBe(200);
    expect(await docsLeft(poor)).toBe(4);
  });

  test('an invalid request, or one with an unknown template, can be repeated with the same key', async () => {
    const headers = withKey();
    expectProblem(await client.generate(id, { data: [] }, headers), 400);
    expectProblem(await client.generate('tpl_00000000000000000000000000', { data: {} }, headers), 404);
    expect((await client.generate(id, { data: {} }, headers)).status).toBe(200);
  });

  test('incompatible data fails the same way each time, and is never charged', async () => {
    const before = await docsLeft();
    const headers = withKey();
    const wrong = { data: { name: { first: 'Ada' } } };
    const first = await client.generate(id, wrong, headers);
    expectProblem(first, 400);
    const again = await client.generate(id, wrong, headers);
    expectProblem(again, 400);
    expect(again.json()).toStrictEqual(first.json());
    expect(await docsLeft()).toBe(before);
  });

  test('without a key every request produces a document', async () => {
    const before = await docsLeft();
    for (let i = 0; i < 3; i++) await client.generate(id, { data: {} });
    expect(await docsLeft()).toBe(before - 3);
  });
});

describe('upload', () => {
  test('8 concurrent uploads with one key create one template', async () => {
    const own = await newClient({ templates: 2 });
    const headers = withKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => own.upload('a.docx', file, headers)));
    expect(answers[0]?.status).toBe(201);
    expect(new Set(answers.map((answer) => JSON.stringify(seenOf(answer)))).size).toBe(1);
    expect((await own.quotas()).remaining.total.templates).toBe(1);
    expect((await own.call('GET', '/v1/templates')).json<TemplateMetadata[]>()).toHaveLength(1);
  });

  test('repeating the upload that used up the template quota returns the same template', async () => {
    const own = await newClient({ templates: 1 });
    const headers = withKey();
    const first = await own.upload('a.docx', file, headers);
    expect(first.status).toBe(201);
    expect(seenOf(await own.upload('a.docx', file, headers))).toEqual(seenOf(first));
    expectProblem(await own.upload('a.docx', file, withKey()), 402);
  });

  test('the same key with another name or file is a conflict', async () => {
    const headers = withKey();
    const first = await client.upload('one.docx', file, headers);
    expect(first.status).toBe(201);
    expectProblem(await client.upload('two.docx', file, headers), 409, /Idempotency-Key/);
    expectProblem(await client.upload('one.docx', letter('{other}'), headers), 409);
  });

  test('a rejected upload can be repeated with the same key', async () => {
    const own = await newClient({ templates: 0 });
    const headers = withKey();
    expectProblem(await own.upload('a.docx', letter('no tags'), headers), 402);
    expectProblem(await own.upload('a.docx', file, headers), 402);
    await operator.grantCredits(own.accountId, 0, 1);
    expectProblem(await own.upload('a.docx', letter('no tags'), headers), 400);
    expect((await own.upload('a.docx', file, headers)).status).toBe(201);
  });
});

describe('keys', () => {
  test.each([
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a tab', 'a\tb'],
    ['no ASCII', 'schlüssel'],
  ])('%s is refused', async (_name, key) => {
    const before = await docsLeft();
    const { details } = expectProblem(await client.generate(id, { data: {} }, withKey(key)), 400);
    expect(details).toMatchObject([{ type: 'Field', path: 'Idempotency-Key' }]);
    expectProblem(await client.upload('a.docx', file, withKey(key)), 400);
    expect(await docsLeft()).toBe(before);
  });

  test.each([
    ['one character', `${randomUUID().slice(0, 1)}`],
    ['255 characters', randomUUID().repeat(8).slice(0, 255)],
    ['any visible character', `${randomUUID()} !#$%&'()*+,-./:;<=>?@[]^_{|}~\`\\`],
  ])('%s is accepted', async (_name, key) => {
    const own = await newClient();
    const { id: template } = await own.template('a.docx', file);
    for (let i = 0; i < 2; i++) expect((await own.generate(template, { data: {} }, withKey(key))).status).toBe(200);
    expect(await docsLeft(own)).toBe(999);
  });

  test('the quoted form (RFC draft) is the same key', async () => {
    const key = randomUUID();
    const before = await docsLeft();
    const plain = await client.generate(id, { data: {} }, withKey(key));
    expect(seenOf(await client.generate(id, { data: {} }, withKey(`"${key}"`)))).toEqual(seenOf(plain));
    expect(await docsLeft()).toBe(before - 1);
  });

  test('the header is ignored on a GET', async () => {
    expect((await client.call('GET', '/v1/templates', { headers: withKey('') })).status).toBe(200);
  });
});
