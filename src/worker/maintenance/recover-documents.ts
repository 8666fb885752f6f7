import { readClock } from '../../shared/db/read-clock.ts';
import { cursorAt, nextCursor, type TimeCursor } from '../../shared/db/time-cursor.ts';
import { type OutputFormat, queueOf } from '../../shared/domain/documents/document-record.ts';
import { abandonDocument } from '../../shared/domain/documents/fail-document.ts';
import {
  findUnfinished,
  findUnfinishedOf,
  type UnfinishedDocument,
} from '../../shared/domain/documents/find-unfinished.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { maxAttempts } from '../documents/fail-attempt.ts';
import { forEach } from './for-each.ts';
import { findSuspects, forgetSuspects } from './suspects.ts';
import { readSweepState, type SweepState, saveSweepState } from './sweep-state.ts';

const graceMs = 5_000;
/**
 * Checks this much of the past again, because a document is dated at the start of its transaction, which may commit
 * late.
 */
const overlapMs = 10_000;
const pageSize = 40;
const suspectsAtOnce = 200;

const dataLost: ErrorRecord = {
  code: 'unavailable',
  message: 'The data for this document was lost before it was produced. Send the request again.',
};
const workerLost: ErrorRecord = {
  code: 'worker_lost',
  message:
    'The workers that processed the document stopped unexpectedly. Send the request again, or report it to the operator.',
};
const tooLate: ErrorRecord = {
  code: 'unavailable',
  message: 'The document was not produced in time. Send the request again.',
};

const formats: readonly OutputFormat[] = ['docx', 'pdf', 'xml'];

/** Requeues accepted documents that have no live job, and fails those that can no longer be produced. */
export async function recoverDocuments(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  const outcomes = await Promise.allSettled(formats.map((format) => recoverFormat(deps, format, untilMs)));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/**
 * Checks overdue documents, claimed ones (as many as there are slots), those whose job has failed, those accepted since
 * the last sweep, and one page of the others in turn: the cost does not depend on the number of waiting documents.
 * Checks all others when Redis has lost its data, and further pages while jobs are missing.
 */
async function recoverFormat(deps: WorkerDeps, format: OutputFormat, untilMs: number): Promise<void> {
  const now = await readClock(deps.db);
  const state = await readSweepState(deps, format);
  await failOverdue(deps, format, untilMs);
  await recoverPages(deps, { format, status: 'running', after: '', untilMs });
  await recoverSuspects(deps, format);
  const seenUntil = cursorAt(new Date(now.getTime() - graceMs - overlapMs));
  if (state === undefined) return recoverOthers(deps, format, { seenUntil, after: '', isComplete: false }, untilMs);
  const stoppedAt = await recoverPages(deps, { format, status: 'queued', after: state.seenUntil, untilMs });
  await recoverOthers(deps, format, { ...state, seenUntil: stoppedAt ?? seenUntil }, untilMs);
}

async function failOverdue(deps: WorkerDeps, format: OutputFormat, untilMs: number): Promise<void> {
  const olderThanMs = deps.config.DOCUMENT_DEADLINE_SECONDS * 1_000;
  for (const status of ['queued', 'running'] as const) {
    let after: TimeCursor | undefined = '';
    while (after !== undefined && performance.now() < untilMs) {
      const page = await findUnfinished(deps.db, { format, status, olderThanMs, after, limit: pageSize });
      await forEach(deps, page, (document) => fail(deps, document, tooLate));
      after = nextCursor(page, pageSize);
    }
  }
}

async function recoverSuspects(deps: WorkerDeps, format: OutputFormat): Promise<void> {
  const suspects = await findSuspects(deps, format, suspectsAtOnce);
  if (suspects.length === 0) return;
  const unfinished = await findUnfinishedOf(deps.db, suspects);
  const unfinishedIds = unfinished.map(({ id }) => id);
  await forgetSuspects(
    deps,
    format,
    suspects.filter((id) => !unfinishedIds.includes(id)),
  );
  const missing = new Set(await deps.queues.findMissing(queueOf(format), unfinishedIds));
  const lost = unfinished.filter(({ id }) => missing.has(id));
  await forEach(deps, lost, (document) => recover(deps, document));
}

interface Pages {
  readonly format: OutputFormat;
  readonly status: 'queued' | 'running';
  readonly after: TimeCursor;
  readonly untilMs: number;
}

/** Recovers all documents after a cursor. Returns the cursor to continue from if the time ran out. */
async function recoverPages(
  deps: WorkerDeps,
  { format, status, after, untilMs }: Pages,
): Promise<TimeCursor | undefined> {
  let at: TimeCursor | undefined = after;
  while (at !== undefined) {
    if (performance.now() > untilMs) return at;
    at = (await recoverPage(deps, format, status, at)).next;
  }
  return undefined;
}

async function recoverOthers(
  deps: WorkerDeps,
  format: OutputFormat,
  state: SweepState,
  untilMs: number,
): Promise<void> {
  let { after, isComplete } = state;
  let missing: number;
  do {
    const page = await recoverPage(deps, format, 'queued', after);
    missing = page.missing;
    after = page.next ?? '';
    isComplete ||= page.next === undefined;
    await saveSweepState(deps, format, { ...state, after, isComplete });
  } while ((!isComplete || missing > 0) && after !== '' && performance.now() < untilMs);
}

async function recoverPage(deps: WorkerDeps, format: OutputFormat, status: Pages['status'], after: TimeCursor) {
  const page = await findUnfinished(deps.db, { format, status, olderThanMs: graceMs, after, limit: pageSize });
  const ids = page.map(({ id }) => id);
  const missing = new Set(ids.length === 0 ? [] : await deps.queues.findMissing(queueOf(format), ids));
  const lost = page.filter(({ id }) => missing.has(id));
  await forEach(deps, lost, (document) => recover(deps, document));
  return { missing: lost.length, next: nextCursor(page, pageSize) };
}

async function recover(deps: WorkerDeps, document: UnfinishedDocument): Promise<void> {
  const { id, accountId, format, attempts, engine } = document;
  const reason = attempts >= maxAttempts ? workerLost : await missingData(deps, id);
  if (reason !== undefined) return fail(deps, document, reason);
  // failpoint: sweep-before-requeue
  await deps.queues.add(queueOf(format), id, { documentId: id, accountId, replyTo: null }, { engine });
  deps.logger.info({ documentId: id }, 'a document without a job was enqueued again');
}

async function fail(deps: WorkerDeps, document: UnfinishedDocument, reason: ErrorRecord): Promise<void> {
  if (await abandonDocument(deps.db, document, reason)) {
    deps.logger.warn({ documentId: document.id, code: reason.code }, 'a document failed and was released');
  }
}

async function missingData(deps: WorkerDeps, id: string): Promise<ErrorRecord | undefined> {
  return (await deps.transient.has('data', id)) ? undefined : dataLost;
}
