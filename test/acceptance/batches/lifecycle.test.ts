import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { address, letter } from '../api/samples.ts';
import { type Batch, csv, docsLeft, ended, itemsOf, lines, ndjson, send } from './batch-client.ts';

const { newClient, mailbox, operator } = await useService(inject('stack'));
let client: TestClient;
let path: string;
beforeAll(async () => {
  client = await newClient();
  path = `/v1/templates/${(await client.template('letter.docx', letter('Dear {name}, {customer.city}'))).id}/batches`;
});

const textOf = async (jobId: string) => docxText((await client.call('GET', `/v1/jobs/${jobId}/content`)).bytes);

test('NDJSON: each row is a document, reserved at acceptance and charged once', async () => {
  const before = await docsLeft(client);
  const rows = ['Ada', 'Bob', 'Cyd'].map((name) => ({ name, customer: { city: 'Ulm' } }));
  const answer = await send(client, `${path}?filename=to-{name}&bundle=none`, lines(rows));
  expect(answer.status).toBe(202);
  const batch = answer.json<Batch>();
  expect(answer.headers.get('Location')).toBe(`/v1/batches/${batch.id}`);
  expect(batch.rows).toBe(3);
  expect(await docsLeft(client)).toBe(before - 3);
  expect(await ended(client, batch.id)).toMatchObject({
    status: 'completed',
    counts: { queued: 0, running: 0, succeeded: 3, failed: 0, cancelled: 0 },
  });
  const items = await itemsOf(client, batch.id);
  expect(items.map(({ row, filename }) => [row, filename])).toEqual([
    [1, 'to-Ada.docx'],
    [2, 'to-Bob.docx'],
    [3, 'to-Cyd.docx'],
  ]);
  expect(await Promise.all(items.map(({ jobId }) => textOf(jobId)))).toEqual([
    'Dear Ada, Ulm',
    'Dear Bob, Ulm',
    'Dear Cyd, Ulm',
  ]);
  expect(await docsLeft(client)).toBe(before - 3);
  const listed = (await client.call('GET', '/v1/batches?limit=1')).json<Batch[]>();
  expect(listed.map(({ id }) => id)).toEqual([batch.id]);
  const count = async (query: string) => (await client.call('GET', `/v1/batches?${query}`)).json<Batch[]>().length;
  expect(await count('status=completed&limit=1')).toBe(1);
  expect(await count('status=failed')).toBe(0);
  expect(await count(`templateId=tpl_${'0'.repeat(26)}`)).toBe(0);
});

test('CSV: numbers and dates are read as written; an ambiguous one is refused until its format is stated', async () => {
  const { id } = await client.template('bill.docx', letter('{total | number:2} {day | date:"yyyy-MM-dd"}'));
  const body = 'total,day\n"557,5",09.02.2026\n1.234,2/9/2026\n';
  const target = `/v1/templates/${id}/batches`;
  const problem =
    'data.total: "1.234" can be 1.234 or 1234; state columnFormats=total:decimalPoint or total:decimalComma';
  const quote = await send(client, `${target}/quote`, body, csv);
  expect(quote.json()).toMatchObject({ cost: 1, invalidRows: [{ row: 2, error: { message: problem } }] });

  const formats = 'columnFormats=total:decimalComma,day:dayFirst';
  const batch = (await send(client, `${target}?bundle=none&${formats}`, body, csv)).json<Batch>();
  expect((await ended(client, batch.id)).counts).toMatchObject({ succeeded: 2, failed: 0 });
  const items = await itemsOf(client, batch.id);
  expect(await Promise.all(items.map(({ jobId }) => textOf(jobId)))).toEqual([
    '557.50 2026-02-09',
    '1,234.00 2026-09-02',
  ]);
  for (const wrong of ['columnFormats=Total:text', 'columnFormats=total:german'])
    expectProblem(await send(client, `${target}?${wrong}`, body, csv), 400, /^columnFormats: /);
});

