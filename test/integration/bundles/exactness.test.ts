import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { cancelBatch } from '../../../src/shared/domain/batches/cancel-batch.ts';
import { claimBundle, startBundling } from '../../../src/shared/domain/batches/claim-bundle.ts';
import { completeBatch } from '../../../src/shared/domain/batches/end-batch.ts';
import { findOwnBundle, pickFile } from '../../../src/shared/domain/batches/find-bundle.ts';
import { retryRows } from '../../../src/shared/domain/batches/retry-rows.ts';
import { findGeneration } from '../../../src/shared/domain/generations/find-generations.ts';
import { AppError } from '../../../src/shared/errors.ts';
import type { ObjectStore } from '../../../src/shared/storage/objects.ts';
import { makeFiles } from '../../../src/worker/bundles/make-files.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { processBundle } from '../../../src/worker/processors/bundle.ts';
import { processMaintenance } from '../../../src/worker/processors/maintenance.ts';
import { plainPdf } from '../../support/documents/plain-pdf.ts';
import { outcomeOf, together } from '../../support/domain/accounts.ts';
import { type FinishedBatch, type FinishedRow, finishedBatch } from '../../support/domain/finished-batch.ts';
import { violations } from '../../support/domain/invariants.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { textOf } from '../pdf/office/office-fixture.ts';

const { db, pool, url } = await useOwnDatabase();

const pdfs = (count: number): FinishedRow[] =>
  Array.from({ length: count }, (_, index) => ({
    filename: `${index}`,
    bytes: plainPdf({ pages: [`row ${index + 1}`] }),
  }));
const zipped = (deps: WorkerDeps, rows: readonly FinishedRow[]) =>
  finishedBatch({ deps, pool, db }, { bundle: 'zip', format: 'pdf' }, rows);

async function bundleKeys(deps: WorkerDeps): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of deps.objects.list('batches/')) keys.push(...page.map(({ key }) => key));
  return keys.filter((key) => !key.endsWith('/input')).sort();
}

const stateOf = ({ accountId, batchId }: FinishedBatch) => findOwnBundle(db, accountId, batchId);

function withStore(deps: WorkerDeps, changes: Partial<ObjectStore>): WorkerDeps {
  return { ...deps, objects: { ...deps.objects, ...changes } };
}

it('a worker that dies after the upload leaves only an orphaned object, and the next one produces the bundle again', async () => {
  const deps = await newWorkerDeps(db, url);
  const batch = await zipped(deps, pdfs(3));
  const lost = await claimBundle(db, batch.batchId);
  if (lost === undefined) throw new Error('nothing to claim');
  await makeFiles(deps, lost, () => undefined);
  const [orphan] = await bundleKeys(deps);
  await processMaintenance(deps, { task: 'sweep' });
  expect(await deps.queues.has('bundle', batch.batchId)).toBe(true);
  await processBundle(deps, { batchId: batch.batchId });
  const { objectKey } = pickFile(await stateOf(batch), 1);
  expect(await bundleKeys(deps)).toEqual([orphan, objectKey].sort());
  const eager = { ...deps, config: { ...deps.config, ORPHAN_AGE_SECONDS: -10 } };
  await processMaintenance(eager, { task: 'orphans' });
  expect(await bundleKeys(deps)).toEqual([objectKey]);
  expect(await completeBatch(db, lost, { files: [], ttlSeconds: 60 })).toMatchObject({ isDone: false });
  expect((await stateOf(batch)).files).toHaveLength(1);
  expect(await violations(pool)).toEqual([]);
});

it('the files of a bundle in progress are never orphans, however old', async () => {
  const deps = await newWorkerDeps(db, url);
  const batch = await zipped(deps, pdfs(1));
  const claim = await claimBundle(db, batch.batchId);
  if (claim === undefined) throw new Error('nothing to claim');
  await makeFiles(deps, claim, () => undefined);
  const keys = await bundleKeys(deps);
  await processMaintenance({ ...deps, config: { ...deps.config, ORPHAN_AGE_SECONDS: -10 } }, { task: 'orphans' });
  expect(await bundleKeys(deps)).toEqual(keys);
});

