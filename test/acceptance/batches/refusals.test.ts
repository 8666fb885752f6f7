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

const bodies: [string, Record<string, string>, string | Buffer, number][] = [
  ['a missing value', ndjson, `${row.repeat(1_000)}{"name":}\n`, row.length * 1_000 + 8],
  ['a line that is cut off', ndjson, `${row}{"name":"A`, row.length + 10],
  [
    'a byte that is not UTF-8',
    ndjson,
    Buffer.concat([Buffer.from(`${row}{"name":"`), Buffer.from([0xff, 0x22])]),
    row.length + 9,
  ],
  ['a broken element', json, '{"items":[{"data":{}},{"data":{"a":01}}],"bundle":"none"}', 36],
  ['no end of the list', json, '{"items":[{"data":{}}', 21],
  ['two lists', json, '{"items":[{"data":{}}],"items":[]}', 31],
  ['a quote that is never closed', csv, 'name\n"Ada\nBob\n', 5],
  ['a quote inside a field', csv, 'name\nA"da\n', 6],
];

test.each(bodies)(
  '%s is rejected with its byte offset, and nothing is charged',
  async (_what, headers, body, offset) => {
    const before = await docsLeft(client);
    const answer = await send(client, path, body, headers);
    const { details = [] } = expectProblem(answer, 400, new RegExp(`at byte ${offset}\\b`));
    expect(details).toEqual([expect.objectContaining({ type: 'Message', offset })]);
    await nothingHappened(before);
  },
);

test.each<[string, Record<string, string>, string, string, RegExp]>([
  ['an empty NDJSON body', ndjson, '', '\n\n', /no rows/],
  ['an empty CSV', csv, '', 'name\n', /no rows/],
  ['an empty list', json, '', '{"items":[]}', /no rows/],
  ['a list alone', json, '', '[{"data":{}}]', /body|items/],
  ['a body without items', json, '', '{"output":{}}', /items/],
  ['another type', { 'Content-Type': 'text/plain' }, '', '{}', /Content-Type/],
  ['another encoding', { 'Content-Type': 'text/csv; charset=iso-8859-1' }, '', 'a\n1\n', /UTF-8/],
  ['an unknown option', ndjson, '?bundel=zip', '{}', /bundel/],
  ['options of JSON in the query', json, '?format=pdf', '{"items":[{"data":{}}]}', /format/],
  ['a merged PDF of Word files', ndjson, '?bundle=pdf', '{}', /bundle/],
  ['a negative number of failures', ndjson, '?maxFailures=-1', '{}', /maxFailures/],
  ['a header that names a thing twice', csv, '', 'a,a.b\n1,2\n', /header/],
  ['columns between semicolons', csv, '', 'name;city\nAda;Ulm\n', /header/],
  ['a version that cannot be', ndjson, '?version=0', '{}', /version: must be at least 1/],
  ['a list alone, said plainly', json, '', '[]', /body: must be an object/],
  ['an empty name', ndjson, '?filename=', '{}', /filename: must have at least 1 characters/],
  ['too many failures', ndjson, '?maxFailures=100001', '{}', /maxFailures: must be at most 100,000/],
  ['100,001 rows', ndjson, '', '{}\n'.repeat(100_001), /100,000 rows/],
])('%s is refused', async (_what, headers, query, body, message) => {
  const before = await docsLeft(client);
  expectProblem(await send(client, path + query, body, headers), 400, message);
  await nothingHappened(before);
});

test('addresses that are the same for all rows are checked for each row, in every format', async () => {
  const domain = Array(3).fill('d'.repeat(60)).join('.');
  const to = Array.from({ length: 50 }, (_, n) => `${'a'.repeat(50)}${n}@${domain}.example`);
  const json = { items: Array(3_500).fill({ data: {} }), output: { email: { to } } };
  expectProblem(await client.call('POST', path, { json }), 400, /all rows together are too large/);
});

test('a row larger than a single request may be is rejected', async () => {
  const large = `{"name":"${'x'.repeat(10 * 1024 * 1024)}"}`;
  expectProblem(await send(client, path, row + large), 400, /larger than 10 MB/);
});

test('a client that is still sending can read why it was rejected', async () => {
  const body = `${row}oops\n${row.repeat(2_000_000)}`;
  expectProblem(await send(client, path, body), 400, new RegExp(`at byte ${row.length}\\b`));
});

test('a stream that is cut off leaves nothing behind', async () => {
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
  const create = async (of: TestClient, count: number, query = ''): Promise<Answer> => {
    const { id } = await of.template('letter.docx', letter('Dear {name}'));
    return send(of, `/v1/templates/${id}/batches?bundle=none${query}`, many(count));
  };

  test('all rows or none are reserved: subscription first, then credits', async () => {
    const own = await newClient({ docs: 3, credits: [{ docs: 2 }, { docs: 4, expires: '2099-01-01' }] });
    expectProblem(await create(own, 10), 402, /quota does not suffice: the batch needs 10 documents, 9 are left/);
    expect(await docsLeft(own)).toBe(9);
    expect((await create(own, 10, '&dryRun=true')).json()).toMatchObject({ cost: 10, remaining: 9, fits: false });
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
