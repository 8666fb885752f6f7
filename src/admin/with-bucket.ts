import { loadStorageConfig } from '../shared/config/load-config.ts';
import type { Database } from '../shared/db/client.ts';
import { createLogger } from '../shared/logger.ts';
import { type BucketOwner, createBucketOwner } from '../shared/storage/bucket-owner.ts';
import type { ObjectStore } from '../shared/storage/objects.ts';

/**
 * Opens the configured bucket for the duration of `work`. Loads the store's client on demand, because most commands do
 * not need it. `store` also writes to a bucket of another database.
 */
export async function withBucket<Result>(
  db: Database,
  work: (bucket: BucketOwner & { readonly store: ObjectStore }) => Promise<Result>,
): Promise<Result> {
  const { openObjects } = await import('../shared/connections.ts');
  const logger = createLogger('silent', 'admin');
  const store = openObjects(loadStorageConfig(), logger);
  try {
    return await work({ ...createBucketOwner(db, store, logger), store });
  } finally {
    store.close();
  }
}

/** Opens the configured object store for the duration of `work`. */
export async function withObjects<Result>(work: (objects: ObjectStore) => Promise<Result>): Promise<Result> {
  const { openObjects } = await import('../shared/connections.ts');
  const objects = openObjects(loadStorageConfig(), createLogger('silent', 'admin'));
  try {
    return await work(objects);
  } finally {
    objects.close();
  }
}
