import type { ApiConfig } from '../../shared/config/load-config.ts';
import type { Database } from '../../shared/db/client.ts';
import type { Accept } from '../../shared/domain/documents/accept-document.ts';
import type { AcceptOnce } from '../../shared/domain/documents/accept-once.ts';
import type { SecretBox } from '../../shared/domain/webhooks/secret-box.ts';
import type { TargetPolicy } from '../../shared/domain/webhooks/target-policy.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Queues } from '../../shared/queue/queues.ts';
import type { Redis } from '../../shared/queue/redis.ts';
import type { RequestTrace } from '../../shared/request-trace.ts';
import type { Stages } from '../../shared/stages.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import type { TransientStore } from '../../shared/storage/transient.ts';
import type { Pauses } from '../../shared/watch-pauses.ts';
import type { AccountLimit } from '../http/account-limit.ts';
import type { RateLimiter } from '../middleware/rate-limit.ts';
import type { ResultReceiver } from './await-result.ts';
import type { BacklogGate } from './backlog-gate.ts';
import type { DocumentLimit } from './document-limit.ts';
import type { EngineGate } from './engine-gate.ts';

/** The dependencies for accepting documents and waiting for them. */
export interface DocumentDeps {
  readonly config: ApiConfig;
  readonly logger: Logger;
  /** The trace of the request; set for handlers. */
  readonly trace?: RequestTrace | undefined;
  readonly db: Database;
  readonly redis: Redis;
  readonly queues: Queues;
  /** Undefined when pausing is not supported. */
  readonly pauses?: Pauses | undefined;
  readonly objects: ObjectStore;
  readonly transient: TransientStore;
  readonly accept: Accept;
  readonly acceptOnce: AcceptOnce;
  readonly stages: Stages;
  readonly results: ResultReceiver;
  /** Limits requests that wait for a document, an upload or a webhook delivery. */
  readonly waitingRequests: AccountLimit;
  readonly documentLimit: DocumentLimit;
  readonly backlog: BacklogGate;
  readonly engines: EngineGate;
  /** Limits previews with live and test keys. */
  readonly previewLimiter: RateLimiter;
  readonly secrets: SecretBox;
  readonly targets: TargetPolicy;
}
