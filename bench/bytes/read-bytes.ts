import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'minio';
import pg from 'pg';
import type { BackingServices } from '../../tools/local/backing-services.ts';

/** The number of entries and their bytes: keys in Redis, or objects in the store. */
interface Size {
  readonly count: number;
  readonly bytes: number;
}

export interface Bytes {
  /** The bytes reported by `MEMORY USAGE`, including every element of each key. */
  readonly redis: Size;
  readonly store: Size;
  /** The size of all tables with their indexes and TOAST, without free space. */
  readonly database: number;
}

export interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface Counters {
  /** Waits until Redis no longer changes, because workers remove keys after a document ends. */
  read(): Promise<Bytes>;
  /** The tables that contain rows; partitions are added up. */
  tables(): Promise<readonly TableSize[]>;
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The numbers of Redis keys by pattern, with ids replaced by an asterisk. */
  keyKinds(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

const settleMs = 500;
const readings = 60;

/** Connects to the servers of a bench. */
export async function openCounters({ postgres, redis: { redisUrl }, s3 }: BackingServices): Promise<Counters> {
  const redis = new Redis(redisUrl);
  redis.on('error', () => undefined);
  const { hostname, port } = new URL(s3.access.endpoint);
  const store = new Client({ endPoint: hostname, port: Number(port), useSSL: false, ...s3.access });
  const client = new pg.Client({ connectionString: postgres.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();

  const keys = async (): Promise<readonly string[]> => {
    const found = new Set<string>();
    for await (const page of redis.scanStream({ count: 1_000 })) for (const key of page as string[]) found.add(key);
    return [...found];
  };
  const redisSize = async (): Promise<Size> => {
    const sizes = await Promise.all((await keys()).map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
    const there = sizes.filter((size) => size !== null);
    return { count: there.length, bytes: there.reduce((sum, size) => sum + size, 0) };
  };
  const stillRedis = async (): Promise<Size> => {
    let before = await redisSize();
    for (let reading = 0; reading < readings; reading++) {
      await delay(settleMs);
      const after = await redisSize();
      if (after.count === before.count) return after;
      before = after;
    }
    return before;
  };
  const storeSize = async (): Promise<Size> => {
    const sizes: number[] = [];
    for await (const { size } of store.listObjectsV2(s3.access.bucket, '', true)) sizes.push(Number(size));
    return { count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  };
  const query: Counters['query'] = async <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) =>
    (await client.query<Row>(text, [...(values ?? [])])).rows;
  const tables = async (): Promise<readonly TableSize[]> => {
    // The amount of free space depends on when autovacuum ran. Without it, a figure is the same in each run.
    const own = await query<{ names: string }>(
      `select string_agg(oid::regclass::text, ', ') as names from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    await client.query(`vacuum (full, analyze) ${own[0]?.names ?? ''}`);
    const rows = await query<{ name: string; rows: string; bytes: string }>(
      `select coalesce(i.inhparent, c.oid)::regclass::text as name, sum(c.reltuples::bigint) as rows,
        sum(pg_total_relation_size(c.oid)) as bytes
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 1`,
    );
    return rows.map(({ name, rows: count, bytes }) => ({ name, rows: Number(count), bytes: Number(bytes) }));
  };
  return {
    tables: async () => (await tables()).filter(({ rows }) => rows > 0),
    query,
    async read() {
      return {
        redis: await stillRedis(),
        store: await storeSize(),
        database: (await tables()).reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
    async keyKinds() {
      const kinds = new Map<string, number>();
      for (const key of await keys()) {
        const kind = key.replaceAll(/[0-9a-z]{26}|\d{6,}/g, '*');
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      return kinds;
    },
    async close() {
      redis.disconnect();
      await client.end();
    },
  };
}
