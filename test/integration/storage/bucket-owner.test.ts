import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { restoreBackup } from '../../../src/admin/backup/restore-backup.ts';
import { holdRemovals, readInstallation } from '../../../src/shared/domain/installation.ts';
import { createTemplate } from '../../../src/shared/domain/templates/create-template.ts';
import { removeTemplate } from '../../../src/shared/domain/templates/remove-template.ts';
import { type BucketOwner, createBucketOwner, ownerKey } from '../../../src/shared/storage/bucket-owner.ts';
import type { ObjectStore } from '../../../src/shared/storage/objects.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { startRun } from '../../../src/worker/job-run.ts';
import { processMaintenance } from '../../../src/worker/processors/maintenance.ts';
import { newAccount, templateInput, together } from '../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newPrefix, silent } from '../../support/services/redis.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { adminOn, storageVariables, temporaryFolder, withEnvironment } from '../admin/run-admin.ts';
import { keysIn, useStore } from './use-store.ts';

const first = await useOwnDatabase();
const second = await useOwnDatabase();
const bytes = randomBytes(10);

/** A bucket, and a store that does not check its owner, as in an earlier release. */
async function newBucket(): Promise<{ readonly name: string; readonly store: ObjectStore }> {
  const name = newPrefix();
  const store = useStore({ bucket: name });
  await store.prepare();
  return { name, store };
}

const ownerIn = ({ db }: typeof first, store: ObjectStore): BucketOwner => createBucketOwner(db, store, silent);

/** A worker of this database on the bucket, with queues of its own. */
const workerOf = (database: typeof first, bucket: string): Promise<WorkerDeps> =>
  newWorkerDeps(database.db, database.url, { S3_BUCKET: bucket });

/** Uploads templates for a new account, and returns their keys. */
async function upload({ db }: typeof first, store: Pick<ObjectStore, 'put'>, count: number): Promise<string[]> {
  const { accountId } = await newAccount(db, { docs: 5, templates: count + 1 });
  const inputs = Array.from({ length: count }, () => templateInput(accountId));
  for (const input of inputs) {
    await store.put(input.objectKey, bytes, 'application/pdf');
    await createTemplate(db, input);
  }
  return inputs.map(({ objectKey }) => objectKey).sort();
}

const keysOf = async (store: ObjectStore) => (await keysIn(store)).filter((key) => key !== ownerKey);

/** Sweeps as if every object were old. */
const sweepOrphans = (deps: WorkerDeps, changes: Partial<WorkerDeps['config']> = {}) =>
  processMaintenance({ ...deps, config: { ...deps.config, ORPHAN_AGE_SECONDS: -10, ...changes } }, startRun(deps), {
    task: 'orphans',
  });

function admin<T>(database: typeof first, deps: WorkerDeps, ...line: string[]): Promise<T> {
  const env = { ...storageVariables(deps.config), ORPHAN_AGE_SECONDS: '0' };
  return withEnvironment(env, () => adminOn(database)<T>(...line));
}

const lines = async ({ pool }: typeof first): Promise<readonly string[]> =>
  (await pool.query<{ line: string }>(`select action || ' ' || outcome as line from audit_log order by id`)).rows.map(
    ({ line }) => line,
  );

it('a second installation removes nothing from the bucket of the first, and writes nothing to it', async () => {
  const { name, store } = await newBucket();
  const own = await workerOf(first, name);
  const keys = await upload(first, own.objects, 3);
  const other = await workerOf(second, name);
  await sweepOrphans(other);
  const { accountId } = await newAccount(second.db, { docs: 5, templates: 5 });
  const input = templateInput(accountId, { objectKey: keys[0] ?? '' });
  await createTemplate(second.db, input);
  await removeTemplate(second.db, accountId, input.id);
  await second.pool.query(`update templates set deleted_at = now() - interval '2 minutes'`);
  await processMaintenance(other, startRun(other), { task: 'sweep' });
  expect(await keysOf(store)).toEqual(keys);
  const refusal = { code: 'unavailable', message: expect.stringContaining('belongs to another installation') };
  await expect(other.objects.put('results/a/b/c', bytes, 'text/plain')).rejects.toMatchObject(refusal);
  await expect(other.objects.putStream('results/a/b/c', stream(), 'text/plain')).rejects.toMatchObject(refusal);
  await expect(other.objects.remove(keys)).rejects.toMatchObject(refusal);
  expect(await keysOf(store)).toEqual(keys);
  expect(await ownerIn(second, store).check.check()).toBe(false);
  expect(await ownerIn(first, store).check.check()).toBe(true);
});

