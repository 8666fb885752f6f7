import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { type DatabaseHandle, openDatabase } from '../../../src/shared/db/client.ts';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { openFolder, startBackingServices } from '../../../tools/local/backing-services.ts';
import type { Service } from '../../../tools/local/services/service.ts';
import { type FaultProxy, startFaultProxy } from '../../support/faults/fault-proxy.ts';
import { buildWithFailpoints } from '../failpoints/build-with-failpoints.ts';
import { type S3Gateway, startS3Gateway } from './s3-gateway.ts';
import { until } from './until.ts';

/** A server behind a TCP fault proxy. It is restarted when it is killed, as by an init system. */
export interface BackingServer {
  readonly proxy: FaultProxy;
  signal(signal: NodeJS.Signals): void;
}

/**
 * One PostgreSQL, Redis, S3 server and mail catcher that all rows share; each row has a separate prefix and separate
 * accounts.
 */
export interface Backing {
  readonly folder: string;
  /** The build with failpoints that the processes of the rows run. */
  readonly build: string;
  readonly postgres: BackingServer & { readonly database: DatabaseHandle; readonly pool: pg.Pool };
  readonly redis: BackingServer & { readonly client: Redis; loseEverything(): Promise<void> };
  readonly s3: BackingServer & { readonly gateway: S3Gateway; readonly objectsFolder: string };
  readonly mail: BackingServer & { readonly folder: string };
  /** Environment variables with which the service reaches each server through its proxy. */
  readonly variables: Readonly<Record<string, string>>;
  heal(): Promise<void>;
  close(): Promise<void>;
}

export async function startBacking(folder: string): Promise<Backing> {
  const build = await buildWithFailpoints();
  const { context, layout, close } = await openFolder(folder, process.env, () => undefined);
  try {
    const { postgres, redis, s3, mail } = await startBackingServices(context);
    await migrateDatabase(postgres.databaseUrl);
    const gateway = await startS3Gateway(s3.port);
    const ports = [postgres.port, redis.port, gateway.port, mail.port];
    const proxies = await Promise.all(ports.map((port) => startFaultProxy({ port })));
    const [pgProxy, redisProxy, s3Proxy, mailProxy] = proxies as [FaultProxy, FaultProxy, FaultProxy, FaultProxy];
    const logger = createLogger('silent', 'faults');
    const database = openDatabase(
      { url: postgres.databaseUrl, poolSize: 20, timeoutMs: 20_000, applicationName: 'docmill-faults' },
      logger,
    );
    const pool = new pg.Pool({ connectionString: postgres.databaseUrl, max: 10 });
    pool.on('error', () => undefined);
    const client = new Redis(redis.redisUrl, { maxRetriesPerRequest: 2, retryStrategy: () => 50 });
    client.on('error', () => undefined);
    const { access } = s3;
    return {
      folder,
      build,
      postgres: { ...serverOf(postgres, pgProxy), database, pool },
      redis: {
        ...serverOf(redis, redisProxy),
        client,
        loseEverything: () => loseRedis(redis, client, layout.redis),
      },
      s3: { ...serverOf(s3, s3Proxy), gateway, objectsFolder: join(layout.s3, access.bucket) },
      mail: { ...serverOf(mail, mailProxy), folder: layout.mail },
      variables: {
        DATABASE_URL: withPort(postgres.databaseUrl, pgProxy.port),
        REDIS_URL: `redis://127.0.0.1:${redisProxy.port}`,
        S3_ENDPOINT: `http://127.0.0.1:${s3Proxy.port}`,
        S3_REGION: access.region,
        S3_BUCKET: access.bucket,
        S3_ACCESS_KEY_ID: access.accessKey,
        S3_SECRET_ACCESS_KEY: access.secretKey,
        SMTP_URL: `smtp://127.0.0.1:${mailProxy.port}`,
      },
      async heal() {
        gateway.heal();
        await Promise.all(proxies.map((proxy) => proxy.heal()));
        await until('PostgreSQL answers', async () => (await pool.query('select 1')).rowCount === 1);
        await until('Redis answers', async () => (await client.ping()) === 'PONG');
      },
      async close() {
        client.disconnect();
        await Promise.allSettled([pool.end(), database.close()]);
        await Promise.all(proxies.map((proxy) => proxy.close()));
        await gateway.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function serverOf({ process: managed }: Service, proxy: FaultProxy): BackingServer {
  return {
    proxy,
    signal(signal) {
      const { pid } = managed;
      if (pid === undefined) throw new Error(`${managed.spec.name} is not running`);
      process.kill(pid, signal);
    },
  };
}

/** kill -9 of Redis without its data on disk: it restarts without any key. */
async function loseRedis({ process: managed }: Service, client: Redis, folder: string): Promise<void> {
  const { pid } = managed;
  if (pid === undefined) throw new Error('Redis is not running');
  await client.config('SET', 'appendonly', 'no');
  rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true });
  process.kill(pid, 'SIGKILL');
  await until('another Redis', () => managed.pid !== undefined && managed.pid !== pid);
  await until('Redis answers', async () => (await client.ping()) === 'PONG');
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
