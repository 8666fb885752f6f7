import { describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { byProgram, createOperator } from '../../support/client/operator.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { clientOf, operator, url } = await useService(inject('stack'));

interface OperatorKey {
  readonly operatorKeyId: string;
  readonly operatorKey: string;
}
interface Erasure {
  readonly erasureId: string;
  readonly state: string;
  readonly result: Readonly<Record<string, unknown>> | null;
}

const first = await operator.run<OperatorKey>('create-operator-key', { name: 'Acceptance' });
const admin = clientOf(first.operatorKey);
const post = (path: string, json?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  admin.call('POST', `/v1/admin${path}`, json === undefined ? { headers } : { json, headers });
const put = (path: string, json: unknown) => admin.call('PUT', `/v1/admin${path}`, { json });
const get = (path: string) => admin.call('GET', `/v1/admin${path}`);
const newAccount = async (name = 'Smith & Sons') =>
  (await post('/accounts', { name })).json<{ accountId: string }>().accountId;

test('an operator takes a customer from nothing to a paid document, and to its erasure, by the API alone', async () => {
  const created = await post('/accounts', { name: 'Smith & Sons' });
  expect(created.status).toBe(201);
  const { accountId } = created.json<{ accountId: string }>();
  expect(created.headers.get('Location')).toBe(`/v1/admin/accounts/${accountId}`);
  const subscription = await put(`/accounts/${accountId}/subscription`, { docs: 1, templates: 2 });
  expect(subscription.json()).toEqual({ accountId, docs: 1, templates: 2, anchorDay: 1 });
  expect((await post(`/accounts/${accountId}/credits`, { docs: 1, templates: 0 })).status).toBe(201);
  expect((await put(`/accounts/${accountId}/email-limits`, { recipientsPerDay: 10 })).json()).toEqual({
    accountId,
    recipientsPerDay: 10,
    messagesPerRecipientPerDay: null,
  });
  expect((await put(`/accounts/${accountId}/batch-weight`, { weight: 3 })).json()).toEqual({ accountId, weight: 3 });
  const key = (await post(`/accounts/${accountId}/keys`, { name: 'Shop' })).json<{ keyId: string; apiKey: string }>();
  expect((await put(`/keys/${key.keyId}/budget`, { docsPerMonth: 5 })).json()).toEqual({
    keyId: key.keyId,
    docsPerMonth: 5,
  });

  const customer = clientOf(key.apiKey);
  const template = await customer.template('letter.docx', letter('Dear {name}'));
  for (const status of [200, 200, 402])
    expect((await customer.generate(template.id, { data: { name: 'Ada' } })).status).toBe(status);

  const account = (await get(`/accounts/${accountId}`)).json<Record<string, unknown>>();
  expect(account).toMatchObject({ name: 'Smith & Sons', quotas: { remaining: { total: { docs: 0, templates: 1 } } } });
  expect((await get(`/accounts/${accountId}/usage`)).json()).toMatchObject({ totals: { documents: 2 } });
  expect((await get(`/queues?account=${accountId}`)).json()).toMatchObject({
    redis: 'read',
    accounts: [{ accountId }],
  });
  expect((await post('/pause', { account: accountId, refuse: true })).status).toBe(200);
  expect((await get('/pauses')).json<{ paused: object[] }>().paused).toContainEqual(
    expect.objectContaining({ target: `account:${accountId}`, isRefusing: true }),
  );
  expect((await post('/resume', { account: accountId })).json()).toMatchObject({ resumed: [`account:${accountId}`] });
  expect((await get(`/quarantine?account=${accountId}`)).json()).toEqual({ documents: [], templates: [] });

  expectProblem(await post(`/accounts/${accountId}/erase`, { confirm: 'Smith' }), 409, /has another name/);
  const erase = await post(`/accounts/${accountId}/erase`, { confirm: 'Smith & Sons' });
  expect(erase.status).toBe(202);
  const { erasureId } = erase.json<Erasure>();
  const state = async () => (await get(`/erasures/${erasureId}`)).json<Erasure>();
  await expect.poll(async () => (await state()).state, { timeout: 60_000, interval: 500 }).toBe('succeeded');
  expect((await state()).result).toMatchObject({ accountId });
  // The key may have been in a cache for a few seconds.
  await expect.poll(async () => (await customer.call('GET', '/v1/templates')).status).toBe(401);
  // The account is gone, and nothing can be added to it.
  for (const answer of [
    await post(`/accounts/${accountId}/keys`, {}),
    await post(`/accounts/${accountId}/credits`, { docs: 1, templates: 0 }),
    await put(`/accounts/${accountId}/subscription`, { docs: 1, templates: 0 }),
    await put(`/accounts/${accountId}/email-limits`, {}),
    await put(`/accounts/${accountId}/batch-weight`, { weight: 1 }),
    await post(`/accounts/${accountId}/resume`),
  ])
    expectProblem(answer, 409, /[Dd]eletion of (?:this )?account/);

  const acts = (await get(`/audit?account=${accountId}`)).json<{ action: string; outcome: string; actor: string }[]>();
  expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set([first.operatorKeyId]));
  expect(acts.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
    expect.arrayContaining([
      'create-account succeeded',
      'set-subscription succeeded',
      'create-key succeeded',
      'set-budget succeeded',
      'delete-account failed',
      'delete-account started',
      'delete-account succeeded',
    ]),
  );
  expect(JSON.stringify(acts)).not.toContain('Smith');
}, 120_000);

describe('a repeated request', () => {
  test('gets the first response with its secret, and makes nothing twice', async () => {
    const accountId = await newAccount();
    const headers = { 'Idempotency-Key': `key-of-${accountId}` };
    const create = (json: object) => post(`/accounts/${accountId}/keys`, json, headers);
    const answers = await Promise.all([create({ name: 'One' }), create({ name: 'One' }), create({ name: 'One' })]);
    expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({ apiKey: expect.stringMatching(/^dts_/) });
    expect((await get(`/accounts/${accountId}/keys`)).json()).toHaveLength(1);
    expectProblem(await create({ name: 'Two' }), 409, /used before with another request/);
    const other = await newAccount();
    expectProblem(await post(`/accounts/${other}/keys`, { name: 'One' }, headers), 409, /another request/);
  });

  test('of another operator is another request', async () => {
    const name = `Other ${Date.now()}`;
    const other = (await post('/operator-keys', { name })).json<OperatorKey>();
    const headers = { 'Idempotency-Key': name };
    const mine = (await post('/accounts', { name }, headers)).json();
    const theirs = (
      await clientOf(other.operatorKey).call('POST', '/v1/admin/accounts', { json: { name }, headers })
    ).json();
    expect(theirs).not.toEqual(mine);
  });
});

describe('keys', () => {
  test('of accounts are refused by the admin API, and operator keys by everything else', async () => {
    const accountId = await newAccount();
    const { apiKey } = (await post(`/accounts/${accountId}/keys`, {})).json<{ apiKey: string }>();
    const answer = await clientOf(apiKey).call('GET', '/v1/admin/accounts');
    expectProblem(answer, 401, 'Missing or invalid operator key');
    expectProblem(await admin.call('GET', '/v1/templates'), 401, 'Missing or invalid API key');
    expectProblem(await admin.call('GET', '/v1/account/key'), 401, 'Missing or invalid API key');
  });

  test('of operators work only with their scopes, from their addresses, until they are revoked', async () => {
    const create = async (json: object) =>
      (await post('/operator-keys', { name: 'Limited', ...json })).json<OperatorKey>();
    const reader = await create({ scopes: ['accounts:read', 'operators:write'] });
    const limited = clientOf(reader.operatorKey);
    expect((await limited.call('GET', '/v1/admin/accounts?limit=1')).status).toBe(200);
    const refused = await limited.call('POST', '/v1/admin/accounts', { json: { name: 'x' } });
    expectProblem(refused, 403, 'This operator key lacks the scope accounts:write. Use a key that has it.');
    expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope", scope="accounts:write"');
    const wider = { name: 'Wider', scopes: ['accounts:read', 'billing:write'] };
    const grant = await limited.call('POST', '/v1/admin/operator-keys', { json: wider });
    expectProblem(grant, 403, 'Your operator key cannot grant billing:write, which it lacks.');
    const inherited = await limited.call('POST', '/v1/admin/operator-keys', { json: { name: 'Same' } });
    expect(inherited.json()).toMatchObject({ scopes: ['accounts:read', 'operators:write'] });

    const elsewhere = await create({ addressRanges: ['203.0.113.0/24', '2001:db8::/32'] });
    const outside = await clientOf(elsewhere.operatorKey).call('GET', '/v1/admin/accounts');
    expectProblem(outside, 403, /^This operator key is not allowed from the address (?:127\.0\.0\.1|::1)\.$/);
    // No proxy is trusted, so that nobody can claim another address.
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    expect((await clientOf(elsewhere.operatorKey).call('GET', '/v1/admin/accounts', { headers })).status).toBe(403);
    const here = await create({ addressRanges: ['127.0.0.0/8', '::1'] });
    expect((await clientOf(here.operatorKey).call('GET', '/v1/admin/accounts?limit=1')).status).toBe(200);

    await post(`/operator-keys/${here.operatorKeyId}/revoke`);
    expectProblem(await clientOf(here.operatorKey).call('GET', '/v1/admin/accounts'), 401);
    const listed = (await get('/operator-keys?limit=1000')).json<Record<string, unknown>[]>();
    const revoked = listed.find(({ operatorKeyId }) => operatorKeyId === here.operatorKeyId);
    expect(revoked).toMatchObject({ revokedAt: expect.any(String), lastUsedAt: expect.any(String) });
    expect(JSON.stringify(listed)).not.toContain('dop_');
  });

  test('with a limit of their own get 429 beyond it', async () => {
    const json = { name: 'Slow', requestsPerMinute: 2 };
    const slow = clientOf((await post('/operator-keys', json)).json<OperatorKey>().operatorKey);
    const answers = [];
    // A window may end in between.
    for (let count = 0; count < 6; count++) answers.push(await slow.call('GET', '/v1/admin/accounts?limit=1'));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('RateLimit-Policy')).toBe('"operator";q=2;w=60');
    expect(answers[0]?.status).toBe(200);
  });
});