test('JSON: `output` may stand before or after the items or in a row; invalid rows fail alone and cost nothing', async () => {
  const before = await docsLeft(client);
  const to = address('ü');
  const data = (name: string) => ({ name, email: to, customer: { city: 'Ulm' } });
  const items = [
    { data: data('Ada') },
    { data: data('Bob'), output: { filename: 'own.docx' } },
    { data: { name: 'Cyd' }, output: { filename: '' } },
    { data: { ...data('Dan'), email: 'nobody' } },
    { data: [] },
    { data: data('Eve'), output: { onMissing: 'error', locale: 'de' } },
  ];
  const output = { filename: '{name}', email: { to: ['{email}'], subject: 'For {name}' } };
  for (const body of [
    { items, output, bundle: 'none' },
    { bundle: 'none', output, items },
  ]) {
    const answer = await client.call('POST', path, { json: body });
    expect(answer.status).toBe(202);
    const { id } = answer.json<Batch>();
    expect(await ended(client, id)).toMatchObject({ status: 'completed', counts: { succeeded: 3, failed: 3 } });
    const failed = await itemsOf(client, id, '?status=failed');
    expect(failed.map(({ row, error }) => [row, error?.status, error?.details])).toEqual([
      [3, 400, [expect.objectContaining({ type: 'Field', path: 'output.filename' })]],
      [4, 400, [expect.objectContaining({ type: 'Field', path: 'output.email.to[0]' })]],
      [5, 400, [expect.objectContaining({ type: 'Field', path: 'data' })]],
    ]);
    const good = await itemsOf(client, id, '?status=succeeded');
    expect(good.map(({ row, filename }) => [row, filename])).toEqual([
      [1, 'Ada.docx'],
      [2, 'own.docx'],
      [6, 'Eve.docx'],
    ]);
  }
  expect(await docsLeft(client)).toBe(before - 6);
  await expect.poll(async () => (await mailbox.to(to)).length).toBe(6);
  const subjects = (await mailbox.to(to)).map(({ subject }) => subject).sort();
  expect(subjects).toEqual(['For Ada', 'For Ada', 'For Bob', 'For Bob', 'For Eve', 'For Eve']);
});

test('a quote reports the cost and the invalid rows, and changes nothing', async () => {
  const before = await docsLeft(client);
  const body = lines([{ email: 'ada@example.com' }, { email: 'no' }, 5]);
  const answer = await send(client, `${path}/quote?emailTo={email}`, body);
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({
    rows: 3,
    cost: 1,
    remaining: before,
    fits: true,
    invalidRowCount: 2,
    invalidRows: [{ row: 2 }, { row: 3 }],
  });
  const json = await client.call('POST', `${path}/quote`, { json: { items: [{ data: {} }] } });
  expect(json.json()).toMatchObject({ rows: 1, cost: 1, fits: true, invalidRows: [] });
  // The budget counts the documents of earlier tests.
  await operator.run('set-budget', { key: client.keyId, docs: 1_000 - before + 2 });
  const asked = async (rows: number) => (await send(client, `${path}/quote`, lines(Array(rows).fill({})))).json();
  expect(await asked(2)).toMatchObject({ cost: 2, remaining: before, budgetRemaining: 2, fits: true });
  expect(await asked(3)).toMatchObject({ cost: 3, remaining: before, budgetRemaining: 2, fits: false });
  const tooMany = await send(client, path, lines([{}, {}, {}]));
  expectProblem(tooMany, 402, /budget of this API key does not suffice: the batch needs 3 documents, 2 are left/);
  await operator.run('set-budget', { key: client.keyId });
  expect(await docsLeft(client)).toBe(before);
});

