import { loadStorageConfig } from '../shared/config/load-config.ts';
import type { Database } from '../shared/db/client.ts';
import { createLogger } from '../shared/logger.ts';
import { type BucketOwner, createBucketOwner } from '../shared/storage/bucket-owner.ts';
import type { ObjectStore } from '../shared/storage/objects.ts';

/** Opens the bucket of the configuration for the time of `work`. The client of the store is loaded here: most commands need none. `store` also writes to a bucket of another database. */
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