describe('what is refused', () => {
  const id = 'acc_01hx5s3k2v9m8q7r6t5w4y3z2a';
  test.each<[string, string, string, unknown, number, RegExp]>([
    ['an account that does not exist', 'GET', `/accounts/${id}`, undefined, 404, /^There is no account/],
    ['a hostile id', 'GET', '/accounts/..%2F..%2Fetc', undefined, 404, /./],
    ['an id with a NUL byte', 'GET', '/accounts/acc_%00', undefined, 404, /^There is no such account/],
    [
      'the id of something else',
      'POST',
      '/keys/tpl_01hx5s3k2v9m8q7r6t5w4y3z2a/revoke',
      undefined,
      404,
      /^There is no key/,
    ],
    ['a NUL byte in a name', 'POST', '/accounts', { name: 'a\0b' }, 400, /^name:/],
    ['an invisible name', 'POST', '/accounts', { name: '\u200b' }, 400, /^name: must be visible/],
    ['a name of 201 characters', 'POST', '/accounts', { name: 'x'.repeat(201) }, 400, /^name: must have at most 200/],
    ['an unknown field', 'POST', '/accounts', { name: 'a', docs: 1 }, 400, /^docs: is not a known field/],
    ['no credits', 'POST', `/accounts/${id}/credits`, { docs: 0, templates: 0 }, 400, /^docs: must be at least 1/],
    [
      'a negative quota',
      'PUT',
      `/accounts/${id}/subscription`,
      { docs: -1, templates: 0 },
      400,
      /^docs: must be at least 0/,
    ],
    [
      'a past expiry',
      'POST',
      `/accounts/${id}/keys`,
      { expiresAt: '2020-01-01T00:00:00Z' },
      400,
      /^expiresAt: must be in the future/,
    ],
    ['an unknown scope', 'POST', `/accounts/${id}/keys`, { scopes: ['root'] }, 400, /^scopes\[0\]: must be/],
    ['two targets', 'POST', '/pause', { queue: 'pdf', all: true }, 400, /^queue: give either/],
    ['a pause of maintenance', 'POST', '/pause', { queue: 'maintenance' }, 400, /^queue: must be/],
    [
      'an invalid range',
      'POST',
      '/operator-keys',
      { name: 'a', addressRanges: ['1.2.3.4/33'] },
      400,
      /^addressRanges\[0\]: must be/,
    ],
    [
      'a cursor of another list',
      'GET',
      '/audit?cursor=YWNjXzE',
      undefined,
      400,
      /^cursor: is not a cursor of this list/,
    ],
    [
      'an invalid address to erase',
      'POST',
      '/erasures',
      { recipient: 'nobody' },
      400,
      /^recipient: must be an address/,
    ],
    [
      'a document that does not exist',
      'POST',
      '/erasures',
      { document: 'doc_01hx5s3k2v9m8q7r6t5w4y3z2a' },
      404,
      /^There is no document/,
    ],
    [
      'a worker that does not exist',
      'POST',
      '/workers/drain',
      { worker: 'wrk_01hx5s3k2v9m8q7r6t5w4y3z2a' },
      404,
      /^No live worker/,
    ],
    [
      'an engine without a worker',
      'PUT',
      '/templates/tpl_01hx5s3k2v9m8q7r6t5w4y3z2a/engine',
      { engine: '99.9' },
      404,
      /^There is no template/,
    ],
    ['a path that does not exist', 'GET', '/nothing', undefined, 404, /^There is no operation/],
  ])('%s', async (_what, method, path, json, status, message) => {
    const answer = await admin.call(method, `/v1/admin${path}`, json === undefined ? {} : { json });
    expect(answer.json<{ error: { message: string } }>().error).toMatchObject({
      status,
      message: expect.stringMatching(message),
    });
  });

  test('a body of more than 64 KB', async () => {
    const answer = await post('/accounts', { name: 'x'.repeat(70_000) });
    expectProblem(answer, 400, /larger|large/);
  });
});

