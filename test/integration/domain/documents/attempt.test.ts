import { hash, randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { simulatedDocx, simulatedOffice } from '../../../../bench/harness/simulated-engines.ts';
import { findDelivery } from '../../../../src/shared/domain/deliveries/find-delivery.ts';
import { createClaimer } from '../../../../src/shared/domain/documents/claim-document.ts';
import { findDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import { createSettler } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import { openReplyChannel, type Reply } from '../../../../src/shared/queue/replies.ts';
import type { WorkerDeps } from '../../../../src/worker/deps.ts';
import { exceededMemory, exceededTime } from '../../../../src/worker/docx/sandbox/limit-errors.ts';
import { EngineError } from '../../../../src/worker/engine-error.ts';
import { startRun } from '../../../../src/worker/job-run.ts';
import { conversionLate, officeLost } from '../../../../src/worker/pdf/office/office-error.ts';
import { processDocument } from '../../../../src/worker/processors/document.ts';
import { plainPdf } from '../../../support/documents/plain-pdf.ts';
import { claimed, emailTo, newAccount } from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { storedKeys } from '../../../support/domain/stored-keys.ts';
import { type FaultProxy, startFaultProxy } from '../../../support/faults/fault-proxy.ts';
import { openTestDatabase, useOwnDatabase } from '../../../support/services/database.ts';
import { newPrefix, silent, useRedis } from '../../../support/services/redis.ts';
import { newTransientStore } from '../../../support/services/transient.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();
keepRules(pool);
const bytes = randomBytes(5_000);
const checksum = hash('sha256', bytes, 'hex');

/** A worker whose engines return what `make` makes, and the same page for every PDF. */
function withEngines(deps: WorkerDeps, make: () => Promise<Uint8Array>): WorkerDeps {
  const work = { renderMs: 0, convertMs: 0, slots: 1, docx: bytes, pdf: plainPdf({ pages: ['made'] }) };
  return {
    ...deps,
    templates: { ...deps.templates, load: async () => Buffer.alloc(0) },
    docx: {
      ...simulatedDocx(work),
      render: async () => ({ docx: await make(), warnings: [], hasPageFields: false, renderMs: 1, waitMs: 0 }),
    },
    office: simulatedOffice(work),
  };
}

/** A worker, an account, and the replies of the worker. */
async function newWorker() {
  const deps = await newWorkerDeps(db, url);
  const channel = await openReplyChannel(await useRedis('subscriber'), newPrefix(), silent);
  onTestFinished(() => channel.close());
  return { deps, channel, account: await newAccount(db, { docs: 20 }) };
}

async function newScene(kind: 'plain' | 'kept' | 'mailed' = 'plain', data = Buffer.from('{}')) {
  const { deps, channel, account } = await newWorker();
  const email = kind === 'mailed' ? emailTo('a@example.com') : null;
  const dataChecksum = hash('sha256', data, 'hex');
  const id = await account.accept({ isKept: kind !== 'plain', email, dataChecksum });
  await deps.transient.put('data', id, data, 600);
  const replies: Reply[] = [];
  channel.expect(id, (reply) => replies.push(reply));
  return {
    deps,
    id,
    replies,
    docsLeft: account.docsLeft,
    transient: deps.transient.of(account.accountId),
    row: () => findDocument(db, id),
    delivery: () => findDelivery(db, account.accountId, email?.deliveryId ?? ''),
    run: (make: () => Promise<Uint8Array>, through: WorkerDeps = deps) =>
      processDocument(withEngines(through, make), startRun(deps), { documentId: id, replyTo: channel.name }),
  };
}
type Scene = Awaited<ReturnType<typeof newScene>>;

/** The worker of the scene, connected to the database through a fault proxy. */
async function throughProxy(scene: Scene): Promise<{ deps: WorkerDeps; proxy: FaultProxy }> {
  const proxy = await startFaultProxy({ port: Number(new URL(url).port) });
  const faulty = openTestDatabase({ url, port: proxy.port, poolSize: 2, timeoutMs: 60_000 });
  onTestFinished(async () => {
    await proxy.heal();
    proxy.resetAll();
    await faulty.close();
    await proxy.close();
  });
  const [claim, succeed] = [createClaimer(faulty.db, 60_000), createSettler(faulty.db, 60_000)];
  return { deps: { ...scene.deps, db: faulty.db, claim, succeed }, proxy };
}

describe('an attempt that succeeds', () => {
  it('leaves the file in Redis for the waiting request, and notifies it', async () => {
    const scene = await newScene();
    await scene.run(async () => bytes);
    await expect.poll(() => scene.replies).toHaveLength(1);
    expect(scene.replies[0]).toMatchObject({
      ok: true,
      value: { id: scene.id, filename: 'Letter.docx', result: { store: 'redis', checksum } },
    });
    const row = await scene.row();
    expect(row).toMatchObject({ status: 'succeeded' });
    expect((await scene.deps.transient.get('result', row?.result?.key ?? ''))?.equals(bytes)).toBe(true);
    await expect.poll(() => scene.deps.transient.has('data', scene.id)).toBe(false);
    expect(await scene.docsLeft()).toBe(19);
  });

  it('leaves the file in the file store when it must be kept, and queues the e-mail', async () => {
    const scene = await newScene('mailed');
    await scene.run(async () => bytes);
    const { result } = (await scene.row()) ?? {};
    expect(result?.store).toBe('object');
    expect((await scene.deps.objects.get(result?.key ?? '', checksum))?.equals(bytes)).toBe(true);
    const { id, status } = await scene.delivery();
    expect(status).toBe('pending');
    expect(await scene.deps.queues.has('mail', id)).toBe(true);
  });

  it('leaves a large file in the file store when the account has no memory left in Redis', async () => {
    const scene = await newScene();
    const { redis, config } = scene.deps;
    const limits = { accountBytes: 100_000, totalBytes: 1e9 };
    const full = { ...scene.deps, transient: newTransientStore(redis, config.QUEUE_PREFIX, limits) };
    const large = randomBytes(100_001);
    await scene.run(async () => large, full);
    const { result } = (await scene.row()) ?? {};
    expect(result).toMatchObject({ store: 'object', sizeBytes: large.length });
    expect((await scene.deps.objects.get(result?.key ?? '', result?.checksum ?? ''))?.equals(large)).toBe(true);
    expect(await full.transient.readTotalBytes()).toBe(0);
  });

  it('stops counting the data of its document, as does one that fails', async () => {
    for (const outcome of [async () => bytes, () => Promise.reject(new AppError('data_invalid', 'no'))]) {
      const data = Buffer.alloc(5_000, ' ');
      const scene = await newScene('plain', data);
      const { transient } = scene.deps;
      await scene.transient.put('data', scene.id, data, 600);
      expect(await transient.readTotalBytes()).toBe(5_000);
      await scene.run(outcome);
      await expect.poll(() => transient.readTotalBytes()).toBe(0);
    }
  });

  it('and is run again, as after a crash before its acknowledgement, produces nothing', async () => {
    const scene = await newScene();
    await scene.run(async () => bytes);
    await scene.run(async () => {
      throw new Error('made a second time');
    });
    expect(await scene.row()).toMatchObject({ status: 'succeeded' });
    expect(await scene.docsLeft()).toBe(19);
  });

  it('keeps the document and its e-mail when Redis is unreachable for the notification', async () => {
    const scene = await newScene('mailed');
    await scene.run(async () => {
      scene.deps.redis.disconnect();
      return bytes;
    });
    expect(await scene.row()).toMatchObject({ status: 'succeeded' });
    expect(await scene.delivery()).toMatchObject({ status: 'pending' });
  });
});

describe('a fenced attempt', () => {
  it('changes nothing, notifies no one and leaves no file', async () => {
    const scene = await newScene('kept');
    await scene.run(async () => {
      await claimed(db, scene.id);
      return bytes;
    });
    expect(await scene.row()).toMatchObject({ status: 'running', result: undefined });
    expect(await storedKeys(scene.deps.objects, 'results/')).toEqual([]);
    expect(scene.replies).toEqual([]);
    expect(await scene.docsLeft()).toBe(19);
  });

  it('that fails does not fail the document', async () => {
    const scene = await newScene();
    await scene.run(async () => {
      await claimed(db, scene.id);
      throw new AppError('data_invalid', 'A value is missing');
    });
    expect(await scene.row()).toMatchObject({ status: 'running', error: undefined });
  });
});

describe('an attempt that fails', () => {
  it('because of the client fails the document immediately and releases its quota', async () => {
    const scene = await newScene('mailed');
    await scene.run(async () => {
      throw new AppError('data_invalid', 'A value is missing', {
        details: [{ type: 'Message', message: 'name', tag: 'name' }],
      });
    });
    await expect.poll(() => scene.replies).toHaveLength(1);
    expect(scene.replies[0]).toMatchObject({ ok: false, error: { code: 'data_invalid', details: [{ tag: 'name' }] } });
    expect(await scene.row()).toMatchObject({ status: 'failed', error: { code: 'data_invalid' } });
    await expect.poll(() => scene.deps.transient.has('data', scene.id)).toBe(false);
    expect(await scene.docsLeft()).toBe(20);
  });

  it('because of the service is tried three times, then its quota is released', async () => {
    const scene = await newScene();
    const broken = async (): Promise<Uint8Array> => {
      throw new Error('the secret inside');
    };
    for (let time = 0; time < 2; time++) await expect(scene.run(broken)).rejects.toThrow();
    expect(await scene.row()).toMatchObject({ status: 'running' });
    await scene.run(broken);
    expect(await scene.row()).toMatchObject({
      status: 'failed',
      error: { code: 'internal', message: 'Internal server error' },
    });
    expect(await scene.docsLeft()).toBe(20);
  });
});

describe('an attempt whose settlement fails in a database outage', () => {
  it('is settled when the database is back, and its document produced once', async () => {
    const scene = await newScene('kept');
    const { deps, proxy } = await throughProxy(scene);
    let makes = 0;
    await scene.run(async () => {
      makes += 1;
      await proxy.refuse();
      setTimeout(() => void proxy.heal(), 700);
      return bytes;
    }, deps);
    expect(makes).toBe(1);
    expect(await scene.row()).toMatchObject({ status: 'succeeded' });
    expect(await scene.docsLeft()).toBe(19);
  });

  it('is produced again when a crash of the database lost its claim', async () => {
    const scene = await newScene();
    const lost = scene.run(async () => {
      const claimless = `update generations set status = 'queued', attempts = 0, attempt_token = null where id = $1`;
      await pool.query(claimless, [scene.id]);
      return bytes;
    });
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    expect(scene.replies).toEqual([]);
    await scene.run(async () => bytes);
    expect(await scene.row()).toMatchObject({ status: 'succeeded' });
    expect(await scene.docsLeft()).toBe(19);
    await expect.poll(() => scene.replies).toHaveLength(1);
  });

  it('is settled once when only the reply was lost, and keeps its file', async () => {
    const scene = await newScene('kept');
    const { deps, proxy } = await throughProxy(scene);
    let cuts = 0;
    let isSettling = false;
    proxy.set({
      intercept: ({ direction, bytes: piece }) => {
        if (direction === 'up' && piece.includes(`"status" = 'succeeded', "finished_at"`)) isSettling = true;
        if (direction === 'up' || !isSettling || cuts > 0) return 'pass';
        cuts += 1;
        return 'reset';
      },
    });
    await scene.run(async () => bytes, deps);
    expect(cuts).toBe(1);
    const row = await scene.row();
    expect(row?.status).toBe('succeeded');
    expect((await scene.deps.objects.get(row?.result?.key ?? '', checksum))?.equals(bytes)).toBe(true);
    expect(await scene.docsLeft()).toBe(19);
    await expect.poll(() => scene.replies).toHaveLength(1);
  });
});

describe('a document that brings down its engine', () => {
  /** Documents of one template, produced by a worker. */
  async function newTemplate() {
    const { deps, channel, account } = await newWorker();
    /** Runs the job as often as its queue would; each run throws the next error, or succeeds without one. */
    const produceAs = async (format: 'docx' | 'pdf', ...errors: readonly Error[]) => {
      const data = Buffer.from('{}');
      const id = await account.accept({ format, dataChecksum: hash('sha256', data, 'hex') });
      await deps.transient.put('data', id, data, 600);
      const replies: Reply[] = [];
      channel.expect(id, (reply) => replies.push(reply));
      let runs = 0;
      const make = async (): Promise<Uint8Array> => {
        const error = errors[runs++];
        if (error !== undefined) throw error;
        return bytes;
      };
      const run = (): Promise<boolean> =>
        processDocument(withEngines(deps, make), startRun(deps), { documentId: id, replyTo: channel.name }).then(
          () => true,
          () => false,
        );
      for (let attempt = 0; attempt < 3; attempt++) if (await run()) break;
      await expect.poll(() => replies).toHaveLength(1);
      const row = await findDocument(db, id);
      const { pages, engine } = row ?? {};
      return { runs, outcome: row?.error?.code ?? row?.status, message: row?.error?.message, pages, engine };
    };
    const produce = (...errors: readonly Error[]) => produceAs('pdf', ...errors);
    return { produce, produceAs, docsLeft: account.docsLeft };
  }
  const late = conversionLate(60_000);

  it.each([
    ['conversion_timeout', late],
    ['render_limit', exceededTime('render', 10_000)],
    ['render_limit', exceededMemory('render', 512)],
  ])('is not tried again after a limit (%s)', async (outcome, error) => {
    const { produce, docsLeft } = await newTemplate();
    expect(await produce(error)).toMatchObject({ runs: 1, outcome });
    expect(error.status).toBe(400);
    expect(await docsLeft()).toBe(20);
  });

  it('is tried once again after a crash', async () => {
    const { produce } = await newTemplate();
    const engine = { name: 'simulated', version: '0' };
    expect(await produce(officeLost())).toMatchObject({ runs: 2, outcome: 'succeeded', pages: 1, engine });
    expect(await produce(officeLost(), officeLost())).toMatchObject({ runs: 2, outcome: 'worker_lost' });
  });

  it('suspends its template with others like it, whatever their data; documents are refused at once and not charged', async () => {
    const { produce, docsLeft } = await newTemplate();
    for (let time = 0; time < 3; time++) await produce(late);
    const refused = await produce();
    expect(refused).toMatchObject({ runs: 0, outcome: 'template_suspended' });
    const until = Date.parse(/until (\S+Z):/.exec(refused.message ?? '')?.[1] ?? '') - Date.now();
    expect(Math.ceil(until / 60_000)).toBeGreaterThan(5);
    expect(Math.ceil(until / 60_000)).toBeLessThanOrEqual(10);
    expect(await docsLeft()).toBe(20);
  });

  it('stops only PDFs when conversions failed, and every format when renders failed', async () => {
    const converted = await newTemplate();
    for (let time = 0; time < 3; time++) {
      await converted.produce(late);
      // Making a .docx does not end the count.
      expect(await converted.produceAs('docx')).toMatchObject({ outcome: 'succeeded' });
    }
    expect(await converted.produce()).toMatchObject({ outcome: 'template_suspended' });
    expect(await converted.produceAs('docx')).toMatchObject({ outcome: 'succeeded' });
    const rendered = await newTemplate();
    for (let time = 0; time < 3; time++) await rendered.produce(exceededTime('render', 10_000));
    expect(await rendered.produceAs('docx')).toMatchObject({ outcome: 'template_suspended' });
  });

  it('is not counted again when it is quarantined', async () => {
    const { produce } = await newTemplate();
    await produce(late);
    for (let time = 0; time < 4; time++) await produce(new EngineError('document_quarantined', 'failed twice', true));
    expect(await produce()).toMatchObject({ outcome: 'succeeded' });
  });

  it('does not suspend its template when others of it succeed', async () => {
    const { produce } = await newTemplate();
    for (let time = 0; time < 3; time++) {
      await produce(late);
      await produce(late);
      expect(await produce()).toMatchObject({ outcome: 'succeeded' });
    }
  });
});
