import { requeueRows } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import { isClaimLost } from '../../shared/domain/documents/claim-document.ts';
import type {
  ClaimedDocument,
  DocumentTimings,
  ResultLocation,
} from '../../shared/domain/documents/document-record.ts';
import { findPins } from '../../shared/domain/documents/find-pins.ts';
import { AppError } from '../../shared/errors.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { DocumentReply } from '../../shared/queue/document-reply.ts';
import { thisRelease } from '../../shared/this-release.ts';
import type { WorkerDeps } from '../deps.ts';
import { startPageCheck } from '../direct-pdf/direct-layout.ts';
import { failAttempt } from '../documents/fail-attempt.ts';
import { type FetchedData, fetchData, forgetData } from '../documents/load-content.ts';
import { produceDocx } from '../documents/produce-docx.ts';
import { producePdf } from '../documents/produce-pdf.ts';
import { produceXml } from '../documents/produce-xml.ts';
import type { ProducedDocument } from '../documents/produced-document.ts';
import { sendReply } from '../documents/send-reply.ts';
import { discardResult, storeResult } from '../documents/store-result.ts';
import { forgetFailures, refuseSuspended } from '../documents/template-suspension.ts';
import { type JobRun, noteIds, noteJob } from '../job-run.ts';
import { retryOnOutage } from '../retry-on-outage.ts';

/**
 * Runs one attempt at a document: claim, produce, store the bytes, settle the row, reply to the API. Rerunning the job
 * recovers from a crash between any two steps. Throws for errors that are retried; otherwise fails the row.
 */
export async function processDocument(
  deps: WorkerDeps,
  job: JobRun,
  payload: JobPayload<'docx-batch' | 'pdf-batch'>,
): Promise<void> {
  const { stages } = job;
  const { replyTo } = payload;
  const runStep = deps.yieldToInteractive ?? ((work) => work());
  // failpoint: before-claim
  const { document, data, startedAt } = await runStep(() => claim(deps, job, payload.documentId));
  if (document === undefined) return await passOnPinned(deps, job, payload);
  noteClaim(job, document);
  // failpoint: after-claim
  try {
    refuseSuspended(document);
    const produced = await runStep(() => produce(deps, job, document, data));
    // failpoint: after-render
    const result = await runStep(() => stages.time('store', () => storeResult(deps, document, produced)));
    // failpoint: result-stored-before-settle
    const timings = toTimings(document.queueMs, produced, document.queueMs + performance.now() - startedAt);
    const outcome = { document, produced, result, timings };
    if (!(await runStep(() => stages.time('settle', () => settle(deps, job, outcome))))) {
      await discardResult(deps, job, document, result);
      if (await isClaimLost(deps.db, document)) throw new AppError('unavailable', 'The database lost this attempt');
      noteJob(job, { outcome: 'fenced' });
      job.logger.warn('a stale attempt was fenced off');
      return;
    }
    deps.metrics.document(document.format, 'succeeded');
    noteJob(job, { outcome: 'succeeded', bytes: result.sizeBytes, pages: produced.pages ?? undefined });
    await forgetFailures(deps, job, document);
    // failpoint: settled-before-publish
    const success = { document, replyTo, reply: toReply(outcome), bytes: produced.bytes };
    await stages.time('notify', () => sendReply(deps, job, success));
    forgetData(deps, document, data);
    if (produced.pageCheck !== undefined) startPageCheck(deps, job, produced.pageCheck);
    // failpoint: published-before-ack
  } catch (error) {
    if (await failAttempt(deps, job, { document, replyTo, error })) forgetData(deps, document, data);
  }
}

/** Claims the document, and starts to read its data in parallel. */
async function claim(deps: WorkerDeps, job: JobRun, documentId: string) {
  const startedAt = performance.now();
  const data = fetchData(deps, job, documentId);
  const document = await job.stages.time('claim', () => deps.claim(documentId));
  return { document, data, startedAt };
}

function noteClaim(job: JobRun, document: ClaimedDocument): void {
  const { id, accountId, batchId, keyId, templateId, templateVersion, attempts, queueMs, trace } = document;
  noteJob(job, { keyId, templateId, templateVersion, attempt: attempts, queueMs: Math.round(queueMs) });
  noteIds(job, trace, { documentId: id, accountId, batchId });
}

/**
 * Handles a document that could not be claimed. If its template is pinned to another engine, moves it to that engine's
 * queue; otherwise the document has ended.
 */
async function passOnPinned(
  deps: WorkerDeps,
  job: JobRun,
  { documentId, replyTo }: JobPayload<'pdf-batch'>,
): Promise<void> {
  const { engineVersion } = deps;
  noteJob(job, { documentId, outcome: 'skipped' });
  if (engineVersion === undefined) return;
  const [pinned] = await findPins(deps.db, [documentId]);
  if (pinned === undefined || pinned.engine === null || pinned.engine === engineVersion) return;
  const { accountId, batchId, engine } = pinned;
  // failpoint: pinned-before-requeue
  if (batchId !== null) await requeueRows(deps.db, [documentId]);
  else await deps.queues.add('pdf', documentId, { documentId, accountId, replyTo }, { engine });
  job.logger.info({ documentId, engine }, 'a document was moved to the engine that its template is pinned to');
}

const producers = { docx: produceDocx, pdf: producePdf, xml: produceXml };

function produce(
  deps: WorkerDeps,
  job: JobRun,
  document: ClaimedDocument,
  data: FetchedData,
): Promise<ProducedDocument> {
  return producers[document.format](deps, job, document, data);
}

interface Outcome {
  readonly document: ClaimedDocument;
  readonly produced: ProducedDocument;
  readonly result: ResultLocation;
  readonly timings: DocumentTimings;
}

/** Returns false if a later attempt has taken over, or the claim was lost. */
function settle(deps: WorkerDeps, job: JobRun, outcome: Outcome): Promise<boolean> {
  const { document, result, timings } = outcome;
  const { pages, engine, warnings, conformance } = outcome.produced;
  const ttlSeconds = deps.config.RESULT_TTL_SECONDS;
  const finished = { result, pages, engine, service: thisRelease, warnings, conformance, timings, ttlSeconds };
  const settlement = { accountId: document.accountId, attempt: document, document: finished };
  return retryOnOutage(job, () => deps.succeed(settlement));
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

function toReply({ document, produced, result, timings }: Outcome): DocumentReply {
  const { id, format, filename, templateVersion } = document;
  const deliveryId = document.email?.deliveryId ?? null;
  const warningCount = produced.warnings.length;
  return { id, format, filename, deliveryId, warningCount, templateVersion, pages: produced.pages, timings, result };
}
