import type { WorkerConfig } from '../shared/config/load-config.ts';
import { createTargetPolicy } from '../shared/domain/webhooks/target-policy.ts';
import type { Logger } from '../shared/logger.ts';
import { type BatchEngines, createBatchEngines } from './batches/batch-engines.ts';
import { OnDemand } from './batches/on-demand.ts';
import { createDocxPool, type DocxPool } from './docx/sandbox/docx-pool.ts';
import { createMailer, type Mailer } from './mail/mailer.ts';
import { type ConformancePool, createConformancePool } from './pdf/conformance/conformance-pool.ts';
import { type OfficePool, startOfficePool } from './pdf/office/office-pool.ts';
import { createWebhookSender, type WebhookSender } from './webhooks/webhook-sender.ts';

const megabyte = 1024 * 1024;
const idleCheckMs = 300_000;
/** Two, so that one slow file does not delay those of other accounts. */
const checkProcesses = 2;

export interface Engines {
  readonly docx: DocxPool | undefined;
  readonly office: OfficePool | undefined;
  readonly conformance: ConformancePool | undefined;
  readonly mailer: Mailer | undefined;
  readonly webhooks: WebhookSender | undefined;
  readonly batch: BatchEngines | undefined;
}

/**
 * Lowers the CPU priority of conversions, so that short steps of other documents are not delayed. Batch engines have a
 * lower priority still.
 */
const officeNiceness = 5;

/**
 * Starts only the engines that the worker's queues need: LibreOffice for pdf, SMTP for mail. Cleans up if LibreOffice
 * does not start, or the signal aborts its start.
 */
export async function startEngines(config: WorkerConfig, logger: Logger, signal: AbortSignal): Promise<Engines> {
  const queues = new Set(config.WORKER_QUEUES);
  // No caller waits for a single row, and the dispatcher divides working time, so one batch may use every slot.
  const forBatches: PoolOptions = { niceness: config.BATCH_NICENESS, keepsSlotFree: false };
  const needsDocx = queues.has('docx') || queues.has('pdf') || queues.has('inspect');
  const docx = needsDocx ? createDocx(config, logger) : undefined;
  const office = queues.has('pdf')
    ? await startOffice(config, logger, { niceness: officeNiceness }, signal).catch(async (error: unknown) => {
        await docx?.close();
        throw error;
      })
    : undefined;
  return {
    docx,
    office,
    mailer:
      queues.has('mail') && config.SMTP_URL !== undefined ? createMail(config, config.SMTP_URL, logger) : undefined,
    webhooks: queues.has('webhook') ? createWebhooks(config, logger) : undefined,
    conformance: queues.has('pdf') || queues.has('pdf-batch') ? createConformance(logger) : undefined,
    batch: createBatchEngines(
      config,
      {
        docx: () => createDocx(toBatch(config), logger, forBatches),
        office: () => startOffice(toBatch(config), logger, forBatches),
      },
      logger,
    ),
  };
}

interface PoolOptions {
  readonly niceness?: number;
  readonly keepsSlotFree?: boolean;
}

export async function closeEngines(engines: Engines): Promise<void> {
  await Promise.all([
    engines.docx?.close(),
    engines.office?.close(),
    engines.conformance?.close(),
    engines.mailer?.close(),
    engines.batch?.docx.close(),
    engines.batch?.office.close(),
  ]);
}

function toBatch(config: WorkerConfig): WorkerConfig {
  return { ...config, RENDER_PROCESSES: config.BATCH_RENDER_PROCESSES, OFFICE_SLOTS: config.BATCH_OFFICE_SLOTS };
}

function createDocx(config: WorkerConfig, logger: Logger, options: PoolOptions = {}): DocxPool {
  return createDocxPool({
    processes: config.RENDER_PROCESSES,
    renderTimeoutMs: config.RENDER_TIMEOUT_MS,
    inspectTimeoutMs: config.RENDER_TIMEOUT_MS,
    heapMb: config.RENDER_HEAP_MB,
    templateCacheBytes: config.TEMPLATE_CACHE_MB * megabyte,
    logger,
    ...options,
  });
}

/** Its processes run only while documents request a check. */
function createConformance(logger: Logger): ConformancePool {
  const start = (): ConformancePool => createConformancePool({ processes: checkProcesses, logger });
  const pool = new OnDemand(start, idleCheckMs, logger);
  return {
    check: (request) => pool.use((running) => running.check(request)),
    complete: (request) => pool.use((running) => running.complete(request)),
    close: () => pool.close(),
  };
}

function createMail(config: WorkerConfig, smtpUrl: string, logger: Logger): Mailer {
  return createMailer({
    smtpUrl,
    ca: config.SMTP_CA,
    from: config.MAIL_FROM,
    maxConnections: config.MAIL_CONNECTIONS,
    connectionTimeoutMs: 10_000,
    socketTimeoutMs: config.MAIL_TIMEOUT_MS,
    maxMessageBytes: config.MAIL_MAX_BYTES,
    logger,
  });
}

function createWebhooks(config: WorkerConfig, logger: Logger): WebhookSender {
  const rules = { allowHttp: config.WEBHOOK_ALLOW_HTTP, allowPrivate: config.WEBHOOK_ALLOW_PRIVATE };
  return createWebhookSender({
    policy: createTargetPolicy(rules),
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    ca: config.WEBHOOK_CA,
    logger,
  });
}

function startOffice(
  config: WorkerConfig,
  logger: Logger,
  options: PoolOptions,
  startSignal?: AbortSignal,
): Promise<OfficePool> {
  return startOfficePool({
    slots: config.OFFICE_SLOTS,
    convertTimeoutMs: config.CONVERT_TIMEOUT_MS,
    startTimeoutMs: config.OFFICE_START_TIMEOUT_MS,
    recycleAfter: config.OFFICE_RECYCLE_AFTER,
    memoryLimitBytes: config.OFFICE_MEMORY_LIMIT_MB * megabyte,
    tempDir: config.OFFICE_TEMP_DIR,
    logger,
    pythonPath: config.OFFICE_PYTHON_PATH,
    sofficePath: config.OFFICE_PATH,
    jail: config.OFFICE_JAIL,
    startSignal,
    ...options,
  });
}
