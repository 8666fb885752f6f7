import { expect, it, onTestFinished } from 'vitest';
import type { ApiDeps } from '../../../src/api/api-deps.ts';
import { enqueueDocument } from '../../../src/api/documents/submit-document.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { findDocument } from '../../../src/shared/domain/documents/find-documents.ts';
import { readQuotas } from '../../../src/shared/domain/quota/read-quotas.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import { documentRequest, newAccount } from '../../support/domain/accounts.ts';
import { useDatabase } from '../../support/services/database.ts';
import { newPrefix, silent, startOwnRedis, useRedis } from '../../support/services/redis.ts';
import { newTransientStore } from '../../support/services/transient.ts';

const { db } = useDatabase();

async function newRequests(port?: number) {
  const redis = await useRedis('commands', port);
  const prefix = newPrefix();
  const queues = createQueues(redis, prefix, silent);
  onTestFinished(() => queues.close());
  const transient = newTransientStore(redis, prefix);
  const results = { channel: 'replies' };
  const config = { DOCUMENT_DEADLINE_SECONDS: 600 };
  const deps = { db, redis, transient, queues, logger: silent, config, results } as unknown as ApiDeps;
  const { accountId, templateId } = await newAccount(db, { docs: 5 });
  return {
    redis,
    queues,
    accept: async () => (await acceptDocument(db, accountId, documentRequest(templateId))).id,
    enqueue: (id: string, isReplay = false) => {
      const document = { id, accountId, format: 'docx', isReplay, engine: null, clientKind: 'waiting' } as const;
      return enqueueDocument(deps, { ...document, data: Buffer.from('{}') });
    },
    storedData: async () => (await redis.keys(`${prefix}:data:*`)).map((key) => key.slice(`${prefix}:data:`.length)),
    remaining: async () => (await readQuotas(db, accountId)).remaining.total.docs,
  };
}

it('a request whose job cannot be enqueued is refunded and leaves no data in Redis, which may be full', async () => {
  const { redis, accept, enqueue, storedData, remaining } = await newRequests(await startOwnRedis());
  const good = await accept();
  await enqueue(good);
  await redis.call('ACL', 'SETUSER', 'default', '-eval', '-evalsha');
  const id = await accept();
  await expect(enqueue(id)).rejects.toThrow('NOPERM');
  expect((await findDocument(db, id))?.status).toBe('failed');
  expect(await remaining()).toBe(4);
  await expect.poll(storedData).toEqual([good]);
});

it('a repeated request enqueues a document that a crash left without a job, with its data, once', async () => {
  const { queues, accept, enqueue, storedData, remaining } = await newRequests();
  const id = await accept();
  for (let times = 0; times < 2; times++) {
    await enqueue(id, true);
    expect(await queues.findMissing('docx', [id])).toEqual([]);
    expect([await queues.countWaiting('docx'), await storedData()]).toEqual([1, [id]]);
  }
  expect([(await findDocument(db, id))?.status, await remaining()]).toEqual(['queued', 4]);
});
