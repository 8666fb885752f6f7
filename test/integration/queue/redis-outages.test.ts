import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/shared/errors.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import type { Redis } from '../../../src/shared/queue/redis.ts';
import { requireNoEviction } from '../../../src/shared/queue/redis.ts';
import { newPrefix, silent, startOwnRedis, useRedis, useRedisProxy } from '../../support/services/redis.ts';
import { newTransientStore } from '../../support/services/transient.ts';

async function behindProxy() {
  const proxy = await useRedisProxy();
  const redis = await useRedis('commands', proxy.port);
  const prefix = newPrefix();
  const transient = newTransientStore(redis, prefix);
  const queues = createQueues(redis, prefix, silent);
  return { proxy, redis, transient, queues };
}

const nextReady = (redis: Redis) => new Promise<void>((resolve) => redis.once('ready', () => resolve()));

/** The call fails as an outage. */
async function refusal(call: () => Promise<unknown>): Promise<void> {
  const error: unknown = await call().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
}

describe('a Redis that is down', () => {
  it('is reported immediately by every call, and works again when it is back', async () => {
    const { proxy, redis, transient, queues } = await behindProxy();
    const back = nextReady(redis);
    await proxy.refuse();
    const calls = [
      () => transient.put('data', 'a', Buffer.from('x'), 60),
      () => transient.get('data', 'a'),
      () => transient.has('data', 'a'),
      () => transient.remove('data', 'a'),
      () => queues.add('docx', 'doc_1', { generationId: 'doc_1', accountId: 'acc_1', replyTo: null }),
      () => queues.has('docx', 'doc_1'),
      () => queues.countWaiting('docx'),
    ];
    for (const call of calls) await refusal(call);
    await proxy.heal();
    await back;
    await queues.add('docx', 'doc_1', { generationId: 'doc_1', accountId: 'acc_1', replyTo: null });
    expect(await queues.has('docx', 'doc_1')).toBe(true);
    await queues.close();
  });

  it('that goes down during a command is reported as an outage', async () => {
    const { proxy, transient } = await behindProxy();
    proxy.set({ intercept: ({ direction }) => (direction === 'down' ? 'reset' : 'pass') });
    await refusal(() => transient.get('data', 'a'));
  });
});

/** Existing connections get no more replies; new connections work. */
async function loseConnections(): Promise<void> {
  const { proxy, redis, transient, queues } = await behindProxy();
  const before = proxy.totalConnections;
  const back = nextReady(redis);
  proxy.set({ intercept: ({ connection }) => (connection <= before ? 'freeze' : 'pass') });
  const put = refusal(() => transient.put('data', 'a', Buffer.from('x'), 60));
  const add = refusal(() => queues.add('docx', 'doc_1', { generationId: 'doc_1', accountId: 'acc_1', replyTo: null }));
  await Promise.all([put, add]);
  await back;
  await transient.put('data', 'a', Buffer.from('x'), 60);
  expect(await transient.get('data', 'a')).toEqual(Buffer.from('x'));
  await queues.close();
}

/** No connection gets a reply until it ends. */
async function loseServer(): Promise<void> {
  const { proxy, redis, transient } = await behindProxy();
  proxy.set({ isFrozen: true });
  for (let call = 0; call < 5; call++) await refusal(() => transient.get('data', 'a'));
  const back = nextReady(redis);
  await proxy.heal();
  await back;
  expect(await transient.get('data', 'a')).toBeUndefined();
}

describe('a Redis that does not answer', () => {
  it('is disconnected within the timeout of one command, however many follow, and is used again when it answers', async () => {
    await Promise.all([loseConnections(), loseServer()]);
  });

  it('for a while, as in CLIENT PAUSE, is usable again afterwards', async () => {
    const port = await startOwnRedis();
    const [redis, other] = [await useRedis('commands', port), await useRedis('commands', port)];
    const transient = newTransientStore(redis, newPrefix());
    await other.client('PAUSE', 1_500);
    await transient.put('data', 'a', Buffer.from('x'), 60);
    expect(await transient.get('data', 'a')).toEqual(Buffer.from('x'));
    expect(redis.status).toBe('ready');
  });
});

it('a full Redis is reported as an outage', async () => {
  const redis = await useRedis('commands', await startOwnRedis());
  const prefix = newPrefix();
  const [transient, queues] = [newTransientStore(redis, prefix), createQueues(redis, prefix, silent)];
  await redis.config('SET', 'maxmemory', '1');
  await refusal(() => transient.put('data', 'a', Buffer.from('x'), 60));
  await refusal(() => queues.add('docx', 'doc_1', { generationId: 'doc_1', accountId: 'acc_1', replyTo: null }));
  await redis.config('SET', 'maxmemory', '0');
  await transient.put('data', 'a', Buffer.from('x'), 60);
  await queues.add('docx', 'doc_1', { generationId: 'doc_1', accountId: 'acc_1', replyTo: null });
});

it.each(['allkeys-lru', 'volatile-ttl'])('a Redis that may evict keys (%s) is rejected at start', async (policy) => {
  const redis = await useRedis('commands', await startOwnRedis());
  await requireNoEviction(redis);
  await redis.config('SET', 'maxmemory-policy', policy);
  await expect(requireNoEviction(redis)).rejects.toThrow(policy);
});
