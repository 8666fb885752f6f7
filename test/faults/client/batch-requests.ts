import { createHash } from 'node:crypto';
import type { Harness } from '../harness/harness.ts';
import { expect, expectEqual, until } from '../harness/until.ts';
import type { Client } from './client.ts';
import { readBundle } from './zip-requests.ts';

export interface Progress {
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
}

export interface BatchOptions {
  readonly rows: number;
  readonly query?: string;
  readonly key?: string;
}

interface ManifestRow {
  readonly row: number;
  readonly file: string;
  readonly status: string;
  readonly checksum: string;
  readonly size: number;
}

const query = 'format=docx&bundle=zip&filename=letter-{order}';

/** Sends a batch of letters, each with its number, as NDJSON. */
export function sendBatch(client: Client, templateId: string, options: BatchOptions) {
  const body = Array.from({ length: options.rows }, (_, index) =>
    JSON.stringify({ canary: client.account.canary, order: `row-${index + 1}` }),
  ).join('\n');
  const key = options.key === undefined ? {} : { 'Idempotency-Key': options.key };
  const headers = { 'Content-Type': 'application/x-ndjson', ...key };
  return client.call('POST', `/v1/templates/${templateId}/batches?${options.query ?? query}`, { body, headers });
}

/** Submits a batch of letters and returns its path. */
export async function submitBatch(
  h: Harness,
  client: Client,
  templateId: string,
  options: BatchOptions,
): Promise<string> {
  const answer = await sendBatch(client, templateId, options);
  expectEqual(answer.status, 202, `the batch (${answer.body.toString().slice(0, 300)})`);
  h.allowedUnanswered += options.rows;
  return answer.headers.get('Location') ?? '';
}

export async function progressOf(client: Client, path: string): Promise<Progress | undefined> {
  const answer = await client.call('GET', path);
  return answer.status === 200 ? (JSON.parse(answer.body.toString()) as Progress) : undefined;
}

async function untilCompleted(client: Client, path: string): Promise<void> {
  await until(
    'the batch completes',
    async () => {
      const progress = await progressOf(client, path);
      if (progress !== undefined) expect(progress.status !== 'failed', `the batch ${JSON.stringify(progress)}`);
      return progress?.status === 'completed';
    },
    600_000,
    500,
  );
}

/** Every row is produced once, charged once and in the bundle once, in order and as the manifest says. */
export async function expectExact(h: Harness, client: Client, path: string, rows: number): Promise<void> {
  await untilCompleted(client, path);
  const { accountId } = client.account;
  expectEqual(await h.statuses(accountId), { succeeded: rows }, 'the documents');
  const [ledger] = await h.query<Record<string, number>>(
    `select count(*) filter (where kind = 'reserve')::int as reserved, count(*) filter (where kind = 'settle')::int as settled,
      count(distinct generation_id)::int as documents, count(*)::int as entries from ledger where account_id = $1`,
    [accountId],
  );
  expectEqual(ledger, { reserved: rows, settled: rows, documents: rows, entries: 2 * rows }, 'the ledger');
  const [held] = await h.query<{ held: number }>(
    'select sum(docs_held)::int as held from allowances where account_id = $1',
    [accountId],
  );
  expectEqual(held?.held, 0, 'reserved documents');
  await expectBundle(h, client, path, rows);
  const unfinished = await h.query('select 1 from batch_in_flight_rows where account_id = $1', [accountId]);
  expectEqual(unfinished.length, 0, 'unfinished rows');
}

async function expectBundle(h: Harness, client: Client, path: string, rows: number): Promise<void> {
  const content = await client.call('GET', `${path}/content`);
  expectEqual(content.status, 200, 'the bundle');
  const entries = await readBundle(content.body, h.folder);
  const expected = Array.from({ length: rows }, (_, index) => `row-${index + 1}`);
  expectEqual(entries.map((entry) => entry.order).join(), expected.join(), 'the rows in the bundle');
  expectEqual(new Set(entries.map((entry) => entry.filename)).size, rows, 'names in the bundle');
  expect(
    entries.every(({ canary }) => canary === client.account.canary),
    'the bundle contains data of another account',
  );
  const answer = await client.call('GET', `${path}/manifest`, { headers: { Accept: 'application/json' } });
  const manifest = JSON.parse(answer.body.toString()) as readonly ManifestRow[];
  expectEqual(manifest.length, rows, 'the rows of the manifest');
  for (const [index, { row, file, status, checksum, size }] of manifest.entries()) {
    const entry = entries[index];
    const found = [index + 1, entry?.filename, 'succeeded', entry?.checksum, entry?.sizeBytes];
    expectEqual([row, file, status, checksum, size], found, 'a row of the manifest, and its file in the bundle');
  }
  const [file] = await h.query<{ checksum: string; size: number }>(
    `select f ->> 'checksum' as checksum, (f ->> 'sizeBytes')::int as size from batches, jsonb_array_elements(files) f where id = $1`,
    [path.split('/').at(-1)],
  );
  expectEqual(file?.checksum, createHash('sha256').update(content.body).digest('hex'), 'the checksum of the bundle');
}
