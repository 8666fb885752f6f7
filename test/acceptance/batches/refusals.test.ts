import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem } from '../../support/client/api-client.ts';
import { connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { type Batch, csv, docsLeft, ended, lines, ndjson, send } from './batch-client.ts';

const { newClient, url } = await useService(inject('stack'));
let client: TestClient;
let path: string;
beforeAll(async () => {
  client = await newClient();
  path = `/v1/templates/${(await client.template('letter.docx', letter('Dear {name}'))).id}/batches`;
});

const json = { 'Content-Type': 'application/json' };
const row = `${JSON.stringify({ name: 'Ada' })}\n`;
const nothingHappened = async (before: number) => {
  expect(await docsLeft(client)).toBe(before);
  expect((await client.call('GET', '/v1/batches')).json()).toEqual([]);
};

test.each<[string, Record<string, string>, string, string, RegExp]>([
  ['a line that is cut off', ndjson, '', `${row}{"name":"A`, new RegExp(`at byte ${row.length + 10}\\b`)],
  ['a broken element', json, '', '{"items":[{"data":{}},{"data":{"a":01}}],"bundle":"none"}', /at byte 36\b/],
  ['a quote that is never closed', csv, '', 'name\n"Ada\nBob\n', /at byte 5\b/],
  ['an empty list', json, '', '{"items":[]}', /no rows/],
  ['an unknown option', ndjson, '?bundel=zip', '{}', /bundel/],
])('%s is refused, and nothing is charged', async (_what, headers, query, body, message) => {
  const before = await docsLeft(client);
  expectProblem(await send(client, path + query, body, headers), 400, message);
  await nothingHappened(before);
});

test('a client that is still sending can read why it was rejected', async () => {
  const body = `${row}oops\n${row.repeat(2_000_000)}`;
  expectProblem(await send(client, path, body), 400, new RegExp(`at byte ${row.length}\\b`));
});

test('a body that is cut off leaves nothing behind', async () => {
  const before = await docsLeft(client);
  const connection = await connectRaw(url);
  const headers = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${client.apiKey}`];
  await connection.send(
    `${[...headers, 'Content-Type: application/x-ndjson', 'Content-Length: 900000000'].join('\r\n')}\r\n\r\n`,
    row.repeat(500_000),
  );
  connection.close();
  await expect.poll(() => docsLeft(client)).toBe(before);
  await nothingHappened(before);
});

describe('quota', () => {
  const many = (count: number): string => lines(Array.from({ length: count }, () => ({ name: 'Ada' })));
  const create = async (of: TestClient, count: number, operation = 'batches'): Promise<Answer> => {
    const { id } = await of.template('letter.docx', letter('Dear {name}'));
    return send(of, `/v1/templates/${id}/${operation}?bundle=none`, many(count));
  };

  test('all rows or none are reserved: subscription first, then credits', async () => {
    const own = await newClient({ docs: 3, credits: [{ docs: 2 }, { docs: 4, expires: '2099-01-01' }] });
    expectProblem(await create(own, 10), 402, /quota does not suffice: the batch needs 10 documents, 9 are left/);
    expect(await docsLeft(own)).toBe(9);
    expect((await create(own, 10, 'batches/quote')).json()).toMatchObject({ cost: 10, remaining: 9, fits: false });
    const answer = await create(own, 8);
    expect(answer.status).toBe(202);
    const { remaining } = await own.quotas();
    expect([remaining.subscriptions.docs, remaining.credits.docs]).toEqual([0, 1]);
    expect((await ended(own, answer.json<Batch>().id)).counts.succeeded).toBe(8);
    expect(await docsLeft(own)).toBe(1);
  });

  test('concurrent batches and single documents never use more than is left', async () => {
    const own = await newClient({ docs: 10, credits: [{ docs: 20 }] });
    const { id } = await own.template('letter.docx', letter('Dear {name}'));
    const batches = Array.from({ length: 6 }, () => send(own, `/v1/templates/${id}/batches?bundle=none`, many(7)));
    const singles = Array.from({ length: 5 }, () => own.generate(id, { data: {} }));
    const statuses = (await Promise.all([...batches, ...singles])).map(({ status }) => status);
    const batchedRows = statuses.slice(0, 6).filter((status) => status === 202).length * 7;
    const singleDocuments = statuses.slice(6).filter((status) => status === 200).length;
    expect(batchedRows + singleDocuments).toBeLessThanOrEqual(30);
    expect(await docsLeft(own)).toBe(30 - batchedRows - singleDocuments);
  });
});
