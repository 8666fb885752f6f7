import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ApiDeps } from '../../../src/api/api-deps.ts';
import { createBacklogGate } from '../../../src/api/documents/backlog-gate.ts';
import { createEngineGate } from '../../../src/api/documents/engine-gate.ts';
import { enqueueDocument } from '../../../src/api/documents/submit-document.ts';
import { setBatchWeight } from '../../../src/shared/domain/batches/dispatch/set-weight.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { createClaimer } from '../../../src/shared/domain/documents/claim-document.ts';
import { findDocument } from '../../../src/shared/domain/documents/find-documents.ts';
import { readQuotas } from '../../../src/shared/domain/quota/read-quotas.ts';
import { pinTemplate } from '../../../src/shared/domain/templates/pin-template.ts';
import { replaceContent } from '../../../src/shared/domain/templates/replace-content.ts';
import { engineVersionOf } from '../../../src/shared/engine-version.ts';
import { createEngineRegistry } from '../../../src/shared/queue/engine-registry.ts';
import { dispatchFormat } from '../../../src/worker/batches/start-dispatcher.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { createDocxPool, type DocxPool } from '../../../src/worker/docx/sandbox/docx-pool.ts';
import { startRun } from '../../../src/worker/job-run.ts';
import { recoverRows } from '../../../src/worker/maintenance/recover-batches.ts';
import { recoverDocuments } from '../../../src/worker/maintenance/recover-documents.ts';
import { recoverPinned } from '../../../src/worker/maintenance/recover-pinned.ts';
import { processDocument } from '../../../src/worker/processors/document.ts';
import { startWorkers } from '../../../src/worker/start-workers.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { documentRequest, newAccount, type TestAccount } from '../../support/domain/accounts.ts';
import { newBatch } from '../../support/domain/batches.ts';
import { olderOffice } from '../../support/older-office.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { silent, useRedis } from '../../support/services/redis.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { startTestPool, type TestPool } from '../pdf/office/office-fixture.ts';

const { db, pool, url } = await useOwnDatabase();

/** A worker's dependencies with an engine that is only a name. */
async function newDeps(engineVersion?: string): Promise<WorkerDeps> {
  const deps = await newWorkerDeps(db, url);
  return { ...deps, engineVersion, claim: createClaimer(db, 20_000, engineVersion) };
}

const registryOf = ({ redis, config }: WorkerDeps, queue: 'pdf' | 'pdf-batch') =>
  createEngineRegistry(redis, config.QUEUE_PREFIX, queue);

const data = Buffer.from('{"name":"Ada"}');
const dataChecksum = createHash('sha256').update(data).digest('hex');

/** Accepts and enqueues a PDF as the API does, for the engine that its template is pinned to at this time. */
async function enqueued(deps: WorkerDeps, { accountId, templateId }: TestAccount): Promise<string> {
  const request = documentRequest(templateId, { format: 'pdf', dataChecksum });
  const { id, engine } = await acceptDocument(db, accountId, request);
  await deps.transient.put('data', id, data, 600);
  await deps.queues.add('pdf', id, { documentId: id, accountId, replyTo: null }, { engine });
  return id;
}

async function attemptsOf(id: string): Promise<unknown> {
  return (await pool.query('select status, attempts from generations where id = $1', [id])).rows[0];
}

const waitingIn = async ({ queues }: WorkerDeps, engine?: string): Promise<number> =>
  (await queues.stats('pdf', engine)).waiting;

const attempt = (deps: WorkerDeps, documentId: string): Promise<void> => {
  const load = () => Promise.reject(new Error('must not be produced'));
  const through = { ...deps, templates: { ...deps.templates, load } };
  return processDocument(through, startRun(deps), { documentId, replyTo: null });
};