it('one of several concurrent workers completes the batch, and the files of the others are removed', async () => {
  const deps = await newWorkerDeps(db, url);
  const batch = await zipped(deps, pdfs(5));
  await together(4, () => processBundle(deps, { batchId: batch.batchId }));
  const state = await stateOf(batch);
  expect(state.status).toBe('completed');
  expect(await bundleKeys(deps)).toEqual([pickFile(state, 1).objectKey]);
});

it('a commit whose reply was lost counts, and is not repeated', async () => {
  const deps = await newWorkerDeps(db, url);
  const batch = await zipped(deps, pdfs(1));
  const claim = await claimBundle(db, batch.batchId);
  if (claim === undefined) throw new Error('nothing to claim');
  const end = () => completeBatch(db, claim, { files: [], ttlSeconds: 60 });
  expect(await end()).toMatchObject({ isDone: true });
  expect(await end()).toMatchObject({ isDone: true });
  expect(await claimBundle(db, batch.batchId)).toBeUndefined();
});

it('an outage in the middle of a volume leaves nothing, and the next attempt has every row once', async () => {
  const deps = await newWorkerDeps(db, url);
  const batch = await finishedBatch({ deps, pool, db }, { bundle: 'pdf', format: 'pdf' }, pdfs(7));
  const away = new AppError('unavailable', 'The file store is temporarily unreachable.');
  let reads = 0;
  const flaky = withStore(deps, {
    get: (key, checksum) => (++reads > 4 ? Promise.reject(away) : deps.objects.get(key, checksum)),
  });
  await expect(processBundle(flaky, { batchId: batch.batchId })).rejects.toBe(away);
  expect(await bundleKeys(deps)).toEqual([]);
  expect((await stateOf(batch)).status).toBe('bundling');
  await processBundle(deps, { batchId: batch.batchId });
  const file = pickFile(await stateOf(batch), 1);
  const text = await textOf((await deps.objects.get(file.objectKey, file.checksum)) ?? Buffer.alloc(0));
  expect(text.match(/row \d/g)).toEqual([1, 2, 3, 4, 5, 6, 7].map((row) => `row ${row}`));
});

it('a merged PDF comes in volumes, each with its rows', async () => {
  const deps = await newWorkerDeps(db, url);
  const rows = [...pdfs(3), { error: 'no' }, ...pdfs(4)];
  const batch = await finishedBatch({ deps, pool, db }, { bundle: 'pdf', format: 'pdf', bundleName: 'Run' }, rows);
  const claim = await claimBundle(db, batch.batchId);
  if (claim === undefined) throw new Error('nothing to claim');
  const files: { name: string; firstRow: number; lastRow: number }[] = [];
  await makeFiles(deps, claim, (file) => files.push(file), { documents: 3, sizeBytes: 1e9 });
  expect(files.map(({ name, firstRow, lastRow }) => [name, firstRow, lastRow])).toEqual([
    ['Run-1.pdf', 1, 3],
    ['Run-2.pdf', 5, 7],
    ['Run-3.pdf', 8, 8],
  ]);
});

it('a document that can never be merged fails the batch with its row, and the others stay', async () => {
  const deps = await newWorkerDeps(db, url);
  const rows = [...pdfs(2), { filename: 'odd', bytes: randomBytes(500) }];
  const batch = await finishedBatch({ deps, pool, db }, { bundle: 'pdf', format: 'pdf' }, rows);
  await processBundle(deps, { batchId: batch.batchId });
  const state = await stateOf(batch);
  expect(state).toMatchObject({ status: 'failed', files: undefined });
  expect(state.error?.message).toMatch(/one by one.* row 3 /);
  expect(() => pickFile(state, 1)).toThrow(/row 3/);
  expect(await bundleKeys(deps)).toEqual([]);
  expect((await findGeneration(db, batch.jobIds[0] ?? ''))?.result).toBeDefined();
});

