import { type Redis, serversOf } from './redis.ts';

/**
 * Throws when Redis may evict keys: evicted jobs are lost jobs. A server whose INFO does not show the policy is assumed to
 * be configured correctly.
 */
export async function requireNoEviction(redis: Redis): Promise<void> {
  for (const server of serversOf(redis)) {
    const info = await server.info('memory');
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
    if (policy !== undefined && policy !== 'noeviction') {
      throw new Error(
        `Redis runs with maxmemory-policy ${policy}, which may drop queued documents. Set it to noeviction and start again.`,
      );
    }
  }
}
