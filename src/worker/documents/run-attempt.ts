import { requeueRows } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import { isClaimLost } from '../../shared/domain/documents/claim-document.ts';
import type {
  ClaimedDocument,
  DocumentConformance,
  DocumentEngine,
  DocumentTimings,
  DocumentWarning,
} from '../../shared/domain/documents/document-record.ts';
import { failDocument } from '../../shared/domain/documents/fail-document.ts';
import { findPins } from '../../shared/domain/documents/find-pins.ts';
import { forgetTemplateFailures, recordTemplateFailure } from '../../shared/domain/template-failures.ts';
import { AppError, toErrorRecord } from '../../shared/errors.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { DocumentReply } from '../../shared/queue/document-reply.ts';
import { publishReply } from '../../shared/queue/replies.ts';
import { thisRelease } from '../../shared/this-release.ts';
import type { WorkerDeps } from '../deps.ts';
import { isSlotLost } from '../engine-error.ts';
import { noteJob, ofClaim } from '../job-facts.ts';
import { retryOnOutage } from '../retry-on-outage.ts';
import { discardResult, storeResult } from './store-result.ts';

export const maxAttempts = 3;
/** Maximum attempts at a document that crashes its engine. One that exceeds a time limit is not retried. */
const maxCrashes = 2;

export interface ProducedDocument {
  readonly bytes: Uint8Array;
  readonly pages: number | null;
  /** Null for a .docx. */
  readonly engine: DocumentEngine | null;
  readonly warnings: readonly DocumentWarning[];
  /** Undefined when the request asked for no standard. */
  readonly conformance?: DocumentConformance | undefined;
  readonly renderMs: number;
  readonly convertMs: number;
  /** Called once the caller has the document. */
  readonly afterReply?: (() => void) | undefined;
}

/**
 * Runs one attempt at a document: claim, produce, store the bytes, settle the row, reply to the API. Rerunning the job
 * recovers from a crash between any two steps. Throws for errors that are retried; otherwise fails the row.
 */
export async function runAttempt(
  jobDeps: WorkerDeps,
  payload: JobPayload<'docx-batch' | 'pdf-batch'>,
  produce: (deps: WorkerDeps, document: ClaimedDocument, data: FetchedData) => Promise<ProducedDocument>,
): Promise<void> {
  const { stages } = jobDeps;
  const runStep = jobDeps.yieldToInteractive ?? ((work) => work());
  let startedAt = 0;
  let data: FetchedData = Promise.resolve(undefined);
  // failpoint: before-claim
  const document = await runStep(() => {
    startedAt = performance.now();
    data = fetchData(jobDeps, payload.documentId);
    return stages.time('claim', () => jobDeps.claim(payload.documentId));
  });
  if (document === undefined) return await passOnPinned(jobDeps, payload);
  const deps = noteClaim(jobDeps, document);
  // failpoint: after-claim
  try {
    refuseSuspended(document);
    const produced = await runStep(() => produce(deps, document, data));
    // failpoint: after-render
    const result = await runStep(() => stages.time('store', () => storeResult(deps, document, produced.bytes)));
    // failpoint: result-stored-before-settle
    const totalMs = document.queueMs + performance.now() - startedAt;
    const timings = toTimings(document.queueMs, produced, totalMs);
    const { pages, engine, warnings, conformance } = produced;
    const ttlSeconds = deps.config.RESULT_TTL_SECONDS;
    const finished = { result, pages, engine, service: thisRelease, warnings, conformance, timings, ttlSeconds };
    const settle = () =>
      retryOnOutage(deps.logger, () =>
        deps.succeed({ accountId: document.accountId, attempt: document, document: finished }),
      );
    if (!(await runStep(() => stages.time('settle', settle)))) {
      await discardResult(deps, document.accountId, result);
      if (await isClaimLost(deps.db, document)) throw new AppError('unavailable', 'The database lost this attempt');
      noteJob(deps, { outcome: 'fenced' });
      deps.logger.warn('a stale attempt was fenced off');
      return;
    }
    deps.metrics.document(document.format, 'succeeded');
    noteJob(deps, { outcome: 'succeeded', bytes: result.sizeBytes, pages: pages ?? undefined });
    if (document.templateSuspendedMs !== undefined) await forgetFailures(deps, document);
    // failpoint: settled-before-publish
    const reply = toReply(document, timings, produced, result);
    await stages.time('notify', () => sendReply(deps, payload.replyTo, document, reply, produced.bytes));
    forgetData(deps, document, data);
    produced.afterReply?.();
    // failpoint: published-before-ack
  } catch (error) {
    if (isSlotLost(error) && error.code !== 'document_quarantined') await recordFailure(deps, document, error);
    if (await failOrRetry(deps, payload.replyTo, document, error)) forgetData(deps, document, data);
  }
}

