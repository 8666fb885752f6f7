import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { nextOf } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { address, letter } from './samples.ts';

const { newClient, clientOf, operator } = await useService(inject('stack'));

interface Job {
  readonly id: string;
  readonly format: string;
  readonly templateId: string;
  readonly status: string;
  readonly test?: true;
  readonly createdAt: string;
}

let client: TestClient;
let template: string;
let other: string;
let batchId: string;
let startedAt: string;
let endedAt: string;
const to = [address(), address()] as const;

const list = async (path: string, search: Readonly<Record<string, string>> = {}) =>
  (await client.call('GET', `${path}?${new URLSearchParams(search)}`)).json<Job[]>();
const jobs = (search: Readonly<Record<string, string>>) => list('/v1/jobs', search);

beforeAll(async () => {
  client = await newClient({ docs: 100 });
  template = (await client.template('a.docx', letter('Dear {name}'))).id;
  other = (await client.template('b.docx', letter('Dear {name}'))).id;
  startedAt = new Date(Date.now() - 2_000).toISOString();
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', { account: client.accountId, kind: 'test' });
  for (const output of [{ format: 'docx' }, { format: 'pdf' }, { email: { to: [to[0]] } }, { email: { to: [to[1]] } }])
    expect((await client.generate(template, { data: { name: 'Ada' }, output })).status).toBe(200);
  expect((await client.generate(template, { data: {}, output: { onMissing: 'error' } })).status).toBe(400);
  expect((await clientOf(apiKey).generate(template, { data: { name: 'Ada' } })).status).toBe(200);
  const items = [{ data: { name: 'Ada' } }, { data: { name: 'Alan' } }];
  const batch = await client.call('POST', `/v1/templates/${other}/batches`, { json: { items, bundle: 'none' } });
  expect(batch.status).toBe(202);
  batchId = batch.json<{ id: string }>().id;
  const status = async () => (await client.call('GET', `/v1/batches/${batchId}`)).json<Job>().status;
  await vi.waitFor(async () => expect(await status()).toBe('completed'), { timeout: 240_000, interval: 100 });
  endedAt = new Date(Date.now() + 2_000).toISOString();
});

describe('jobs', () => {
  test('are filtered by format, kind of key, batch and template', async () => {
    expect(await jobs({})).toHaveLength(8);
    expect((await jobs({ format: 'pdf' })).map(({ format }) => format)).toEqual(['pdf']);
    expect((await jobs({ test: 'true' })).map((job) => job.test)).toEqual([true]);
    expect((await jobs({ test: 'false' })).map((job) => job.test)).toEqual(Array(7).fill(undefined));
    const ofBatch = await jobs({ batchId });
    expect(ofBatch.map(({ templateId }) => templateId)).toEqual([other, other]);
    expect(await jobs({ batchId, status: 'failed' })).toEqual([]);
    expect(await jobs({ batchId, templateId: template })).toEqual([]);
    expect(await jobs({ batchId: `bat_${'0'.repeat(26)}` })).toEqual([]);
    expect(await jobs({ templateId: template, format: 'docx', status: 'failed' })).toHaveLength(1);
    const foreign = await newClient();
    expect((await foreign.call('GET', `/v1/jobs?batchId=${batchId}`)).json()).toEqual([]);
  });

  test('are filtered by a period', async () => {
    const all = await jobs({});
    expect(await jobs({ from: startedAt, to: endedAt })).toEqual(all);
    expect(await jobs({ from: endedAt })).toEqual([]);
    expect(await jobs({ to: startedAt })).toEqual([]);
    expect(await jobs({ from: startedAt, search: to[0].toUpperCase() })).toHaveLength(1);
    const cut = all[3]?.createdAt ?? '';
    const [later, earlier] = [await jobs({ from: cut }), await jobs({ to: cut })];
    expect([...later, ...earlier]).toEqual(all);
    const first = await client.call('GET', `/v1/jobs?limit=1&from=${startedAt}`);
    expect((await client.call('GET', `${nextOf(first)}&to=${endedAt}`)).json<Job[]>()[0]?.id).toBe(all[1]?.id);
  });
});

test('deliveries are filtered by a period, and by a part of an id or an address', async () => {
  const deliveries = (search: Readonly<Record<string, string>>) => list('/v1/deliveries', search);
  await expect.poll(async () => (await deliveries({ status: 'sent' })).length).toBe(2);
  const all = await deliveries({});
  expect(all).toHaveLength(2);
  expect(await deliveries({ from: startedAt, to: endedAt })).toEqual(all);
  expect(await deliveries({ to: startedAt })).toEqual([]);
  expect(await deliveries({ search: to[1].toUpperCase() })).toEqual([all[0]]);
  expect(await deliveries({ search: all[1]?.id.slice(4) ?? '', from: startedAt })).toEqual([all[1]]);
  expect(await deliveries({ search: '%' + '_' })).toEqual([]);
});

describe('statistics of templates', () => {
  const read = async (search: string) => client.call('GET', `/v1/templates/statistics?${search}`);

  test('show last use, failures, warnings and times of the requested templates', async () => {
    const unused = (await client.template('c.docx', letter('{x}'))).id;
    const foreign = await (await newClient()).template('d.docx', letter('{x}'));
    const answer = await read(`ids=${[unused, other, template, foreign.id, template].join(',')}`);
    expect(answer.json()).toEqual([
      {
        templateId: template,
        lastDocumentAt: expect.stringMatching(/Z$/),
        documents: 6,
        failures: 1,
        withWarnings: 0,
        p95TotalMs: expect.any(Number),
        p95ProductionMs: expect.any(Number),
        complete: true,
      },
      expect.objectContaining({ templateId: other, documents: 2, failures: 0 }),
      { templateId: unused, documents: 0, failures: 0, withWarnings: 0, complete: true },
    ]);
    const [first] = answer.json<{ p95TotalMs: number; p95ProductionMs: number }[]>();
    expect(first?.p95TotalMs).toBeGreaterThanOrEqual(first?.p95ProductionMs ?? Number.POSITIVE_INFINITY);
    expect(first?.p95ProductionMs).toBeGreaterThan(0);
  });

  test('count warnings', async () => {
    expect((await client.generate(other, { data: {} })).status).toBe(200);
    const [statistics] = (await read(`ids=${other}&days=1`)).json<{ withWarnings: number }[]>();
    expect(statistics?.withWarnings).toBe(1);
  });
});
