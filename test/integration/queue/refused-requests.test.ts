import { expect, it } from 'vitest';
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

it('a request whose job cannot be enqueued is refunded and leaves no data in Redis, which may be full', async () => {
  const redis = await useRedis('commands', await startOwnRedis());
  const prefix = newPrefix();
  const transient = newTransientStore(redis, prefix);
  const queues = createQueues(redis, prefix, silent);
  const deps = {
    db,
    redis,
    transient,
    queues,
    logger: silent,
    config: { DOCUMENT_DEADLINE_SECONDS: 600 },
    results: { channel: 'replies' },
  } as unknown as ApiDeps;
  const { accountId, templateId } = await newAccount(db, { docs: 5 });
  const enqueue = async () => {
    const { id } = await acceptDocument(db, accountId, documentRequest(templateId));
    const document = { id, accountId, format: 'docx', isReplay: false, engine: null, clientKind: 'waiting' } as const;
    return { id, done: enqueueDocument(deps, { ...document, data: Buffer.from('{}') }) };
  };
  const good = await enqueue();
  await good.done;
  await redis.call('ACL', 'SETUSER', 'default', '-eval', '-evalsha');
  const { id, done } = await enqueue();
  await expect(done).rejects.toThrow('NOPERM');
  expect((await findDocument(db, id))?.status).toBe('failed');
  expect((await readQuotas(db, accountId)).remaining.total.docs).toBe(4);
  await expect.poll(() => redis.keys(`${prefix}:data:*`)).toEqual([`${prefix}:data:${good.id}`]);
  await queues.close();
});
