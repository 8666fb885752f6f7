import type { RouteConfig } from '@hono/zod-openapi';
import type { Context, Hono } from 'hono';
import type { ApiConfig } from '../../shared/config/load-config.ts';
import type { Database } from '../../shared/db/client.ts';
import type { Scope } from '../../shared/domain/api-keys/scopes.ts';
import type { Accept } from '../../shared/domain/documents/accept-document.ts';
import type { AcceptOnce } from '../../shared/domain/documents/accept-once.ts';
import type { SecretBox } from '../../shared/domain/webhooks/secret-box.ts';
import type { TargetPolicy } from '../../shared/domain/webhooks/target-policy.ts';
import type { KeyedLimiter } from '../../shared/keyed-limiter.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Queues } from '../../shared/queue/queues.ts';
import type { Redis } from '../../shared/queue/redis.ts';
import type { PublicJwk, SigningKey } from '../../shared/receipts/signing-key.ts';
import type { RequestTrace } from '../../shared/request-trace.ts';
import type { Stages } from '../../shared/stages.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import type { TransientStore } from '../../shared/storage/transient.ts';
import type { Tracing } from '../../shared/tracing/tracing.ts';
import type { Pauses } from '../../shared/watch-pauses.ts';
import type { BatchMonitor } from '../batches/batch-monitor.ts';
import type { ResultReceiver } from '../documents/await-result.ts';
import type { BacklogGate } from '../documents/backlog-gate.ts';
import type { DocumentLimit } from '../documents/document-limit.ts';
import type { EngineGate } from '../documents/engine-gate.ts';
import type { ApiMetrics } from '../metrics.ts';
import type { KeyCache } from '../middleware/key-cache.ts';
import type { KeyUseRecorder } from '../middleware/key-use-recorder.ts';
import type { RateLimiter } from '../middleware/rate-limit.ts';
import type { FontReporter } from '../routes/templates/font-reports.ts';
import type { AccountLimit } from './account-limit.ts';
import type { ApiEnv } from './api-env.ts';
import type { JsonParser } from './json-parser.ts';
import { requireScope } from './require-scope.ts';

/** The dependencies that `main.ts` passes to middleware and handlers. */
export interface ApiDeps {
  readonly config: ApiConfig;
  readonly logger: Logger;
  /** Undefined when no spans are recorded. */
  readonly tracing?: Tracing | undefined;
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
  readonly metrics: ApiMetrics;
  readonly results: ResultReceiver;
  /** Limits requests that wait for a document, an upload or a webhook delivery. */
  readonly waitingRequests: AccountLimit;
  readonly documentLimit: DocumentLimit;
  readonly json: JsonParser;
  readonly backlog: BacklogGate;
  readonly engines: EngineGate;
  readonly keys: KeyCache;
  readonly limiter: RateLimiter;
  /** Limits requests with test keys. */
  readonly testLimiter: RateLimiter;
  /** Limits previews with live and test keys. */
  readonly previewLimiter: RateLimiter;
  readonly fonts: FontReporter;
  readonly keyUse: KeyUseRecorder;
  readonly secrets: SecretBox;
  readonly targets: TargetPolicy;
  /** Signs receipts. */
  readonly receiptKey: SigningKey | undefined;
  /** The public keys that verify receipts: those of the current and of earlier signing keys. */
  readonly receiptKeys: readonly PublicJwk[];
  readonly batchUploads: AccountLimit;
  /** Limits batches that are writing their rows, because each holds a pooled connection for seconds. */
  readonly batchWrites: KeyedLimiter;
  readonly batchMonitor: BatchMonitor;
}

/** One operation of the API: its entry in the OpenAPI document, and its handler. */
export interface Operation {
  /** The scope that a key needs; null for an operation that every valid key may call. */
  readonly scope: Scope | null;
  readonly route: RouteConfig;
  readonly handle: (c: Context<ApiEnv>, deps: ApiDeps) => Promise<Response>;
}

/**
 * Adds operations to the application; `{id}` in a path becomes the parameter `id`. Everything that a handler logs or
 * times is attributed to its request.
 */
export function registerOperations(app: Hono<ApiEnv>, deps: ApiDeps, operations: readonly Operation[]): void {
  for (const { route, scope, handle } of operations) {
    app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => {
      if (scope !== null) requireScope(c, scope);
      deps.keyUse.note({ keyId: c.get('keyId'), accountId: c.get('accountId'), scope: scope ?? 'any' });
      return handle(c, { ...deps, logger: c.get('logger'), stages: c.get('stages'), trace: c.get('trace') });
    });
  }
}
