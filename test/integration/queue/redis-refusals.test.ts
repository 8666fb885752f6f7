import { describe, expect, it, onTestFinished } from 'vitest';
import { isRedisOutage, replyCodeOf } from '../../../src/shared/queue/errors.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import { openRedis, type Redis, redisReady } from '../../../src/shared/queue/redis.ts';
import { newPrefix, silent, startOwnRedis } from '../../support/services/redis.ts';
import { newTransientStore } from '../../support/services/transient.ts';

async function redisAt(port: number): Promise<Redis> {
  const redis = openRedis({ REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_CLUSTER: false }, 'commands', silent);
  onTestFinished(() => redis.disconnect());
  await redisReady(redis, 10_000);
  return redis;
}

const job = { generationId: 'doc_1', accountId: 'acc_1', replyTo: null };
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );

/** What a command, a script and a job answer. */
async function answersOf(redis: Redis): Promise<readonly unknown[]> {
  const prefix = newPrefix();
  const transient = newTransientStore(redis, prefix);
  const queues = createQueues(redis, prefix, silent);
  onTestFinished(() => queues.close());
  return Promise.all([
    failureOf(transient.put('data', 'a', Buffer.alloc(1_000), 60)),
    failureOf(queues.add('docx', 'doc_1', job)),
  ]);
}

const outage = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 2 });

describe('a Redis that refuses', () => {
  it('for lack of memory is out of service, in commands and in scripts', async () => {
    const redis = await redisAt(await startOwnRedis());
    await redis.config('SET', 'maxmemory', '1');
    const script = failureOf(redis.eval("return redis.call('SET', KEYS[1], 'x')", 1, 'k') as Promise<unknown>);
    expect(replyCodeOf(await script)).toBe('OOM');
    expect(await answersOf(redis)).toEqual([outage, outage]);
  });

  it('as a read-only replica is out of service, in commands and in scripts', async () => {
    const [port, primaryPort] = [await startOwnRedis(), await startOwnRedis()];
    const redis = await redisAt(port);
    await redis.replicaof('127.0.0.1', primaryPort);
    const script = failureOf(redis.eval("return redis.call('SET', KEYS[1], 'x')", 1, 'k') as Promise<unknown>);
    expect(['READONLY', 'MASTERDOWN', 'LOADING']).toContain(replyCodeOf(await script));
    expect(await answersOf(redis)).toEqual([outage, outage]);
  });

  it('while it loads its data is out of service', async () => {
    const [port, primaryPort] = [await startOwnRedis(), await startOwnRedis()];
    const primary = await redisAt(primaryPort);
    await primary.mset(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, 'x'.repeat(100)])));
    const redis = await redisAt(port);
    // A new replica loads the keys of its primary, here 5 ms each, and serves clients meanwhile.
    await redis.config('SET', 'loading-process-events-interval-bytes', '1024', 'key-load-delay', '5000');
    const { Redis: Server } = await import('ioredis');
    const client = new Server({ port, enableReadyCheck: false });
    onTestFinished(() => client.disconnect());
    await redis.replicaof('127.0.0.1', primaryPort);
    await expect.poll(async () => replyCodeOf(await failureOf(client.get('k1'))), { timeout: 15_000 }).toBe('LOADING');
    expect(isRedisOutage(await failureOf(client.get('k1')))).toBe(true);
    expect(await answersOf(redis)).toEqual([outage, outage]);
  });

  it('connections without the password is out of service', async () => {
    const port = await startOwnRedis();
    const admin = await redisAt(port);
    await admin.config('SET', 'requirepass', 'secret');
    const { Redis: Server } = await import('ioredis');
    for (const [password, code] of [
      [undefined, 'NOAUTH'],
      ['wrong', 'WRONGPASS'],
    ] as const) {
      const client = new Server({ port, ...(password && { password }), lazyConnect: true, retryStrategy: () => null });
      onTestFinished(() => client.disconnect());
      const codes: unknown[] = [];
      client.on('error', (error) => codes.push(replyCodeOf(error)));
      expect(isRedisOutage(await failureOf(client.connect().then(() => client.get('k'))))).toBe(true);
      expect(codes).toContain(code);
    }
  });

  it('further clients is out of service', async () => {
    const port = await startOwnRedis();
    const admin = await redisAt(port);
    await admin.config('SET', 'maxclients', '1');
    const { Redis: Server } = await import('ioredis');
    const client = new Server({ port, lazyConnect: true, enableReadyCheck: false, retryStrategy: () => null });
    onTestFinished(() => client.disconnect());
    client.on('error', () => undefined);
    expect(isRedisOutage(await failureOf(client.connect().then(() => client.get('k'))))).toBe(true);
  });

  it('a wrong command is not', async () => {
    const redis = await redisAt(await startOwnRedis());
    await redis.set('text', 'x');
    expect(isRedisOutage(await failureOf(redis.lpush('text', 'OOM READONLY')))).toBe(false);
  });
});
