import { LRUCache } from 'lru-cache';
import type { Database } from '../../shared/db/client.ts';
import { hashApiKey } from '../../shared/domain/api-keys/api-key.ts';
import { findKey, type KeyHolder } from '../../shared/domain/api-keys/find-key.ts';
import { findPerson, type PersonHolder } from '../../shared/domain/api-keys/people.ts';
import type { CacheCounts } from '../../shared/metrics/watch-caches.ts';

/** Finds the holder of a key. Caches the result, found or not, for a few seconds; stores only hashes of keys. */
export interface KeyCache<Holder extends KeyHolder = KeyHolder> {
  /** The cached holder of a valid key; does not read the database. */
  peek(apiKey: string): Holder | undefined;
  /** True when this key was valid the last time it was read, even if that entry has expired. */
  wasLive(apiKey: string): boolean;
  find(apiKey: string): Promise<Holder | undefined>;
  /** Milliseconds until `find` reads the database again; at least a second. */
  recheckMs(apiKey: string): number;
  readonly counts: () => CacheCounts;
}

interface Entry<Holder> {
  /** Undefined for an invalid key. */
  readonly holder: Holder | undefined;
}

const maxKeys = 20_000;
const minRecheckMs = 1_000;

export const createKeyCache = (db: Database, ttlSeconds: number): KeyCache =>
  createHolderCache((apiKey) => findKey(db, apiKey), ttlSeconds);

/** Finds people by `personEntry`. */
export const createPeopleCache = (db: Database, ttlSeconds: number): KeyCache<PersonHolder> =>
  createHolderCache((entry) => findPerson(db, entry.split(' ', 1)[0] ?? ''), ttlSeconds);

/** The key of a person, read again for each session: a new one has the roles of its own sign-in at once. */
export const personEntry = ({ keyId, startedAtMs }: { readonly keyId: string; readonly startedAtMs: number }): string =>
  `${keyId} ${startedAtMs}`;

function createHolderCache<Holder extends KeyHolder>(
  read: (credential: string) => Promise<Holder | undefined>,
  ttlSeconds: number,
): KeyCache<Holder> {
  const live = new LRUCache<string, true>({ max: maxKeys });
  const counts = { hits: 0, misses: 0 };
  const entries = new LRUCache<string, Entry<Holder>, string>({
    max: maxKeys,
    ttl: 1,
    ignoreFetchAbort: true,
    async fetchMethod(hash, _stale, { context: apiKey, options }) {
      const startedAt = performance.now();
      const holder = await read(apiKey);
      if (holder === undefined) live.delete(hash);
      else live.set(hash, true);
      // Counted from the start of the read, so that a revoked key is never accepted for longer than configured.
      const ttlMs = Math.min(ttlSeconds * 1_000, holder?.expiresInMs ?? Number.POSITIVE_INFINITY);
      // lru-cache treats a TTL of 0 as "never expires".
      options.ttl = Math.max(1, Math.floor(ttlMs - (performance.now() - startedAt)));
      return { holder };
    },
  });
  return {
    peek(apiKey) {
      const holder = entries.get(hashOf(apiKey))?.holder;
      if (holder !== undefined) counts.hits += 1;
      return holder;
    },
    wasLive: (apiKey) => live.has(hashOf(apiKey)),
    async find(apiKey) {
      const hash = hashOf(apiKey);
      counts[entries.has(hash) ? 'hits' : 'misses'] += 1;
      return (await entries.fetch(hash, { context: apiKey }))?.holder;
    },
    recheckMs: (apiKey) => Math.max(minRecheckMs, Math.ceil(entries.getRemainingTTL(hashOf(apiKey))) + 1),
    counts: () => counts,
  };
}

function hashOf(apiKey: string): string {
  return hashApiKey(apiKey).toString('base64');
}