it('a bundle that fails ten times fails the batch; a retry produces it without a charge', async () => {
  const deps = await newWorkerDeps(db, url);
  const batch = await zipped(deps, pdfs(1));
  const broken = withStore(deps, { get: async () => undefined });
  for (let attempt = 1; attempt < 10; attempt++) {
    await expect(processBundle(broken, { batchId: batch.batchId })).rejects.toThrow(/row 1 is missing from/);
  }
  await processBundle(broken, { batchId: batch.batchId });
  expect((await stateOf(batch)).status).toBe('failed');

  const entries = async () => (await pool.query('select id from ledger where account_id = $1', [batch.accountId])).rows;
  const before = await entries();
  const again = () => retryRows(db, { ...batch, keyId: 'key_none', rows: [] }, undefined);
  expect(await together(2, () => outcomeOf(again()))).toEqual(expect.arrayContaining(['ok', 'conflict']));
  expect(await startBundling(db, [batch.batchId])).toEqual([batch.batchId]);
  await processBundle(deps, { batchId: batch.batchId });
  expect(pickFile(await stateOf(batch), 1)).toMatchObject({ firstRow: 1, lastRow: 1 });
  expect(await entries()).toEqual(before);
  expect(await outcomeOf(again())).toBe('conflict');
});

it('a cancelled batch gets a bundle when it is retried; one without a document gets none', async () => {
  const deps = await newWorkerDeps(db, url);
  const [batch, empty] = [await zipped(deps, pdfs(2)), await zipped(deps, [{ error: 'no' }])];
  const again = ({ accountId, batchId }: FinishedBatch) =>
    outcomeOf(retryRows(db, { accountId, batchId, keyId: 'key_none', rows: [] }, undefined));
  expect(await again(batch)).toBe('conflict');
  for (const { accountId, batchId } of [batch, empty])
    await cancelBatch(db, accountId, { id: batchId, ttlSeconds: 60 });
  expect([await again(batch), await again(empty)]).toEqual(['ok', 'conflict']);
  await startBundling(db, [batch.batchId]);
  await processBundle(deps, { batchId: batch.batchId });
  expect(pickFile(await stateOf(batch), 1)).toMatchObject({ firstRow: 1, lastRow: 2 });
});

it('rows are kept as long as their batch, and everything is removed when it expires', async () => {
  const deps = await newWorkerDeps(db, url);
  const batch = await zipped(deps, pdfs(2));
  const setTime = (table: string, ids: readonly string[]) =>
    pool.query(`update ${table} set expires_at = now() - interval '1 second' where id = any($1)`, [ids]);
  const rowsLeft = async () =>
    (await Promise.all(batch.jobIds.map((id) => findGeneration(db, id)))).filter((row) => row?.result).length;
  await setTime('generations', batch.jobIds);
  await processMaintenance(deps, { task: 'sweep' });
  expect(await rowsLeft()).toBe(2);
  await processBundle(deps, { batchId: batch.batchId });
  await processMaintenance(deps, { task: 'sweep' });
  expect(await rowsLeft()).toBe(2);
  expect(await bundleKeys(deps)).toHaveLength(1);
  await setTime('batches', [batch.batchId]);
  await together(2, () => processMaintenance(deps, { task: 'sweep' }));
  await processMaintenance(deps, { task: 'sweep' });
  expect(await rowsLeft()).toBe(0);
  expect(await bundleKeys(deps)).toEqual([]);
  const kept: string[] = [];
  for await (const page of deps.objects.list(`batches/${batch.accountId}/`)) kept.push(...page.map(({ key }) => key));
  expect(kept).toEqual([]);
  const state = await stateOf(batch);
  expect(() => pickFile(state, 1)).toThrow(/expired/);
});

it('the event of a batch is written in the statement that finishes it', async () => {
  const deps = await newWorkerDeps(db, url);
  const batch = await zipped(deps, [...pdfs(2), { error: 'no' }]);
  await pool.query(
    `insert into webhook_endpoints (id, account_id, kind, url, events, status, secret, created_at, updated_at)
      values ('whk_' || $1, $1, 'endpoint', 'https://example.com/', '["batch.completed"]', 'enabled', 'sealed', now(), now())`,
    [batch.accountId],
  );
  await processBundle(deps, { batchId: batch.batchId });
  const { rows } = await pool.query('select type, data from webhook_events where account_id = $1', [batch.accountId]);
  expect(rows).toEqual([
    {
      type: 'batch.completed',
      data: expect.objectContaining({
        id: batch.batchId,
        status: 'completed',
        rows: 3,
        counts: { succeeded: 2, failed: 1, cancelled: 0 },
      }),
    },
  ]);
  expect(await deps.queues.has('webhook', batch.batchId)).toBe(true);
});