function noteClaim(deps: WorkerDeps, document: ClaimedDocument): WorkerDeps {
  const { id, accountId, batchId, keyId, templateId, templateVersion, attempts, queueMs, trace } = document;
  noteJob(deps, { keyId, templateId, templateVersion, attempt: attempts, queueMs: Math.round(queueMs) });
  return ofClaim(deps, trace, { documentId: id, accountId, batchId });
}

/**
 * Handles a document that could not be claimed. If its template is pinned to another engine, moves it to that engine's
 * queue; otherwise the document has ended.
 */
async function passOnPinned(deps: WorkerDeps, { documentId, replyTo }: JobPayload<'pdf-batch'>): Promise<void> {
  const { engineVersion } = deps;
  noteJob(deps, { documentId, outcome: 'skipped' });
  if (engineVersion === undefined) return;
  const [pinned] = await findPins(deps.db, [documentId]);
  if (pinned === undefined || pinned.engine === null || pinned.engine === engineVersion) return;
  const { accountId, batchId, engine } = pinned;
  // failpoint: pinned-before-requeue
  if (batchId !== null) await requeueRows(deps.db, [documentId]);
  else await deps.queues.add('pdf', documentId, { documentId, accountId, replyTo }, { engine });
  deps.logger.info({ documentId, engine }, 'a document was moved to the engine that its template is pinned to');
}

/** Throws `template_suspended` while too many documents of the template have hung or crashed an engine. */
function refuseSuspended({ templateSuspendedMs = 0 }: ClaimedDocument): void {
  if (templateSuspendedMs <= 0) return;
  const until = new Date(Date.now() + templateSuspendedMs).toISOString();
  throw new AppError(
    'template_suspended',
    `This template is suspended until ${until}: its last documents took too long, needed too much memory or crashed the converter. Try again then with less data, or upload a simpler version of the template, which is not suspended.`,
  );
}

/**
 * Counts a failed document against its template. A repeated document is quarantined instead, so that it does not
 * suspend the template for others. The count is only a precaution: if it cannot be updated, the document ends as usual.
 */
async function recordFailure(deps: WorkerDeps, document: ClaimedDocument, error: AppError): Promise<void> {
  const { id, accountId, templateId, templateVersion } = document;
  const failure = { accountId, templateId, templateVersion, documentId: id, reason: error.code };
  const isSuspended = await recordTemplateFailure(deps.db, failure).catch((cause: unknown) => {
    deps.logger.warn({ err: cause }, 'a failure of a template was not counted');
    return false;
  });
  if (!isSuspended) return;
  deps.metrics.suspension();
  deps.logger.warn({ templateId, templateVersion, reason: error.code }, 'a template was suspended');
}

async function forgetFailures(deps: WorkerDeps, { templateId, templateVersion }: ClaimedDocument): Promise<void> {
  await forgetTemplateFailures(deps.db, templateId, templateVersion).catch((error: unknown) =>
    deps.logger.warn({ err: error }, 'the failures of a template were not reset'),
  );
}