describe('a document of a pinned template', () => {
  test('waits in the queue of its engine, and others do not', async () => {
    const deps = await newDeps();
    const [pinned, free] = [await newAccount(db, { docs: 10 }), await newAccount(db, { docs: 10 })];
    await pinTemplate(db, { templateId: pinned.templateId, engine: '7.4' });
    const id = await enqueued(deps, pinned);
    await enqueued(deps, free);
    expect([await waitingIn(deps, '7.4'), await waitingIn(deps)]).toEqual([1, 1]);
    // The sweep finds it there and enqueues nothing twice.
    expect(await deps.queues.findMissing('pdf', [id])).toEqual([]);
  });

  test('goes to its engine when its template was pinned while it waited', async () => {
    const deps = await newDeps('25.2');
    const account = await newAccount(db, { docs: 10 });
    const id = await enqueued(deps, account);
    await pinTemplate(db, { templateId: account.templateId, engine: '7.4' });
    await attempt(deps, id);
    expect(await waitingIn(deps, '7.4')).toBe(1);
    // This did not count as an attempt at the document.
    expect(await attemptsOf(id)).toEqual({ status: 'queued', attempts: 0 });
    await expect(
      attempt({ ...deps, engineVersion: '7.4', claim: createClaimer(db, 20_000, '7.4') }, id),
    ).rejects.toThrow();
    expect(await attemptsOf(id)).toMatchObject({ attempts: 1 });
  });

  test('leaves the queue of an engine without workers when the pin is removed', async () => {
    const deps = await newDeps();
    const account = await newAccount(db, { docs: 10 });
    await pinTemplate(db, { templateId: account.templateId, engine: '7.4' });
    const [moved, kept] = [await enqueued(deps, account), await newAccount(db, { docs: 10 })];
    await pinTemplate(db, { templateId: kept.templateId, engine: '7.4' });
    await enqueued(deps, kept);
    await pinTemplate(db, { templateId: account.templateId, engine: null });
    await recoverPinned(deps);
    expect([await waitingIn(deps, '7.4'), await waitingIn(deps)]).toEqual([1, 1]);
    expect(await deps.queues.findMissing('pdf', [moved])).toEqual([]);
    // While a worker serves the queue, it takes them itself.
    await registryOf(deps, 'pdf').announce('wrk_1', '7.4');
    await pinTemplate(db, { templateId: kept.templateId, engine: null });
    await recoverPinned(deps);
    expect(await waitingIn(deps, '7.4')).toBe(1);
  });

  test('is enqueued again for its engine when its job is lost', async () => {
    const deps = await newDeps();
    const account = await newAccount(db, { docs: 10 });
    await pinTemplate(db, { templateId: account.templateId, engine: '7.4' });
    const { id } = await acceptDocument(db, account.accountId, documentRequest(account.templateId, { format: 'pdf' }));
    await deps.transient.put('data', id, Buffer.from('{}'), 600);
    await pool.query("update generations set accepted_at = now() - interval '1 minute' where id = $1", [id]);
    await recoverDocuments(deps);
    expect([await waitingIn(deps, '7.4'), await waitingIn(deps)]).toEqual([1, 0]);
  });

  test('is refused with the name of the engine, and not charged, while no worker has it', async () => {
    const deps = await newDeps();
    const { accountId, templateId } = await newAccount(db, { docs: 3 });
    await pinTemplate(db, { templateId, engine: '7.4' });
    const limits = { depth: 100, accountDepth: 100, accountAgeMs: { waiting: 60_000, later: 60_000 } };
    const api = {
      ...deps,
      results: { channel: 'replies' },
      engines: createEngineGate(registryOf(deps, 'pdf')),
      backlog: createBacklogGate(deps.queues, limits),
    } as unknown as ApiDeps;
    const request = async () => {
      const { id, engine } = await acceptDocument(db, accountId, documentRequest(templateId, { format: 'pdf' }));
      const document = { id, accountId, format: 'pdf', isReplay: false, clientKind: 'waiting' } as const;
      await enqueueDocument(api, { ...document, data: Buffer.from('{}'), engine });
      return id;
    };
    await expect(request()).rejects.toMatchObject({ status: 503, message: expect.stringContaining('LibreOffice 7.4') });
    expect((await readQuotas(db, accountId)).remaining.total.docs).toBe(3);
    await registryOf(deps, 'pdf').announce('wrk_1', '25.2');
    await registryOf(deps, 'pdf').announce('wrk_2', '7.4');
    await expect.poll(() => request().catch(() => undefined), { interval: 500 }).toMatch(/^doc_/);
    expect(await waitingIn(deps, '7.4')).toBe(1);
    await registryOf(deps, 'pdf').withdraw('wrk_2');
    await expect.poll(async () => [...(await registryOf(deps, 'pdf').read())]).toEqual(['25.2']);
  });
});

