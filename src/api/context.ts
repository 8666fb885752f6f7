import type { ApiConfig } from '../shared/config/load-config.ts';
import type { Database } from '../shared/db/client.ts';
import type { AcceptOnce } from '../shared/domain/generations/accept-once-in-turn.ts';
import type { Accept } from '../shared/domain/generations/accept-together.ts';
import type { SecretBox } from '../shared/domain/webhooks/secret-box.ts';
import type { TargetPolicy } from '../shared/domain/webhooks/target-policy.ts';
import type { Logger } from '../shared/logger.ts';
import type { Queues } from '../shared/queue/queues.ts';
import type { Redis } from '../shared/queue/redis.ts';
import type { Stages } from '../shared/stages.ts';
import type { ObjectStore } from '../shared/storage/objects.ts';
import type { TransientStore } from '../shared/storage/transient.ts';
import type { BatchWatch } from './batches/batch-watch.ts';
import type { UploadGate } from './batches/upload-gate.ts';
import type { ResultWaiter } from './generation/await-result.ts';
import type { BacklogGate } from './generation/backlog-gate.ts';
import type { ApiMetrics } from './metrics.ts';
import type { KeyCache } from './middleware/key-cache.ts';
import type { RateLimiter } from './middleware/rate-limit.ts';
import type { FontJudge } from './template-fonts.ts';

/** What the composition root hands to middleware and routes. */
export interface ApiDeps {
  readonly config: ApiConfig;
  readonly logger: Logger;
  readonly db: Database;
  readonly redis: Redis;
  readonly queues: Queues;
  readonly objects: ObjectStore;
  readonly transient: TransientStore;
  readonly accept: Accept;
  readonly acceptOnce: AcceptOnce;
  readonly stages: Stages;
  readonly metrics: ApiMetrics;
  readonly results: ResultWaiter;
  readonly backlog: BacklogGate;
  readonly keys: KeyCache;
  readonly limiter: RateLimiter;
  readonly fonts: FontJudge;
  readonly secrets: SecretBox;
  readonly targets: TargetPolicy;
  readonly batchUploads: UploadGate;
  readonly batchWatch: BatchWatch;
}
