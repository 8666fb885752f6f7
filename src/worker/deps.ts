import type { WorkerConfig } from '../shared/config/load-config.ts';
import type { Database } from '../shared/db/client.ts';
import type { Claim } from '../shared/domain/documents/claim-document.ts';
import type { Succeed } from '../shared/domain/documents/succeed-document.ts';
import type { Logger } from '../shared/logger.ts';
import type { Queues } from '../shared/queue/queues.ts';
import type { Redis } from '../shared/queue/redis.ts';
import type { Stages } from '../shared/stages.ts';
import type { BucketOwner } from '../shared/storage/bucket-owner.ts';
import type { ObjectStore } from '../shared/storage/objects.ts';
import type { TransientStore } from '../shared/storage/transient.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import type { Pauses } from '../shared/watch-pauses.ts';
import type { BatchEngines } from './batches/batch-engines.ts';
import type { PriorityGate } from './batches/priority-gate.ts';
import type { DirectLayout } from './direct-pdf/open-direct-layout.ts';
import type { CoverageLoader, FontLoader } from './documents/account-fonts.ts';
import type { AssetLoader } from './documents/load-assets.ts';
import type { WordsLoader } from './documents/load-words.ts';
import type { TemplateCache } from './documents/template-cache.ts';
import type { DocxPool } from './docx/sandbox/docx-pool.ts';
import type { Mailer } from './mail/mailer.ts';
import type { WorkerMetrics } from './metrics.ts';
import type { ConformancePool } from './pdf/conformance/conformance-pool.ts';
import type { OfficePool } from './pdf/office/office-pool.ts';
import type { WorkerFonts } from './watch-fonts.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/**
 * Dependencies that `main` passes to the processors. An engine is undefined when no served queue needs it. State that
 * belongs to one job is in its `JobRun`.
 */
export interface WorkerDeps {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly db: Database;
  readonly redis: Redis;
  readonly queues: Queues;
  /** Undefined when pausing is not supported. */
  readonly pauses?: Pauses | undefined;
  readonly objects: ObjectStore;
  readonly bucket: Pick<BucketOwner, 'verify'>;
  readonly transient: TransientStore;
  readonly stages: Stages;
  /** Undefined when no spans are recorded. */
  readonly tracing?: Tracing | undefined;
  readonly metrics: WorkerMetrics;
  readonly claim: Claim;
  readonly succeed: Succeed;
  readonly templates: TemplateCache;
  readonly loadAssets: AssetLoader;
  readonly loadWords: WordsLoader;
  readonly loadFont: FontLoader;
  readonly loadCoverage: CoverageLoader;
  readonly docx: DocxPool | undefined;
  readonly office: OfficePool | undefined;
  /** Version of this worker's LibreOffice, such as 25.2; undefined when it has none. */
  readonly engineVersion?: string | undefined;
  /** Lays out PDFs of proven templates without LibreOffice; undefined when this is turned off. */
  readonly direct?: DirectLayout | undefined;
  /** Checks PDFs against standards, for interactive and batch work. */
  readonly conformance: ConformancePool | undefined;
  /** The batch queues use these engines instead of `docx` and `office`. */
  readonly batch?: BatchEngines | undefined;
  /** Wraps each step of batch work so that interactive requests go first. Undefined for interactive work. */
  readonly yieldToInteractive?: PriorityGate['yieldToInteractive'] | undefined;
  /** Whether a bundle should slow down. */
  readonly hasRecentCallers?: PriorityGate['hasRecentCallers'] | undefined;
  /** Undefined for a worker without LibreOffice. */
  readonly fonts?: WorkerFonts | undefined;
  readonly mailer: Mailer | undefined;
  readonly webhooks: WebhookSender | undefined;
}

/** Returns the engine that a queue needs. Throws when `main` did not start it. */
export function required<T>(engine: T | undefined, name: string): T {
  if (engine === undefined) throw new Error(`this worker was started without its ${name} engine`);
  return engine;
}