async function* stream(): AsyncIterable<Uint8Array> {
  yield bytes;
}

it('a process notices that its bucket now belongs to another database', async () => {
  const { name, store } = await newBucket();
  const deps = await workerOf(first, name);
  const keys = await upload(first, deps.objects, 1);
  const owner = ownerIn(first, store);
  expect(await owner.check.check()).toBe(true);
  await store.put(ownerKey, Buffer.from('ins_another'), 'text/plain');
  await expect.poll(() => owner.check.check()).toBe(false);
  await first.pool.query('delete from template_versions where object_key = any($1)', [keys]);
  await sweepOrphans(deps);
  expect(await keysOf(store)).toEqual(keys);
  await store.put(ownerKey, Buffer.from((await readInstallation(first.db)).id), 'text/plain');
  await expect.poll(() => owner.check.check()).toBe(true);
});

it('an empty database does not adopt a bucket that has objects and no mark', async () => {
  const { name, store } = await newBucket();
  const keys = await upload(first, store, 3);
  const other = await workerOf(second, name);
  await expect(other.bucket.verify()).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message: expect.stringMatching(/does not know \(3 of 3\): correct S3_BUCKET or DATABASE_URL/) },
  });
  await sweepOrphans(other);
  expect(await keysOf(store)).toEqual(keys);
  expect(await store.getStream(ownerKey)).toBeUndefined();
});

it('a database adopts a bucket of an earlier release when it knows most of the objects, although a crash left others', async () => {
  const { name, store } = await newBucket();
  const keys = await upload(first, store, 3);
  await store.put('results/acc_1/doc_1/att_1.docx', bytes, 'application/pdf');
  const deps = await workerOf(first, name);
  await deps.bucket.verify();
  await sweepOrphans(deps);
  expect(await keysOf(store)).toEqual(keys);
  await expect((await workerOf(second, name)).bucket.verify()).rejects.toMatchObject({ code: 'unavailable' });
});

it('one of two databases that start on an empty bucket at the same time keeps it', async () => {
  const { store } = await newBucket();
  const owners = [first, second, first, second].map((database) => ownerIn(database, store));
  await together(4, async (i) => await owners[i]?.verify().catch(() => undefined));
  const isOwnedBy = (database: typeof first) => ownerIn(database, store).check.check();
  const owned = await Promise.all([first, second].map((database) => isOwnedBy(database).catch(() => false)));
  expect(owned.filter(Boolean)).toHaveLength(1);
});

it('objects of missing rows stay until the operator removes them', async () => {
  const { name, store } = await newBucket();
  const deps = await workerOf(first, name);
  const known = await upload(first, deps.objects, 2);
  const lost = await upload(first, deps.objects, 11);
  await first.pool.query('delete from template_versions where object_key = any($1)', [lost]);
  await sweepOrphans(deps);
  await sweepOrphans(deps);
  expect(await keysOf(store)).toEqual([...known, ...lost].sort());
  const shown = await admin<{ examples: string[] }>(first, deps, 'orphans');
  expect(shown).toMatchObject({ listed: 13, orphans: 11, folders: { 'templates/': 11 }, removalsHeldAt: null });
  expect([...shown.examples].sort()).toEqual(lost);
  expect(await keysOf(store)).toEqual([...known, ...lost].sort());
  expect(await admin(first, deps, 'remove-orphans')).toMatchObject({ removed: 11 });
  expect(await keysOf(store)).toEqual(known);
  expect(await lines(first)).toEqual(expect.arrayContaining(['remove-orphans started', 'remove-orphans succeeded']));
});

