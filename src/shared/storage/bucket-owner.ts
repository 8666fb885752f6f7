import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../db/client.ts';
import { readInstallation } from '../domain/installation.ts';
import { findOrphanedKeys, objectFolders } from '../domain/orphaned-objects.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { ReadinessCheck } from '../readiness.ts';
import type { ObjectStore } from './objects.ts';

/** The object that names the installation that owns the bucket. It is outside the folders that are swept. */
export const ownerKey = 'docmill-owner.txt';

const maxMarkChars = 100;
/** How old a check may be for a removal to rely on it. */
const validMs = 5_000;
const pollEveryMs = 1_000;
/** Also finds objects that are newer than the database's clock. */
const anyAgeSeconds = -100 * 365 * 86_400;

export type BucketState =
  | { readonly kind: 'owned' }
  /**
   * The bucket is unmarked and this database may claim it: there are no objects, or the database knows most of them.
   */
  | { readonly kind: 'unmarked' }
  | {
      readonly kind: 'foreign';
      /** The id in the ownership marker; undefined if there is none. */
      readonly owner: string | undefined;
      /** The problem and its remedy, for operators. */
      readonly problem: string;
    };

/** Compares the bucket's ownership marker with the id of the database. Changes nothing in the bucket. */
export async function readBucketState(db: Database, objects: ObjectStore): Promise<BucketState> {
  const { id } = await readInstallation(db);
  const owner = await readOwner(objects);
  if (owner === id) return { kind: 'owned' };
  const fix = 'correct S3_BUCKET or DATABASE_URL; to take the bucket over on purpose, run admin claim-bucket';
  if (owner !== undefined) {
    const problem = `the bucket belongs to another database (${owner}; this one is ${id}): ${fix} --owner ${owner}`;
    return { kind: 'foreign', owner, problem };
  }
  const { listed, known } = await sampleObjects(db, objects);
  if (known * 2 >= listed) return { kind: 'unmarked' };
  const problem = `the bucket has objects that this database does not know (${listed - known} of ${listed}): ${fix}`;
  return { kind: 'foreign', owner, problem };
}

/** The id in the ownership marker; undefined if the bucket has none. */
export async function readOwner(objects: ObjectStore): Promise<string | undefined> {
  const stream = await objects.getStream(ownerKey);
  if (stream === undefined) return undefined;
  let text = '';
  for await (const chunk of stream) text = `${text}${chunk.toString('utf8')}`.slice(0, maxMarkChars);
  return text.trim();
}

/** Counts the first objects of each folder, and how many of them the database knows. */
async function sampleObjects(db: Database, objects: ObjectStore): Promise<{ listed: number; known: number }> {
  const sample = { listed: 0, known: 0 };
  for (const folder of objectFolders) {
    for await (const page of objects.list(folder)) {
      sample.listed += page.length;
      sample.known += page.length - (await findOrphanedKeys(db, page, anyAgeSeconds)).length;
      break;
    }
  }
  return sample;
}

/** Marks the bucket as owned by this database, regardless of its earlier owner. */
export async function markBucket(db: Database, objects: ObjectStore): Promise<void> {
  const { id } = await readInstallation(db);
  await objects.put(ownerKey, Buffer.from(id), 'text/plain');
}

/** Checks whether the bucket belongs to the database of this process. */
export interface BucketOwner {
  /**
   * Reads the marker now, and writes one to an unmarked bucket. Throws `unavailable` unless this database owns the
   * bucket.
   */
  verify(): Promise<void>;
  /** The `bucket` check of `/readyz`. */
  readonly check: ReadinessCheck;
  /** Why this database does not own the bucket; undefined if no problem is known. */
  problem(): string | undefined;
  /** Resolves unless the bucket belongs to another database; rejects when the signal aborts. */
  untilNotForeign(signal: AbortSignal): Promise<void>;
  /** The store, which rejects writes and removals while the bucket belongs to another database. */
  readonly objects: ObjectStore;
}

export function createBucketOwner(db: Database, store: ObjectStore, logger: Logger): BucketOwner {
  /** The last state that was read; undefined before the first read succeeds. */
  let known: BucketState | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<BucketState> | undefined;

  const readNow = async (): Promise<BucketState> => {
    let state = await readBucketState(db, store);
    if (state.kind === 'unmarked') {
      const { id } = await readInstallation(db);
      await store.putIfAbsent(ownerKey, Buffer.from(id), 'text/plain');
      // A store that ignores the condition keeps the last marker, which another process may just have written.
      state = await readBucketState(db, store);
    }
    if (state.kind === 'foreign' && known?.kind !== 'foreign') logger.error(state.problem);
    if (state.kind === 'owned' && known?.kind === 'foreign') logger.info('the bucket belongs to this database again');
    known = state;
    readAtMs = performance.now();
    return state;
  };
  const read = (): Promise<BucketState> => {
    reading ??= readNow().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const requireOwned = (state: BucketState): void => {
    if (state.kind === 'owned') return;
    throw new AppError(
      'unavailable',
      'Files cannot be stored: the file store belongs to another installation. Contact the operator of this service.',
      {
        cause: state.kind === 'foreign' ? new Error(state.problem) : undefined,
        retryAfterSeconds: 30,
      },
    );
  };
  const isStale = (): boolean => performance.now() - readAtMs > validMs;
  /** Does not wait for a new check once ownership is established, so that a database outage delays no write. */
  const allowWrite = async (): Promise<void> => {
    if (known?.kind !== 'owned') return requireOwned(await read());
    if (isStale()) read().catch(() => undefined);
  };
  const allowRemoval = async (): Promise<void> => {
    requireOwned(known === undefined || isStale() || known.kind !== 'owned' ? await read() : known);
  };

  return {
    verify: async () => requireOwned(await read()),
    check: {
      name: 'bucket',
      // During an outage the last result applies; the checks `database` and `storage` report the outage.
      check: async () => {
        if (known?.kind === 'owned') read().catch(() => undefined);
        else await read();
        return known?.kind === 'owned';
      },
    },
    problem: () => (known?.kind === 'foreign' ? known.problem : undefined),
    async untilNotForeign(signal) {
      while ((await read().catch(() => undefined))?.kind === 'foreign') {
        await delay(pollEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    },
    objects: {
      ...store,
      async put(key, bytes, contentType) {
        await allowWrite();
        await store.put(key, bytes, contentType);
      },
      async putIfAbsent(key, bytes, contentType) {
        await allowWrite();
        await store.putIfAbsent(key, bytes, contentType);
      },
      async putStream(key, stream, contentType) {
        await allowWrite();
        return await store.putStream(key, stream, contentType);
      },
      async remove(keys) {
        for (const key of keys) {
          await allowRemoval();
          await store.remove([key]);
        }
      },
    },
  };
}
