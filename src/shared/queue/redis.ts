import type { Socket } from 'node:net';
import { Cluster, Redis as Server } from 'ioredis';
import { splitRedisUrls } from '../config/common-variables.ts';
import type { Logger } from '../logger.ts';

/** One server, or a whole Redis Cluster: both take the same commands. */
export type Redis = Server | Cluster;

/**
 * `commands` fails fast when Redis is away (no offline queue, bounded commands), so that a request never hangs on it;
 * `blocking` waits for ever, as BullMQ's workers must; `subscriber` reconnects and subscribes again by itself.
 */
export type ConnectionRole = 'commands' | 'blocking' | 'subscriber';

const commandTimeoutMs = 5_000;

// Without any answer for so long the server is taken for gone: one that lost its power never says so. BullMQ blocks 10 s.
const silenceMs = { commands: 6_000, blocking: 15_000, subscriber: 6_000 } as const;
/** A primary that became a replica keeps its connections: the new primary is where a new one leads. */
const isOfReplica = ({ message }: Error): boolean => message.includes('READONLY');
const retryStrategy = (times: number): number => Math.min(50 * times, 1_000);

export interface RedisAddress {
  readonly REDIS_URL: string;
  readonly REDIS_CLUSTER: boolean;
}

/** Of a cluster the address is of one node, or of several with commas between; the others are learned from it. */
export function openRedis(address: RedisAddress, role: ConnectionRole, logger: Logger): Redis {
  const options = optionsOf(role);
  const redis = address.REDIS_CLUSTER
    ? openCluster(splitRedisUrls(address.REDIS_URL), options, role !== 'commands')
    : new GatheringServer(address.REDIS_URL, {
        ...options,
        retryStrategy,
        reconnectOnError: isOfReplica,
        enableOfflineQueue: role !== 'commands',
      });
  redis.on('error', (error: Error) => logger.warn({ err: error, role }, 'redis connection failed'));
  return redis;
}

/**
 * What is sent in one turn of the event loop goes out in one write: writes to sockets were the dearest thing that a worker
 * did.
 */
class GatheringServer extends Server {
  override sendCommand(...args: Parameters<Server['sendCommand']>): unknown {
    const socket = this.stream as Partial<Socket> | undefined;
    if (socket?.cork !== undefined && socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork?.());
    }
    return super.sendCommand(...args);
  }
}

/** Are commands of one process done in the order in which it sent them, whatever their keys? */
export function keepsOrder(redis: Redis): boolean {
  return !(redis instanceof Cluster);
}

function optionsOf(role: ConnectionRole) {
  return {
    connectTimeout: 5_000,
    keepAlive: 30_000,
    socketTimeout: silenceMs[role],
    enableReadyCheck: true,
    ...(role === 'commands'
      ? { maxRetriesPerRequest: 0, commandTimeout: commandTimeoutMs }
      : { maxRetriesPerRequest: null }),
  };
}

/** Nodes are asked by name each time, as certificates and moved nodes need it, and the map of slots is read anew. */
function openCluster(
  urls: readonly string[],
  options: ReturnType<typeof optionsOf>,
  enableOfflineQueue: boolean,
): Cluster {
  const [first = ''] = urls;
  const { username, password, protocol } = new URL(first);
  return new Cluster([...urls], {
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: 3_000,
    slotsRefreshInterval: 10_000,
    enableOfflineQueue,
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: {
      ...options,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}

/** The servers that hold keys. */
export function serversOf(redis: Redis): readonly Server[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}

/** Does it answer, and can a cluster take commands for all its slots? */
export async function isRedisUp(redis: Redis): Promise<boolean> {
  if (redis instanceof Cluster) return String(await redis.cluster('INFO')).includes('cluster_state:ok');
  return (await redis.ping()) === 'PONG';
}

/** Resolves when the connection can take commands; rejects when it cannot within the time. */
export function redisReady(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off('ready', ready);
      reject(new Error(`Redis is not reachable within ${timeoutMs} ms`));
    }, timeoutMs);
    const ready = (): void => {
      clearTimeout(timer);
      resolve();
    };
    redis.once('ready', ready);
  });
}

/** Closes without waiting for a server that is away. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => redis.disconnect());
  else redis.disconnect();
}