it('a run with more orphans than the limit removes none, however many objects there are', async () => {
  const { name, store } = await newBucket();
  const deps = await workerOf(first, name);
  const known = await upload(first, deps.objects, 40);
  const lost = known.slice(0, 3);
  await first.pool.query('delete from template_versions where object_key = any($1)', [lost]);
  await sweepOrphans(deps, { ORPHAN_REMOVAL_LIMIT: 2 });
  expect(await keysOf(store)).toEqual(known);
  await sweepOrphans(deps, { ORPHAN_REMOVAL_LIMIT: 3 });
  expect(await keysOf(store)).toEqual(known.slice(3));
});

it('no orphan is removed after a restore until the operator has removed them once', async () => {
  const { name, store } = await newBucket();
  const deps = await workerOf(first, name);
  const orphan = 'results/acc_1/doc_1/att_1.docx';
  await deps.objects.put(orphan, bytes, 'application/pdf');
  await admin(first, deps, 'finish-restore');
  await sweepOrphans(deps);
  expect(await keysOf(store)).toEqual([orphan]);
  expect(await admin(first, deps, 'orphans')).toMatchObject({ orphans: 1, removalsHeldAt: expect.any(Date) });
  await admin(first, deps, 'remove-orphans');
  await deps.objects.put(orphan, bytes, 'application/pdf');
  await sweepOrphans(deps);
  expect(await keysOf(store)).toEqual([]);
});

it('an operator takes a bucket over by naming its owner, and what the database does not know stays', async () => {
  const { name, store } = await newBucket();
  const own = await workerOf(first, name);
  const keys = await upload(first, own.objects, 2);
  const owner = ownerIn(first, store);
  await owner.verify();
  const other = await workerOf(second, name);
  const { id } = await readInstallation(first.db);
  await expect(admin(second, other, 'claim-bucket')).rejects.toThrow(`belongs to ${id}`);
  expect(await admin(second, other, 'claim-bucket', '--owner', id)).toMatchObject({ previousOwner: id });
  await other.objects.put('assets/acc_1/ast_1/upl_1.png', bytes, 'image/png');
  await sweepOrphans(other);
  expect(await keysOf(store)).toEqual(['assets/acc_1/ast_1/upl_1.png', ...keys]);
  await expect.poll(() => owner.check.check()).toBe(false);
  expect(await lines(second)).toEqual(
    expect.arrayContaining(['claim-bucket started', 'claim-bucket failed', 'claim-bucket succeeded']),
  );
});

it('an unmarked bucket is taken over without naming an owner', async () => {
  const { name, store } = await newBucket();
  await upload(first, store, 1);
  const other = await workerOf(second, name);
  await expect(admin(second, other, 'claim-bucket', '--owner', 'ins_1')).rejects.toThrow('leave --owner out');
  expect(await admin(second, other, 'claim-bucket')).toMatchObject({ previousOwner: null });
  await other.bucket.verify();
});

it('no backup is made with the bucket of another database, and none is restored into it', async () => {
  const { name, store } = await newBucket();
  await ownerIn(first, store).verify();
  const other = await workerOf(second, name);
  const folder = join(temporaryFolder(), 'backup');
  await expect(admin(second, other, 'backup', '--out', folder)).rejects.toThrow(
    'No backup was made: the bucket belongs',
  );
  mkdirSync(folder);
  writeFileSync(join(folder, 'database.dump'), '');
  const [at, databaseSha256] = [new Date().toISOString(), hash('sha256', '')];
  const times = { startedAt: at, databaseAt: at, finishedAt: at };
  const sizes = { databaseBytes: 0, databaseSha256, objects: 0, objectBytes: 0 };
  const summary = { version: '1.0.0', installationId: 'ins_another', ...times, ...sizes };
  writeFileSync(join(folder, 'backup.json'), JSON.stringify(summary));
  const { id } = await readInstallation(first.db);
  const empty = await useOwnDatabase({ isEmpty: true });
  await expect(restoreBackup({ db: empty.db, databaseUrl: empty.url, objects: store, folder })).rejects.toThrow(
    `The bucket belongs to another database (${id})`,
  );
});

it('processes that start at the same time give a database one identity', async () => {
  const fresh = await useOwnDatabase();
  await together(8, () => holdRemovals(fresh.db));
  const ids = await together(8, async () => (await readInstallation(fresh.db)).id);
  expect(new Set(ids).size).toBe(1);
});
