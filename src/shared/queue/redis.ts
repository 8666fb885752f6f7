import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis as Server } from 'ioredis';
import { splitRedisUrls } from '../config/common-variables.ts';
import type { Logger } from '../logger.ts';
import { replyCodeOf } from './errors.ts';

/** A single server or a Redis Cluster; both accept the same commands. */
export type Redis = Server | Cluster;

/**
 * `commands` fails fast if Redis is unreachable (no offline queue, time limits), so that no request hangs. `blocking`
 * waits indefinitely, as BullMQ's workers require. `subscriber` reconnects and resubscribes automatically.
 */
export type ConnectionRole = 'commands' | 'blocking' | 'subscriber';

const commandTimeoutMs = 5_000;

// A server without a reply for this long is assumed dead, because after a power loss its connections stay open. BullMQ
// blocks for 10 s.
const socketTimeoutMs = { commands: 6_000, blocking: 15_000, subscriber: 6_000 } as const;
/** A primary that became a replica keeps its connections; only a new connection reaches the new primary. */
const isOfReplica = (error: Error): boolean => replyCodeOf(error) === 'READONLY';
const retryStrategy = (times: number): number => Math.min(50 * times, 1_000);

export interface RedisAddress {
  readonly REDIS_URL: string;
  readonly REDIS_CLUSTER: boolean;
  /** For `rediss://`, in PEM: the authorities to trust, and a client certificate with its key. */
  readonly REDIS_CA?: string | undefined;
  readonly REDIS_CERT?: string | undefined;
  readonly REDIS_KEY?: string | undefined;
}

/** For a cluster, the URL lists one or more nodes, separated by commas; the client discovers the others. */
export function openRedis(address: RedisAddress, role: ConnectionRole, logger: Logger): Redis {
  const options = optionsOf(role);
  const redis = address.REDIS_CLUSTER
    ? openCluster(address, options, role !== 'commands')
    : new CorkingServer(address.REDIS_URL, {
        ...options,
        ...tlsOf(address),
        retryStrategy,
        reconnectOnError: isOfReplica,
        enableOfflineQueue: role !== 'commands',
      });
  redis.on('error', (error: Error) => logger.warn({ err: error, role }, 'redis connection failed'));
  return redis;
}

/**
 * Sends the commands of one event loop tick in one write, because socket writes were a worker's most expensive
 * operation.
 */
class CorkingServer extends Server {
  override sendCommand(...args: Parameters<Server['sendCommand']>): unknown {
    const socket = this.stream as Partial<Socket> | undefined;
    if (socket?.cork !== undefined && socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork?.());
    }
    return super.sendCommand(...args);
  }
}

/** True if commands of one process run in the order sent, regardless of their keys. */
export function keepsOrder(redis: Redis): boolean {
  return !(redis instanceof Cluster);
}

function optionsOf(role: ConnectionRole) {
  return {
    connectTimeout: 5_000,
    keepAlive: 30_000,
    socketTimeout: socketTimeoutMs[role],
    enableReadyCheck: true,
    ...(role === 'commands'
      ? { maxRetriesPerRequest: 0, commandTimeout: commandTimeoutMs }
      : { maxRetriesPerRequest: null }),
  };
}

function tlsOf({ REDIS_URL, REDIS_CA, REDIS_CERT, REDIS_KEY }: RedisAddress): { readonly tls?: ConnectionOptions } {
  if (!REDIS_URL.startsWith('rediss:')) return {};
  return {
    tls: {
      ...(REDIS_CA !== undefined && { ca: REDIS_CA }),
      ...(REDIS_CERT !== undefined && { cert: REDIS_CERT }),
      ...(REDIS_KEY !== undefined && { key: REDIS_KEY }),
    },
  };
}

/** Resolves node names on every connection, as certificates and moved nodes require, and refreshes the slot map. */
function openCluster(
  address: RedisAddress,
  options: ReturnType<typeof optionsOf>,
  enableOfflineQueue: boolean,
): Cluster {
  const urls = splitRedisUrls(address.REDIS_URL);
  const [first = ''] = urls;
  const { username, password } = new URL(first);
  return new Cluster(urls, {
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: 3_000,
    slotsRefreshInterval: 10_000,
    enableOfflineQueue,
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: {
      ...options,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...tlsOf(address),
    },
  });
}

/** The servers that hold keys: the primaries of a cluster. */
export function serversOf(redis: Redis): readonly Server[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}

/** The keys of all servers that match a pattern, in pages. A key may occur twice. */
export async function* scanKeys(redis: Redis, pattern: string): AsyncGenerator<readonly string[]> {
  for (const server of serversOf(redis)) {
    let cursor = '0';
    do {
      const [next, keys] = await server.scan(cursor, 'MATCH', pattern, 'COUNT', 500);
      if (keys.length > 0) yield keys;
      cursor = next;
    } while (cursor !== '0');
  }
}

/**
 * Throws if Redis may evict keys, which would lose jobs. A server whose INFO omits the policy is assumed to be
 * configured correctly.
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

/** True if Redis responds and, in a cluster, all slots are covered. */
export async function isRedisUp(redis: Redis): Promise<boolean> {
  if (redis instanceof Cluster) return String(await redis.cluster('INFO')).includes('cluster_state:ok');
  return (await redis.ping()) === 'PONG';
}

/** Resolves when the connection accepts commands; rejects after `timeoutMs`. */
export function redisReady(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    let lastError: Error | undefined;
    const note = (error: Error): void => {
      lastError = error;
    };
    const timer = setTimeout(() => {
      redis.off('ready', ready);
      redis.off('error', note);
      const reason = lastError === undefined ? '' : `: ${lastError.message}`;
      reject(new Error(`Redis is not reachable within ${timeoutMs} ms${reason}`, { cause: lastError }));
    }, timeoutMs);
    const ready = (): void => {
      clearTimeout(timer);
      redis.off('error', note);
      resolve();
    };
    redis.on('error', note);
    redis.once('ready', ready);
  });
}

/** Opens another connection with the same options. */
export function duplicateRedis(redis: Redis): Redis {
  return redis instanceof Cluster ? redis.duplicate() : redis.duplicate();
}

/** Closes without waiting for an unreachable server. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => redis.disconnect());
  else redis.disconnect();
}
