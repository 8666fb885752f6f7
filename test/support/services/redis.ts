import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { randomText } from '../../../src/shared/ids.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { type ConnectionRole, openRedis, type Redis, redisReady } from '../../../src/shared/queue/redis.ts';
import { openFolder } from '../../../tools/local/backing-services.ts';
import { startRedis } from '../../../tools/local/services/redis.ts';
import { type FaultProxy, startFaultProxy } from '../faults/fault-proxy.ts';
import './provided.ts';

export const silent = createLogger('silent', 'test');

/** A queue prefix that no other test uses. */
export function newPrefix(): string {
  return `test-${randomText(10)}`;
}

/** A connection that is closed after the test; through `port` if given. */
export async function useRedis(role: ConnectionRole = 'commands', port?: number): Promise<Redis> {
  const url = new URL(inject('redisUrl'));
  if (port !== undefined) url.port = String(port);
  const redis = openRedis({ REDIS_URL: url.href, REDIS_CLUSTER: false }, role, silent);
  onTestFinished(() => redis.disconnect());
  await redisReady(redis, 60_000);
  return redis;
}

/** A separate Redis server for tests that change the whole server; stopped after the test. */
export async function startOwnRedis(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-redis-'));
  const { context, close } = await openFolder(folder, process.env, () => undefined);
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  return (await startRedis(context)).port;
}

/** A fault proxy in front of the integration suite's Redis. */
export async function useRedisProxy(): Promise<FaultProxy> {
  const proxy = await startFaultProxy({ port: Number(new URL(inject('redisUrl')).port) });
  onTestFinished(() => proxy.close());
  return proxy;
}