test('lists have pages', async () => {
  const ids = [await newAccount('Page 1'), await newAccount('Page 2')];
  const found: string[] = [];
  for (let next: string | undefined = '/v1/admin/accounts?limit=1000'; next !== undefined; ) {
    const page = await admin.call('GET', next);
    found.push(...page.json<{ accountId: string }[]>().map(({ accountId }) => accountId));
    const link = /<([^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
    next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
  }
  expect(found).toEqual(expect.arrayContaining(ids));
  const acts = (await get('/audit?limit=2&action=create-account')).json<{ id: string }[]>();
  expect(acts).toHaveLength(2);
  expect(acts[0] && acts[1] && acts[0].id > acts[1].id).toBe(true);
});

test('two operators who set the same thing leave one of both states', async () => {
  const accountId = await newAccount();
  const set = (docs: number) => put(`/accounts/${accountId}/subscription`, { docs, templates: docs });
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(set));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  const { subscription } = (await get(`/accounts/${accountId}`)).json<{ subscription: Record<string, number> }>();
  expect(subscription.docs).toBe(subscription.templates);
});

test('the command does the same with the address of the service instead of the database', async () => {
  const remote = createOperator(byProgram({ DOCMILL_URL: url, DOCMILL_OPERATOR_KEY: first.operatorKey }));
  const { accountId } = await remote.run<{ accountId: string }>('create-account', { name: 'Remote Ltd' });
  const account = { account: accountId };
  await remote.run('set-subscription', { ...account, docs: 5, templates: 1 });
  const { keyId, apiKey } = await remote.createKey(accountId, '2099-12-31');
  expect(apiKey).toMatch(/^dts_/);
  const reads = ['show-account', 'list-keys', 'usage', 'deliveries', 'list-quarantine', 'key-use'];
  await Promise.all(
    reads.map(async (command) =>
      expect(await remote.run(command, account)).toEqual(await operator.run(command, account)),
    ),
  );
  expect(await remote.run('rotate-key', { key: keyId, overlap: '1h' })).toMatchObject({ keyId });
  const refused = remote.run('rotate-key', { key: keyId });
  await expect(refused).rejects.toMatchObject({ stderr: expect.stringMatching(/^The previous secret of the key/) });
  const { acts } = await remote.run<{ acts: { action: string; actor: string }[] }>('audit', { ...account, limit: 1 });
  expect(acts).toEqual([
    expect.objectContaining({ action: 'rotate-key', actor: first.operatorKeyId, outcome: 'failed' }),
  ]);
  const usage = createOperator(byProgram({ DOCMILL_URL: url }));
  await expect(usage.run('list-accounts', {})).rejects.toMatchObject({
    stderr: expect.stringMatching(/^DOCMILL_OPERATOR_KEY is not set/),
  });
  const erased = await remote.run('delete-account', { ...account, confirm: 'Remote Ltd' });
  expect(erased).toMatchObject({ accountId, objects: 0 });
}, 120_000);