test('creating a batch with dryRun, which the OpenAPI document leaves out, still returns the quote', async () => {
  const before = await docsLeft(client);
  const headers = { Authorization: `Bearer ${client.apiKey}`, 'Content-Type': 'application/json' };
  const items = [{ data: {} }];
  for (const [query, body] of [
    ['?dryRun=true', { items }],
    ['', { items, dryRun: true }],
  ] as const) {
    const answer = await fetch(`${client.url}${path}${query}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([answer.status, await answer.json()]).toMatchObject([200, { rows: 1, cost: 1, fits: true }]);
  }
  expect(await docsLeft(client)).toBe(before);
});

test('e-mails have the text of the batch or of the row, or the default', async () => {
  const [own, shared, none] = [address(), address(), address()];
  const items = [
    { data: {}, output: { email: { to: [own], body: 'For Ada.' } } },
    { data: {}, output: { email: { to: [none] } } },
    { data: { to: shared } },
  ];
  const output = { email: { to: ['{to}'], body: `For all of you. ${'-'.repeat(400_000)}` } };
  expect((await client.call('POST', path, { json: { items, output, bundle: 'none' } })).status).toBe(202);
  const bodyTo = async (to: string) => (await mailbox.to(to))[0]?.text?.slice(0, 16);
  await expect.poll(() => bodyTo(own)).toMatch(/^For Ada\./);
  await expect.poll(() => bodyTo(none)).toBeTruthy();
  expect(await bodyTo(none)).not.toMatch(/^For/);
  await expect.poll(() => bodyTo(shared)).toBe('For all of you. ');
});

test('one Idempotency-Key creates one batch and one charge, even for concurrent requests; another body is a conflict', async () => {
  const before = await docsLeft(client);
  const headers = { ...ndjson, 'Idempotency-Key': randomUUID() };
  const body = lines([{ name: 'Ada' }, { name: 'Bob' }]);
  const url = `${path}?bundle=none`;
  const answers = await Promise.all([send(client, url, body, headers), send(client, url, body, headers)]);
  answers.push(await send(client, url, body, headers));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(answers.map((answer) => answer.headers.get('Location'))).size).toBe(1);
  expect(await docsLeft(client)).toBe(before - 2);
  expectProblem(await send(client, url, lines([{ name: 'Ada' }]), headers), 409, /Idempotency-Key/);
  expectProblem(await send(client, `${url}&format=pdf`, body, headers), 409, /Idempotency-Key/);
  expect(await docsLeft(client)).toBe(before - 2);
});

test('progress is streamed as server-sent events until the end', async () => {
  const { id } = (
    await send(client, `${path}?bundle=none`, lines(Array.from({ length: 40 }, () => ({}))))
  ).json<Batch>();
  const answer = await client.call('GET', `/v1/batches/${id}/events`, { headers: { 'Last-Event-ID': 'x' } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/event-stream/);
  const events = answer.bytes
    .toString('utf8')
    .split('\n\n')
    .filter((event) => event.startsWith('event:'));
  const read = (event = '') => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}') as Batch;
  expect(events.at(-1)).toMatch(/^event: end\n/);
  expect(read(events.at(-1))).toMatchObject({ id, status: 'completed', counts: { succeeded: 40 } });
  expect(events.slice(0, -1).every((event) => event.startsWith('event: progress\n'))).toBe(true);
  const done = events.map((event) => read(event).counts.succeeded);
  expect(done).toEqual([...done].sort((a, b) => a - b));
  // The EventSource of a browser sends this header when it reconnects.
  const lastId = /^id: (.+)$/m.exec(events.at(-1) ?? '')?.[1] ?? '';
  const again = (value: string) =>
    client.call('GET', `/v1/batches/${id}/events`, { headers: { 'Last-Event-ID': value } });
  expect((await again(lastId)).status).toBe(204);
  expect((await again('end-2020-01-01T00:00:00.000Z')).bytes.toString('utf8')).toMatch(/^event: end\n/);
});

describe('cancel', () => {
  test('unfinished rows are released, finished rows stay charged', async () => {
    const before = await docsLeft(client);
    const rows = Array.from({ length: 300 }, (_, index) => ({ name: `No ${index}` }));
    const { id } = (await send(client, `${path}?format=pdf&bundle=none`, lines(rows))).json<Batch>();
    const answer = await client.call('DELETE', `/v1/batches/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.json<Batch>()).toMatchObject({ status: 'cancelled' });
    const read = async () => (await client.call('GET', `/v1/batches/${id}`)).json<Batch>().counts;
    // Rows that were being dispatched are still produced.
    const unended = async () => (({ queued, running }) => queued + running)(await read());
    await expect.poll(unended).toBe(0);
    const { cancelled, succeeded } = await read();
    expect(cancelled + succeeded).toBe(300);
    expect(cancelled).toBeGreaterThan(0);
    expect(await docsLeft(client)).toBe(before - succeeded);
    expect((await client.call('DELETE', `/v1/batches/${id}`)).status).toBe(200);
  });

  test('an ended batch cannot be cancelled', async () => {
    const { id } = (await send(client, `${path}?bundle=none`, lines([{}]))).json<Batch>();
    await ended(client, id);
    expectProblem(await client.call('DELETE', `/v1/batches/${id}`), 409, /has completed/);
  });
});

test('rows that are refused at acceptance count towards maxFailures', async () => {
  const before = await docsLeft(client);
  const { id } = (await send(client, `${path}?maxFailures=3&bundle=none`, lines([1, 2, 3, 4, {}]))).json<Batch>();
  const batch = await ended(client, id);
  expect(batch).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(/maxFailures/) } });
  // A row that a worker had claimed before the batch failed is produced.
  const counts = async () => (await client.call('GET', `/v1/batches/${id}`)).json<Batch>().counts;
  await expect.poll(async () => (({ queued, running }) => queued + running)(await counts())).toBe(0);
  const { failed, succeeded } = await counts();
  expect(failed).toBe(4);
  expect(await docsLeft(client)).toBe(before - succeeded);
});
