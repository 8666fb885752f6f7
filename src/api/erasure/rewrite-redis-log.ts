import { setTimeout as delay } from 'node:timers/promises';
import { type Redis, serversOf } from '../../shared/queue/redis.ts';

/**
 * What happens to removed data in Redis' append-only file: `none` without such a file, `rewriting` when it is gone in
 * moments, `refused` when the operator has to run BGREWRITEAOF.
 */
export type RedisLog = 'none' | 'rewriting' | 'refused';

const attempts = 120;
const pauseMs = 500;

/** Starts to rewrite the append-only file of each server, which holds removed data until then. */
export async function rewriteRedisLog(redis: Redis): Promise<RedisLog> {
  const logs = await Promise.all(serversOf(redis).map(rewriteLogOf));
  return logs.find((log) => log === 'refused') ?? logs.find((log) => log === 'rewriting') ?? 'none';
}

async function rewriteLogOf(server: ReturnType<typeof serversOf>[number]): Promise<RedisLog> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      const info = await server.info('persistence');
      if (!/^aof_enabled:1/m.test(info)) return 'none';
      // A rewrite that is in progress may have begun before the data was removed.
      await server.bgrewriteaof();
      return 'rewriting';
    } catch (error) {
      if (!/in progress/i.test(String(error))) return 'refused';
      await delay(pauseMs);
    }
  }
  return 'refused';
}
