import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findDelivery } from '../../../../src/shared/domain/deliveries/find-delivery.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { createClaimer } from '../../../../src/shared/domain/generations/claim-generation.ts';
import { findGeneration } from '../../../../src/shared/domain/generations/find-generations.ts';
import { createSettler } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import { newId } from '../../../../src/shared/ids.ts';
import { openReplyChannel, type Reply } from '../../../../src/shared/queue/replies.ts';
import type { WorkerDeps } from '../../../../src/worker/deps.ts';
import { type ProducedDocument, runAttempt } from '../../../../src/worker/generation/run-attempt.ts';
import { claimed, documentRequest, newAccount } from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { type FaultProxy, startFaultProxy } from '../../../support/faults/fault-proxy.ts';
import { openTestDatabase, useOwnDatabase } from '../../../support/services/database.ts';
import { newPrefix, silent, useRedis } from '../../../support/services/redis.ts';
import { newTransientStore } from '../../../support/services/transient.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();
const bytes = randomBytes(5_000);
const checksum = createHash('sha256').update(bytes).digest('hex');
const engine = { name: 'LibreOffice', version: '25.2.3.2' };
const made: ProducedDocument = { bytes, pages: 2, engine, warnings: [], renderMs: 1, convertMs: 2 };

interface Scene {
  readonly deps: WorkerDeps;
  readonly accountId: string;
  readonly id: string;
  readonly deliveryId: string;
  readonly replies: readonly Reply[];
  run(make: () => Promise<ProducedDocument>, deps?: WorkerDeps): Promise<void>;
}

async function newScene(kind: 'plain' | 'kept' | 'mailed' = 'plain'): Promise<Scene> {
  const deps = await newWorkerDeps(db, url);
  const { accountId, templateId } = await newAccount(db, { docs: 10 });
  const deliveryId = newId('dlv');
  const email = { deliveryId, to: ['a@example.com'], cc: [], bcc: [], subject: null, body: null };
  const request = documentRequest(templateId, { isKept: kind !== 'plain', email: kind === 'mailed' ? email : null });
  await acceptGeneration(db, accountId, request);
  await deps.transient.put('data', request.id, Buffer.from('{}'), 600);
  const channel = await openReplyChannel(await useRedis('subscriber'), newPrefix(), silent);
  onTestFinished(() => channel.close());
  const replies: Reply[] = [];
  channel.expect(request.id, (reply) => replies.push(reply));
  return {
    deps,
    accountId,
    id: request.id,
    deliveryId,
    replies,
    run: (make, through = deps) => runAttempt(through, { generationId: request.id, replyTo: channel.name }, make),
  };
}

const remainingDocs = async ({ accountId }: Scene) => (await readQuotas(db, accountId)).remaining.total.docs;

async function storedResults({ deps }: Scene): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of deps.objects.list('results/')) keys.push(...page.map((object) => object.key));
  return keys;
}

/** The worker of the scene, connected to the database through a fault proxy. */
async function throughProxy(scene: Scene): Promise<{ deps: WorkerDeps; proxy: FaultProxy }> {
  const proxy = await startFaultProxy({ port: Number(new URL(url).port) });
  const faulty = openTestDatabase({ url, port: proxy.port, poolSize: 2, timeoutMs: 10_000 });
  onTestFinished(async () => {
    await proxy.heal();
    proxy.resetAll();
    await faulty.close();
    await proxy.close();
  });
  const deps = {
    ...scene.deps,
    db: faulty.db,
    claim: createClaimer(faulty.db, 10_000),
    succeed: createSettler(faulty.db, 10_000),
  };
  return { deps, proxy };
}

