import type { Database } from '../../shared/db/client.ts';
import type { Queues } from '../../shared/queue/queues.ts';
import type { Redis } from '../../shared/queue/redis.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';

/** All stores that hold data of documents. */
export interface Stores {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly redis: Redis;
  readonly queues: Queues;
  readonly prefix: string;
}