describe('batches of a pinned template', () => {
  const jobsOf = async ({ queues }: WorkerDeps, engine?: string): Promise<number> =>
    (await queues.stats('pdf-batch', engine)).waiting;
  const rows = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];

  test('wait without delaying others until a worker has their engine', async () => {
    const deps = await newDeps();
    const [pinned, free] = [await newAccount(db, { docs: 10 }), await newAccount(db, { docs: 10 })];
    await pinTemplate(db, { templateId: pinned.templateId, engine: '7.4' });
    await setBatchWeight(db, { accountId: pinned.accountId, weight: 3 });
    await newBatch(db, deps.objects, pinned, { rows, format: 'pdf' });
    await newBatch(db, deps.objects, free, { rows, format: 'pdf' });
    await dispatchFormat(deps, 'pdf');
    const first = await jobsOf(deps);
    expect([first > 0, await jobsOf(deps, '7.4')]).toEqual([true, 0]);
    await registryOf(deps, 'pdf-batch').announce('wrk_1', '7.4');
    await dispatchFormat(deps, 'pdf');
    const dispatched = await jobsOf(deps, '7.4');
    expect(dispatched).toBeGreaterThan(0);
    const share = await pool.query("select weight from batch_shares where account_id = $1 and format = 'pdf@7.4'", [
      pinned.accountId,
    ]);
    expect(share.rows).toEqual([{ weight: 3 }]);

    // Its last worker has gone: the rows wait in PostgreSQL again, and follow the pin.
    await registryOf(deps, 'pdf-batch').withdraw('wrk_1');
    const recovered = async (): Promise<number> => {
      await recoverRows(deps);
      return await jobsOf(deps, '7.4');
    };
    await expect.poll(recovered, { interval: 1_000 }).toBe(0);
    const inFlight = await pool.query(
      "select count(*)::int as count from batch_in_flight_rows where format = 'pdf@7.4'",
    );
    expect(inFlight.rows).toEqual([{ count: 0 }]);
  });
});

const folder = olderOffice();

describe.skipIf(folder === undefined)('workers with two versions of LibreOffice', () => {
  let older: TestPool;
  let newer: TestPool;
  let docx: DocxPool;

  beforeAll(async () => {
    older = await startTestPool({ sofficePath: folder });
    newer = await startTestPool();
    const limits = { renderTimeoutMs: 60_000, inspectTimeoutMs: 60_000, heapMb: 256 };
    docx = createDocxPool({ processes: 1, ...limits, templateCacheBytes: 1_000_000, logger: silent });
  });

  afterAll(async () => {
    await Promise.all([older.close(), newer.close(), docx.close()]);
  });

  async function startWorker(deps: WorkerDeps, office: TestPool): Promise<void> {
    const engineVersion = engineVersionOf(office.pool.status().engine?.version ?? '');
    const claim = createClaimer(db, 20_000, engineVersion);
    const own = { ...deps, docx, office: office.pool, engineVersion, claim };
    const workers = startWorkers(own, await useRedis('blocking'), ['pdf']);
    onTestFinished(() => workers.close());
  }

  test('lay out pinned documents with their engine, side by side with others', async () => {
    const deps = await newDeps();
    const bytes = buildDocx({ body: paragraph('Dear {name}') });
    const checksum = createHash('sha256').update(bytes).digest('hex');
    const accounts: TestAccount[] = [];
    for (const engine of ['7.4', engineVersionOf(newer.pool.status().engine?.version ?? ''), null]) {
      const account = await newAccount(db, { docs: 100 });
      const objectKey = `templates/${account.templateId}/real`;
      await deps.objects.put(objectKey, bytes, 'application/octet-stream');
      const content = { objectKey, checksum, sizeBytes: bytes.length, tags: ['name'], fonts: [], name: 'Letter.docx' };
      await replaceContent(db, { ...account, ...content });
      await pinTemplate(db, { templateId: account.templateId, engine });
      accounts.push(account);
    }
    await startWorker(deps, older);
    await startWorker(deps, newer);
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => enqueued(deps, accounts[index % accounts.length] as TestAccount)),
    );
    const outcome = async () => await Promise.all(ids.map((id) => findDocument(db, id)));
    await expect.poll(async () => (await outcome()).filter((row) => row?.status === 'succeeded').length).toBe(12);
    const done = await outcome();
    const enginesOf = (account: TestAccount | undefined): readonly string[] =>
      done.flatMap((row) =>
        row?.accountId === account?.accountId ? [engineVersionOf(row?.engine?.version ?? '')] : [],
      );
    expect(new Set(enginesOf(accounts[0]))).toEqual(new Set(['7.4']));
    expect(enginesOf(accounts[1])).not.toContain('7.4');
    expect(enginesOf(accounts[2])).toHaveLength(4);
  });
});
