import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { Client } from 'minio';
import pg from 'pg';
import PizZip from 'pizzip';
import type { StackLine } from './local-stack.ts';

/**
 * The forms in which ASCII text may appear in bytes: in any case, as UTF-16, as hexadecimal digits, and as base64 at
 * any offset.
 */
function formsOf(text: string): { readonly folded: readonly Buffer[]; readonly exact: readonly Buffer[] } {
  const lower = text.toLowerCase();
  const utf16 = Buffer.from(lower, 'utf16le');
  const base64 = [0, 1, 2].flatMap((pad) => {
    const encoded = Buffer.from(`${'\0'.repeat(pad)}${text}`).toString('base64');
    // The first and the last characters depend on the neighbours.
    return [Buffer.from(encoded.slice(pad === 0 ? 0 : 4, -4))];
  });
  const hex = [text, lower].map((each) => Buffer.from(Buffer.from(each).toString('hex')));
  return { folded: [Buffer.from(lower), utf16, Buffer.from(utf16).swap16(), ...hex], exact: base64 };
}

/** The places where markers were found, as `marker: place`. */
class Finds {
  readonly #forms: readonly (readonly [string, ReturnType<typeof formsOf>])[];
  readonly found = new Set<string>();
  constructor(markers: readonly string[]) {
    this.#forms = markers.map((marker) => [marker, formsOf(marker)]);
  }

  search(place: string, bytes: Buffer): void {
    const folded = Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1');
    for (const [marker, forms] of this.#forms)
      if (forms.folded.some((form) => folded.includes(form)) || forms.exact.some((form) => bytes.includes(form)))
        this.found.add(`${marker}: ${place}`);
  }

  /** Also searches the parts of zip archives, and of archives within them. */
  searchFile(place: string, bytes: Buffer): void {
    this.search(place, bytes);
    if (bytes.subarray(0, 4).toString('latin1') !== 'PK\x03\x04') return;
    for (const part of Object.values(new PizZip(bytes).files)) {
      this.search(`${place} (name)`, Buffer.from(part.name));
      if (!part.dir) this.searchFile(`${place} > ${part.name}`, Buffer.from(part.asUint8Array()));
    }
  }
}

/** Files and folders may be removed meanwhile. */
async function searchFolder(finds: Finds, folder: string, isWanted: (name: string) => boolean = () => true) {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (!isWanted(entry.name)) continue;
    finds.search(`${path} (name)`, Buffer.from(entry.name));
    if (entry.isDirectory()) await searchFolder(finds, path);
    if (entry.isFile()) finds.searchFile(path, await readFile(path).catch(() => Buffer.alloc(0)));
  }
}

/** Searches the rows of all tables as text. */
async function searchRows(finds: Finds, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`);
    for (const { line } of rows) finds.search(`table ${name}`, Buffer.from(line));
  }
  await client.end();
}

async function readKey(redis: Redis, key: Buffer): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return await redis.getBuffer(key);
    case 'hash':
      return Object.entries(await redis.hgetallBuffer(key)).flat();
    case 'list':
      return await redis.lrangeBuffer(key, 0, -1);
    case 'set':
      return await redis.smembersBuffer(key);
    case 'zset':
      return await redis.zrangeBuffer(key, '0', '-1');
    case 'stream':
      return await redis.xrangeBuffer(key, '-', '+');
    default:
      return [];
  }
}

async function searchRedis(finds: Finds, url: string): Promise<void> {
  for (let database = 0; database < 16; database++) {
    const redis = new Redis(url, { db: database });
    for (const key of (await redis.keysBuffer('*')) as Buffer[]) {
      const place = `Redis ${key.toString('latin1')}`;
      finds.search(place, key);
      const values = ([await readKey(redis, key)] as unknown[]).flat(5);
      for (const value of values) finds.searchFile(place, Buffer.isBuffer(value) ? value : Buffer.from(String(value)));
    }
    await redis.quit();
  }
}

/** The object store of a stack. */
export function storeOf(env: StackLine['env']): { readonly client: Client; readonly bucket: string } {
  const { hostname, port } = new URL(env.S3_ENDPOINT ?? '');
  const client = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    pathStyle: true,
    region: env.S3_REGION ?? 'us-east-1',
    accessKey: env.S3_ACCESS_KEY_ID ?? '',
    secretKey: env.S3_SECRET_ACCESS_KEY ?? '',
  });
  return { client, bucket: env.S3_BUCKET ?? 'docmill' };
}

async function searchObjects(finds: Finds, env: StackLine['env']): Promise<void> {
  const { client, bucket } = storeOf(env);
  const keys: string[] = [];
  for await (const { name } of client.listObjectsV2(bucket, '', true) as AsyncIterable<{ name?: string }>)
    if (name !== undefined) keys.push(name);
  for (const key of keys) {
    finds.search(`object ${key} (name)`, Buffer.from(key));
    // A sweep may remove it meanwhile.
    const stream = await client.getObject(bucket, key).catch(() => undefined);
    if (stream !== undefined) finds.searchFile(`object ${key}`, await buffer(stream));
  }
}

/** Searches all rows of the database, every key of Redis and every object of the store. */
export async function searchStores(env: StackLine['env'], markers: readonly string[]): Promise<ReadonlySet<string>> {
  const finds = new Finds(markers);
  await searchInto(finds, env);
  return finds.found;
}

async function searchInto(finds: Finds, env: StackLine['env']): Promise<void> {
  await searchRows(finds, env.DATABASE_URL ?? '');
  await searchRedis(finds, env.REDIS_URL ?? '');
  await searchObjects(finds, env);
}

/**
 * Searches everything that the service keeps: the database, every key of Redis, every object and file of the store, the
 * logs of the service and of the database, and the folders of the engines, but not the recipients' mailboxes.
 */
export async function searchStack(stack: StackLine, markers: readonly string[]): Promise<ReadonlySet<string>> {
  const finds = new Finds(markers);
  const root = dirname(stack.mailDir);
  await searchInto(finds, stack.env);
  await searchFolder(finds, join(root, 's3'));
  await searchFolder(finds, join(root, 'logs'), (name) => !name.startsWith('mail'));
  await searchFolder(finds, stack.env.OFFICE_TEMP_DIR ?? '');
  for (const name of existsSync('/dev/shm') ? readdirSync('/dev/shm') : [])
    if (name.startsWith('docmill')) await searchFolder(finds, join('/dev/shm', name));
  return finds.found;
}
