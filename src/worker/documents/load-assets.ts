import { LRUCache } from 'lru-cache';
import type { Database } from '../../shared/db/client.ts';
import type { AssetRecord } from '../../shared/domain/assets/asset-record.ts';
import { findAssets } from '../../shared/domain/assets/find-assets.ts';
import { AppError } from '../../shared/errors.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { pictureLimits } from '../docx/core/pictures/picture-limits.ts';

/**
 * Loads the account's pictures by the ids or names that a document uses; an id takes precedence over a name. Omits unknown
 * ones. Throws `render_limit` when their total size is too large.
 */
export type AssetLoader = (accountId: string, names: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

/** Caches up to `maxBytes` of pictures by object key, whose content never changes. */
export function createAssetLoader(db: Database, objects: ObjectStore, maxBytes: number): AssetLoader {
  const cache = new LRUCache<string, Uint8Array, { readonly checksum: string }>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => bytes.length + 1,
    // A running load that is evicted still completes; otherwise it would reject.
    ignoreFetchAbort: true,
    fetchMethod: (objectKey, _stale, { context }) => objects.get(objectKey, context.checksum),
  });
  const load = async ({ objectKey, checksum }: AssetRecord): Promise<Uint8Array | undefined> =>
    cache.fetch(objectKey, { context: { checksum } });
  return async (accountId, names) => {
    const first = await loadAll(byName(await findAssets(db, accountId, names), names), load);
    if (first.lost.length === 0) return first.loaded;
    // The object is missing if the asset was replaced or deleted after its row was read.
    const again = byName(await findAssets(db, accountId, first.lost), first.lost);
    const second = await loadAll(again, load);
    if (second.lost.length === 0) return new Map([...first.loaded, ...second.loaded]);
    throw new AppError('internal', 'The file of an asset is missing from the file store');
  };
}

async function loadAll(
  records: ReadonlyMap<string, AssetRecord>,
  load: (record: AssetRecord) => Promise<Uint8Array | undefined>,
): Promise<{ readonly loaded: ReadonlyMap<string, Uint8Array>; readonly lost: readonly string[] }> {
  refuseTooMuch(records);
  const loaded = new Map<string, Uint8Array>();
  const lost: string[] = [];
  const loadOne = async ([name, record]: [string, AssetRecord]): Promise<void> => {
    const bytes = await load(record);
    if (bytes === undefined) lost.push(name);
    else loaded.set(name, bytes);
  };
  await Promise.all([...records].map(loadOne));
  return { loaded, lost };
}

function byName(records: readonly AssetRecord[], names: readonly string[]): Map<string, AssetRecord> {
  const found = new Map<string, AssetRecord>();
  const requested = new Set(names);
  for (const record of records) if (requested.has(record.name)) found.set(record.name, record);
  for (const record of records) if (requested.has(record.id)) found.set(record.id, record);
  return found;
}

function refuseTooMuch(found: ReadonlyMap<string, AssetRecord>): void {
  const sizes = new Map([...found.values()].map(({ objectKey, sizeBytes }) => [objectKey, sizeBytes]));
  const totalBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (totalBytes <= pictureLimits.totalBytes) return;
  const message = `The assets of the document exceed ${pictureLimits.totalBytes / 1024 / 1024} MB in total.`;
  throw new AppError('render_limit', message, {
    details: [{ type: 'Message', message, hint: 'send smaller pictures, or render fewer rows in one document' }],
  });
}