describe('an attempt that succeeds', () => {
  it('leaves the file in Redis for the waiting request, and notifies it', async () => {
    const scene = await newScene();
    await scene.run(async () => made);
    await expect.poll(() => scene.replies).toHaveLength(1);
    const [reply] = scene.replies;
    expect(reply).toMatchObject({
      ok: true,
      value: { id: scene.id, filename: 'Letter.docx', result: { store: 'redis', checksum } },
    });
    const row = await findGeneration(db, scene.id);
    expect(row).toMatchObject({ status: 'succeeded', pages: 2, engine });
    expect((await scene.deps.transient.get('result', row?.result?.key ?? ''))?.equals(bytes)).toBe(true);
    await expect.poll(() => scene.deps.transient.has('data', scene.id)).toBe(false);
    expect(await remainingDocs(scene)).toBe(9);
  });

  it('leaves the file in the file store when it must be kept, and queues the e-mail', async () => {
    const scene = await newScene('mailed');
    await scene.run(async () => made);
    const row = await findGeneration(db, scene.id);
    expect(row?.result?.store).toBe('object');
    expect((await scene.deps.objects.get(row?.result?.key ?? '', checksum))?.equals(bytes)).toBe(true);
    expect(await scene.deps.queues.has('mail', scene.deliveryId)).toBe(true);
    expect(await findDelivery(db, scene.accountId, scene.deliveryId)).toMatchObject({ status: 'pending' });
  });

  it('leaves a large file in the file store when the account has no memory left in Redis', async () => {
    const scene = await newScene();
    const { redis, config } = scene.deps;
    const limits = { accountBytes: 100_000, totalBytes: 1e9 };
    const full = { ...scene.deps, transient: newTransientStore(redis, config.QUEUE_PREFIX, limits) };
    const large = randomBytes(100_001);
    await scene.run(async () => ({ ...made, bytes: large }), full);
    const { result } = (await findGeneration(db, scene.id)) ?? {};
    expect(result).toMatchObject({ store: 'object', sizeBytes: large.length });
    expect((await scene.deps.objects.get(result?.key ?? '', result?.checksum ?? ''))?.equals(large)).toBe(true);
    expect(await full.transient.readTotalBytes()).toBe(0);
  });

  it('uncounts the data of the document, whether it succeeds or fails', async () => {
    for (const outcome of [async () => made, () => Promise.reject(new AppError('data_invalid', 'no'))]) {
      const scene = await newScene();
      const { transient } = scene.deps;
      await transient.of(scene.accountId).put('data', scene.id, Buffer.alloc(5_000, ' '), 600);
      expect(await transient.readTotalBytes()).toBe(5_000);
      await scene.run(outcome);
      await expect.poll(() => transient.readTotalBytes()).toBe(0);
    }
  });

  it('and is run again, as after a crash before its acknowledgement, produces nothing', async () => {
    const scene = await newScene();
    await scene.run(async () => made);
    await scene.run(async () => {
      throw new Error('made a second time');
    });
    expect(await findGeneration(db, scene.id)).toMatchObject({ status: 'succeeded' });
    expect(await remainingDocs(scene)).toBe(9);
    expect(await violations(pool)).toEqual([]);
  });

  it('keeps the document and its e-mail when Redis is unreachable for the notification', async () => {
    const scene = await newScene('mailed');
    await scene.run(async () => {
      scene.deps.redis.disconnect();
      return made;
    });
    expect(await findGeneration(db, scene.id)).toMatchObject({ status: 'succeeded' });
    expect(await findDelivery(db, scene.accountId, scene.deliveryId)).toMatchObject({ status: 'pending' });
  });
});

describe('a fenced attempt', () => {
  it('changes nothing, notifies no one and leaves no file', async () => {
    const scene = await newScene('kept');
    await scene.run(async () => {
      await claimed(db, scene.id);
      return made;
    });
    expect(await findGeneration(db, scene.id)).toMatchObject({ status: 'running', result: undefined });
    expect(await storedResults(scene)).toEqual([]);
    expect(scene.replies).toEqual([]);
    expect(await remainingDocs(scene)).toBe(9);
  });

  it('that fails does not fail the document', async () => {
    const scene = await newScene();
    await scene.run(async () => {
      await claimed(db, scene.id);
      throw new AppError('data_invalid', 'A value is missing');
    });
    expect(await findGeneration(db, scene.id)).toMatchObject({ status: 'running', error: undefined });
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
    expect(await findGeneration(db, scene.id)).toMatchObject({ status: 'failed', error: { code: 'data_invalid' } });
    await expect.poll(() => scene.deps.transient.has('data', scene.id)).toBe(false);
    expect(await remainingDocs(scene)).toBe(10);
    expect(await violations(pool)).toEqual([]);
  });

  it('because of the service is tried three times, then its quota is released', async () => {
    const scene = await newScene();
    const broken = async (): Promise<ProducedDocument> => {
      throw new Error('the secret inside');
    };
    await expect(scene.run(broken)).rejects.toThrow();
    await expect(scene.run(broken)).rejects.toThrow();
    expect(await findGeneration(db, scene.id)).toMatchObject({ status: 'running' });
    await scene.run(broken);
    const row = await findGeneration(db, scene.id);
    expect(row).toMatchObject({ status: 'failed', error: { code: 'internal', message: 'Internal server error' } });
    expect(await remainingDocs(scene)).toBe(10);
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
      return made;
    }, deps);
    expect(makes).toBe(1);
    expect(await findGeneration(db, scene.id)).toMatchObject({ status: 'succeeded' });
    expect(await remainingDocs(scene)).toBe(9);
  });

  it('is produced again when a crash of the database lost its claim', async () => {
    const scene = await newScene();
    const lost = scene.run(async () => {
      const claimless = `update generations set status = 'queued', attempts = 0, attempt_token = null where id = $1`;
      await pool.query(claimless, [scene.id]);
      return made;
    });
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    expect(scene.replies).toEqual([]);
    await scene.run(async () => made);
    expect(await findGeneration(db, scene.id)).toMatchObject({ status: 'succeeded' });
    expect(await remainingDocs(scene)).toBe(9);
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
    await scene.run(async () => made, deps);
    expect(cuts).toBe(1);
    const row = await findGeneration(db, scene.id);
    expect(row?.status).toBe('succeeded');
    expect((await scene.deps.objects.get(row?.result?.key ?? '', checksum))?.equals(bytes)).toBe(true);
    expect(await remainingDocs(scene)).toBe(9);
    expect(await violations(pool)).toEqual([]);
    await expect.poll(() => scene.replies).toHaveLength(1);
  });
});
