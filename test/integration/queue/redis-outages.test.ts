import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../src/shared/errors.ts';
import { isRedisOutage, replyCodeOf } from '../../../src/shared/queue/errors.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import { type Redis, requireNoEviction } from '../../../src/shared/queue/redis.ts';
import { newPrefix, silent, startOwnRedis, useRedis, useRedisProxy } from '../../support/services/redis.ts';
import { newTransientStore } from '../../support/services/transient.ts';

const job = { documentId: 'doc_1', accountId: 'acc_1', replyTo: null };
const bytes = Buffer.from('x');

/** The queues and the store that use a connection, closed after the test. */
function usersOf(redis: Redis) {
  const prefix = newPrefix();
  const queues = createQueues(redis, prefix, silent);
  onTestFinished(() => queues.close());
  return { queues, transient: newTransientStore(redis, prefix) };
}

async function behindProxy() {
  const proxy = await useRedisProxy();
  const redis = await useRedis('commands', proxy.port);
  return { proxy, redis, ...usersOf(redis) };
}

const nextReady = (redis: Redis) => new Promise<void>((resolve) => redis.once('ready', () => resolve()));

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );

/** Expects the call to fail as an outage. */
async function refusal(call: () => Promise<unknown>): Promise<void> {
  const error = await failureOf(call());
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
}

describe('a Redis that is down', () => {
  it('is reported immediately by every call, and works again when it is back', async () => {
    const { proxy, redis, transient, queues } = await behindProxy();
    const back = nextReady(redis);
    await proxy.refuse();
    const calls = [
      () => transient.put('data', 'a', bytes, 60),
      () => transient.get('data', 'a'),
      () => transient.has('data', 'a'),
      () => transient.remove('data', 'a'),
      () => queues.add('docx', 'doc_1', job),
      () => queues.has('docx', 'doc_1'),
      () => queues.countWaiting('docx'),
    ];
    for (const call of calls) await refusal(call);
    await proxy.heal();
    await back;
    await queues.add('docx', 'doc_1', job);
    expect(await queues.has('docx', 'doc_1')).toBe(true);
  });

  it('is reported as an outage when it goes down during a command', async () => {
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
  await Promise.all([
    refusal(() => transient.put('data', 'a', bytes, 60)),
    refusal(() => queues.add('docx', 'doc_1', job)),
  ]);
  await back;
  await transient.put('data', 'a', bytes, 60);
  expect(await transient.get('data', 'a')).toEqual(bytes);
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

  it('is usable again after a short pause, as with CLIENT PAUSE', async () => {
    const port = await startOwnRedis();
    const [redis, other] = [await useRedis('commands', port), await useRedis('commands', port)];
    const { transient } = usersOf(redis);
    await other.client('PAUSE', 1_500);
    await transient.put('data', 'a', bytes, 60);
    expect(await transient.get('data', 'a')).toEqual(bytes);
    expect(redis.status).toBe('ready');
  });
});

describe('a Redis that refuses', () => {
  const scriptOf = (redis: Redis): Promise<unknown> =>
    failureOf(redis.eval("return redis.call('SET', KEYS[1], 'x')", 1, 'k') as Promise<unknown>);

  /** Expects commands and jobs to fail as an outage. */
  async function refusesBoth({ transient, queues }: ReturnType<typeof usersOf>): Promise<void> {
    await refusal(() => transient.put('data', 'a', Buffer.alloc(1_000), 60));
    await refusal(() => queues.add('docx', 'doc_1', job));
  }

  /** A client that does not wait until the server is ready. */
  async function plainClient(port: number, password?: string) {
    const { Redis: Server } = await import('ioredis');
    const options = { port, enableReadyCheck: false, lazyConnect: true, retryStrategy: () => null };
    const client = new Server({ ...options, ...(password !== undefined && { password }) });
    onTestFinished(() => client.disconnect());
    const codes: unknown[] = [];
    client.on('error', (error) => codes.push(replyCodeOf(error)));
    return { client, codes };
  }

  it('is out of service for commands and scripts while it lacks memory', async () => {
    const redis = await useRedis('commands', await startOwnRedis());
    const users = usersOf(redis);
    await redis.config('SET', 'maxmemory', '1');
    expect(replyCodeOf(await scriptOf(redis))).toBe('OOM');
    await refusesBoth(users);
    await redis.config('SET', 'maxmemory', '0');
    await users.transient.put('data', 'a', bytes, 60);
    await users.queues.add('docx', 'doc_1', job);
  });

  it('is out of service for commands and scripts when it is a read-only replica', async () => {
    const [redis, primaryPort] = [await useRedis('commands', await startOwnRedis()), await startOwnRedis()];
    await redis.replicaof('127.0.0.1', primaryPort);
    expect(['READONLY', 'MASTERDOWN', 'LOADING']).toContain(replyCodeOf(await scriptOf(redis)));
    await refusesBoth(usersOf(redis));
  });

  it('is out of service while it loads its data', async () => {
    const [port, primaryPort] = [await startOwnRedis(), await startOwnRedis()];
    const primary = await useRedis('commands', primaryPort);
    await primary.mset(
      Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'x'.repeat(100)])),
    );
    const redis = await useRedis('commands', port);
    // A new replica loads the keys of its primary, here 5 ms each, and serves clients meanwhile.
    await redis.config('SET', 'loading-process-events-interval-bytes', '1024', 'key-load-delay', '5000');
    const { client } = await plainClient(port);
    await client.connect();
    await redis.replicaof('127.0.0.1', primaryPort);
    await expect.poll(async () => replyCodeOf(await failureOf(client.get('k1')))).toBe('LOADING');
    expect(isRedisOutage(await failureOf(client.get('k1')))).toBe(true);
    await refusesBoth(usersOf(redis));
  });

  it.each([
    ['without a password', undefined, 'NOAUTH'],
    ['with a wrong password', 'wrong', 'WRONGPASS'],
  ])('is out of service for connections %s', async (_, password, code) => {
    const port = await startOwnRedis();
    await (await useRedis('commands', port)).config('SET', 'requirepass', 'secret');
    const { client, codes } = await plainClient(port, password);
    const failure = await failureOf(client.connect().then(() => client.get('k')));
    expect(isRedisOutage(failure)).toBe(true);
    expect([...codes, replyCodeOf(failure)]).toContain(code);
  });

  it('is out of service when it accepts no more clients', async () => {
    const port = await startOwnRedis();
    await (await useRedis('commands', port)).config('SET', 'maxclients', '1');
    const { client } = await plainClient(port);
    expect(isRedisOutage(await failureOf(client.connect().then(() => client.get('k'))))).toBe(true);
  });

  it('is not out of service because of an invalid command', async () => {
    const redis = await useRedis();
    const key = newPrefix();
    await redis.set(key, 'x', 'EX', 60);
    expect(isRedisOutage(await failureOf(redis.lpush(key, 'OOM READONLY')))).toBe(false);
  });
});

it.each(['allkeys-lru', 'volatile-ttl'])('a Redis that may evict keys (%s) is rejected at start', async (policy) => {
  const redis = await useRedis('commands', await startOwnRedis());
  await requireNoEviction(redis);
  await redis.config('SET', 'maxmemory-policy', policy);
  await expect(requireNoEviction(redis)).rejects.toThrow(policy);
});