/** Throws to retry. Returns true if this attempt has failed the document. */
async function failOrRetry(
  deps: WorkerDeps,
  replyTo: string | null,
  document: ClaimedDocument,
  error: unknown,
): Promise<boolean> {
  const isWorthRetrying = error instanceof AppError ? error.retry : true;
  const limit = isSlotLost(error) ? maxCrashes : maxAttempts;
  if (isWorthRetrying && document.attempts < limit) {
    // A batch row returns to the dispatcher, so that slow failures of one account do not delay other accounts.
    const { code } = toErrorRecord(error);
    deps.metrics.document(document.format, 'retried', code);
    if ((await requeueRows(deps.db, [document.id], document).catch(() => 0)) === 0) throw error;
    noteJob(deps, { outcome: 'retried', errorCode: code });
    deps.logger.warn({ err: error }, 'a row is dispatched again after a failure');
    return false;
  }
  const record = toErrorRecord(error);
  const { id } = document;
  if (record.code === 'internal') deps.logger.error({ err: error }, 'a document failed with an internal error');
  if (!(await retryOnOutage(deps.logger, () => failDocument(deps.db, document, record)))) {
    noteJob(deps, { outcome: 'fenced' });
    return false;
  }
  noteJob(deps, { outcome: 'failed', errorCode: record.code });
  deps.metrics.document(document.format, 'failed', record.code);
  await publishReply(deps.redis, replyTo, { id, ok: false, error: record });
  await queueWebhooks(deps, document)?.catch((cause: unknown) =>
    deps.logger.warn({ err: cause }, 'webhooks were not queued; the sweep will queue them'),
  );
  return true;
}

async function sendReply(
  deps: WorkerDeps,
  replyTo: string | null,
  document: ClaimedDocument,
  reply: DocumentReply,
  bytes: Uint8Array,
): Promise<void> {
  const { id, deliveryId } = reply;
  const replied = publishReply(deps.redis, replyTo, { id, ok: true, value: reply }, bytes);
  const isSent = deliveryId !== null && !document.isTest;
  const queued = !isSent ? undefined : deps.queues.add('mail', deliveryId, { deliveryId });
  for (const result of await Promise.allSettled([replied, queued, queueWebhooks(deps, document)])) {
    if (result.status === 'rejected')
      deps.logger.warn({ err: result.reason }, 'a reply or job was not sent; the sweep queues missing jobs');
  }
}

/** Skips data that could not be read, because its size is unknown. */
function forgetData({ transient }: WorkerDeps, { id, accountId }: ClaimedDocument, data: FetchedData): void {
  const forget = (bytes?: Buffer): void => transient.of(accountId).forget('data', id, bytes?.length);
  data.then(forget, () => forget());
}

function queueWebhooks(deps: WorkerDeps, { id, accountId, emitsEvents }: ClaimedDocument): Promise<void> | undefined {
  return emitsEvents ? deps.queues.add('webhook', id, { accountId }) : undefined;
}

function toTimings(queueMs: number, produced: ProducedDocument, totalMs: number): DocumentTimings {
  const tenth = (ms: number): number => Math.round(ms * 10) / 10;
  return {
    queueMs: tenth(queueMs),
    renderMs: tenth(produced.renderMs),
    convertMs: tenth(produced.convertMs),
    totalMs: tenth(totalMs),
  };
}

function toReply(
  document: ClaimedDocument,
  timings: DocumentTimings,
  { pages, warnings: { length: warningCount } }: ProducedDocument,
  result: DocumentReply['result'],
): DocumentReply {
  const { id, format, filename } = document;
  const deliveryId = document.email?.deliveryId ?? null;
  const { templateVersion } = document;
  return { id, format, filename, deliveryId, warningCount, templateVersion, pages, timings, result };
}

/** Starts reading the document's data from Redis in parallel with the claim. */
export type FetchedData = Promise<Buffer | undefined>;

export function fetchData(deps: WorkerDeps, documentId: string): FetchedData {
  const data = deps.transient.get('data', documentId);
  // Not awaited if the claim fails; this avoids an unhandled rejection.
  data.catch(() => undefined);
  return data;
}
