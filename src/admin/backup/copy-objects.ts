import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { ownerKey } from '../../shared/storage/bucket-owner.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';

/** A line of `objects.ndjson`. */
const copiedObject = z.object({ key: z.string(), sizeBytes: z.number(), sha256: z.string() });
export type CopiedObject = z.infer<typeof copiedObject>;

const atOnce = 8;
const wholeBytes = 8 * 1024 * 1024;
const binary = 'application/octet-stream';

/**
 * Copies the store's objects that are not yet in `folder`, and records their size and SHA-256 in `objects.ndjson`. The
 * content of a key never changes, so a second call copies only new objects. Skips objects that are removed meanwhile,
 * and the ownership mark, because every bucket has its own.
 */
export async function copyObjects(objects: ObjectStore, folder: string): Promise<readonly CopiedObject[]> {
  const copied = [...(await readCopied(folder))];
  const known = new Set(copied.map(({ key }) => key));
  for await (const page of objects.list('')) {
    const fresh = page.filter(({ key }) => !known.has(key) && key !== ownerKey);
    await inParallel(fresh, async ({ key }) => {
      const entry = await copyObject(objects, folder, key);
      if (entry === undefined) return;
      await appendFile(listOf(folder), `${JSON.stringify(entry)}\n`);
      copied.push(entry);
    });
  }
  return copied;
}

/** The objects in a backup. */
export async function readCopied(folder: string): Promise<readonly CopiedObject[]> {
  const text = await readFile(listOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => copiedObject.parse(JSON.parse(line)));
}

/** Fails when an object of the backup is missing or has the wrong size. */
export async function checkSizes(folder: string, copied: readonly CopiedObject[]): Promise<void> {
  await inParallel(copied, async ({ key, sizeBytes }) => {
    const found = await stat(fileOf(folder, key)).catch(() => undefined);
    if (found?.size !== sizeBytes) throw damaged(key);
  });
}

/** Writes all objects of a backup to the store. Fails when one does not match its SHA-256. */
export async function restoreObjects(
  objects: ObjectStore,
  folder: string,
  copied: readonly CopiedObject[],
): Promise<void> {
  await inParallel(copied, async ({ key, sizeBytes, sha256 }) => {
    const file = fileOf(folder, key);
    if (sizeBytes <= wholeBytes) {
      const bytes = await readFile(file);
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw damaged(key);
      return await objects.put(key, bytes, binary);
    }
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== sha256) throw damaged(key);
    await objects.putStream(key, createReadStream(file), binary);
  });
}

/**
 * Copies an object, transformed by `change`, into the subfolder `objects`, readable only by the user of this process.
 * Undefined when the object no longer exists.
 */
export async function copyObject(
  objects: ObjectStore,
  folder: string,
  key: string,
  change: (stream: AsyncIterable<Buffer>) => AsyncIterable<Buffer> = (stream) => stream,
): Promise<CopiedObject | undefined> {
  const stream = await objects.getStream(key);
  if (stream === undefined) return undefined;
  const file = fileOf(folder, key);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(change(stream), measure, createWriteStream(`${file}.part`, { flush: true, mode: 0o600 }));
  await rename(`${file}.part`, file);
  return { key, sizeBytes, sha256: hash.digest('hex') };
}

const listOf = (folder: string): string => join(folder, 'objects.ndjson');

/** The path of a copied object. Keys come from the store and are not trusted: none may lead outside the folder. */
export function fileOf(folder: string, key: string): string {
  if (!/^[\w@=+-][\w.@=+-]*(\/[\w@=+-][\w.@=+-]*)*$/.test(key))
    throw new AppError('invalid_request', `The store has an object that does not belong to this service: ${key}`);
  return join(folder, 'objects', key);
}

const damaged = (key: string): AppError =>
  new AppError(
    'invalid_request',
    `The backup is damaged: ${key} is missing or its content has changed. Use another backup.`,
  );

/** Runs a step for every item with limited concurrency. Rejects with the first error. */
export async function inParallel<Item>(items: readonly Item[], step: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const runner = async (): Promise<void> => {
    for (const item of queue) await step(item);
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
}
