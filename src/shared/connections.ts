import type { CommonConfig, StorageConfig } from './config/load-config.ts';
import { type Database, type DatabaseHandle, openDatabase, pingDatabase } from './db/client.ts';
import { schemaCheck } from './db/schema-state.ts';
import type { Logger } from './logger.ts';
import { createQueues, type Queues } from './queue/queues.ts';
import {
  type ConnectionRole,
  closeRedis,
  isRedisUp,
  openRedis,
  type Redis,
  redisReady,
  requireNoEviction,
} from './queue/redis.ts';
import type { ReadinessCheck } from './readiness.ts';
import type { ShutdownStep } from './shutdown.ts';
import { type BucketOwner, createBucketOwner } from './storage/bucket-owner.ts';
import { findCredentialSource } from './storage/credential-sources.ts';
import { createObjectStore, type ObjectStore } from './storage/objects.ts';
import { createRoleCredentials } from './storage/role-credentials.ts';
import { createTransientStore, type TransientStore } from './storage/transient.ts';
import type { Tracing } from './tracing/tracing.ts';

const redisTimeoutMs = 30_000;
const megabyte = 1024 * 1024;

/** Connections of an API or worker process, their readiness checks, and the shutdown steps that close them in order. */
export interface Connections {
  readonly database: DatabaseHandle;
  readonly redis: Redis;
  /** The connection that waits for messages: replies in the API, jobs in a worker. */
  readonly listener: Redis;
  readonly queues: Queues;
  readonly transient: TransientStore;
  /** Refuses writes and removals while the bucket belongs to another database. */
  readonly objects: ObjectStore;
  readonly bucket: BucketOwner;
  readonly schema: ReadinessCheck;
  /** All checks, including the schema check. */
  readonly checks: readonly ReadinessCheck[];
  readonly closing: readonly ShutdownStep[];
}

/** Opens all connections. Throws if Redis is unreachable for 30 seconds, or if its policy may evict keys. */
export async function openConnections(
  config: CommonConfig,
  process: { readonly name: string; readonly listenerRole: ConnectionRole; readonly tracing?: Tracing | undefined },
  logger: Logger,
): Promise<Connections> {
  const database = openDatabase(
    {
      url: config.DATABASE_URL,
      poolSize: config.DATABASE_POOL_SIZE,
      timeoutMs: config.DATABASE_TIMEOUT_MS,
      applicationName: process.name,
      hasPreparedStatements: config.DATABASE_PREPARED_STATEMENTS,
    },
    logger,
  );
  const redis = openRedis(config, 'commands', logger);
  const listener = openRedis(config, process.listenerRole, logger);
  await redisReady(redis, redisTimeoutMs);
  await requireNoEviction(redis);
  const queues = createQueues(redis, config.QUEUE_PREFIX, logger, process.tracing);
  const transient = createTransientStore(redis, config.QUEUE_PREFIX, {
    accountBytes: config.WAITING_DATA_MB_PER_ACCOUNT * megabyte,
    totalBytes: config.WAITING_DATA_MB * megabyte,
  });
  const bucket = openOwnBucket(database.db, config, logger);
  const { objects } = bucket;
  const schema = schemaCheck(database.db, logger);
  return {
    database,
    schema,
    redis,
    listener,
    queues,
    transient,
    objects,
    bucket,
    checks: [
      { name: 'database', check: () => pingDatabase(database.db) },
      schema,
      { name: 'redis', check: () => isRedisUp(redis) },
      { name: 'storage', check: () => objects.isReachable() },
      bucket.check,
    ],
    closing: [
      { name: 'queues', timeoutMs: 5_000, run: () => queues.close() },
      { name: 'redis', timeoutMs: 2_000, run: () => closeRedis(redis) },
      { name: 'redis listener', timeoutMs: 2_000, run: () => closeRedis(listener) },
      { name: 'storage', timeoutMs: 1_000, run: () => objects.close() },
      { name: 'database', timeoutMs: 5_000, run: () => database.close() },
    ],
  };
}

/** The configured object store, for callers that write and remove objects of this database. */
export function openOwnBucket(db: Database, config: StorageConfig, logger: Logger): BucketOwner {
  return createBucketOwner(db, openObjects(config, logger), logger);
}

/** The configured object store, regardless of which database owns the bucket. */
export function openObjects(config: StorageConfig, logger: Logger): ObjectStore {
  return createObjectStore({
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    role: config.S3_CREDENTIALS === 'role' ? createRoleCredentials(findCredentialSource(config), logger) : undefined,
    ca: config.S3_CA,
    timeoutMs: config.S3_TIMEOUT_MS,
    logger,
  });
}
