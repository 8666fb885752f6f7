import type { Database } from '../../shared/db/client.ts';
import type { DocumentRecord } from '../../shared/domain/documents/document-record.ts';
import { findDocument, findFinishedDocuments } from '../../shared/domain/documents/find-documents.ts';
import { AppError, fromErrorRecord } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { type DocumentReply, documentReply } from '../../shared/queue/document-reply.ts';
import { type PreviewReply, previewReply } from '../../shared/queue/preview-task.ts';
import type { Reply, ReplyChannel } from '../../shared/queue/replies.ts';

export interface ResultReceiverOptions {
  readonly db: Database;
  readonly replies: ReplyChannel;
  readonly logger: Logger;
  readonly waitLimitMs: number;
  /**
   * How long to wait before reading the row, in case the worker's reply was lost, and the minimum interval between
   * reads.
   */
  readonly pollEveryMs: number;
}

export interface ReplySchema<T> {
  parse(value: unknown): T;
}

/** A finished document, with its bytes when the reply carried them. */
export interface ReceivedDocument extends DocumentReply {
  readonly bytes?: Buffer | undefined;
}

/** A finished preview, with its bytes when the reply carried them. */
export interface ReceivedPreview extends PreviewReply {
  readonly bytes?: Buffer | undefined;
}

export interface ResultReceiver {
  /** Name of the channel that workers send their replies to. */
  readonly channel: string;
  /**
   * Calls `begin`, then waits until the document is finished. Throws the document's error, or `wait_timeout`. The
   * document of a replayed request may already be finished.
   */
  awaitDocument(
    document: { readonly id: string; readonly isReplay: boolean },
    begin: () => Promise<void>,
  ): Promise<ReceivedDocument>;
  /**
   * Calls `begin`, then waits for a worker's report on an upload. Throws its error, or `unavailable` at the wait limit.
   */
  awaitInspection<T>(uploadId: string, reply: ReplySchema<T>, begin: () => Promise<void>): Promise<T>;
  /**
   * Calls `begin`, then waits for a preview. Throws its error, `wait_timeout` or, once `begin` has settled, the reason
   * of an abort.
   */
  awaitPreview(id: string, begin: () => Promise<void>, signal: AbortSignal): Promise<ReceivedPreview>;
}

export function createResultReceiver(options: ResultReceiverOptions): ResultReceiver {
  const watch = createRowWatch(options);
  return {
    channel: options.replies.name,
    awaitDocument: (document, begin) => awaitDocument(options, document, begin, watch),
    async awaitInspection(uploadId, schema, begin) {
      const reply = await awaitReply(options, uploadId, begin);
      if (reply === undefined) {
        throw new AppError('unavailable', 'The file could not be checked in time. Try again shortly.', {
          retryAfterSeconds: 5,
        });
      }
      if (!reply.ok) throw fromErrorRecord(reply.error);
      return schema.parse(reply.value);
    },
    async awaitPreview(id, begin, signal) {
      const reply = await awaitReply(options, id, begin, { signal });
      if (reply === undefined)
        throw new AppError('wait_timeout', 'The preview was not ready in time. Try again later.');
      if (!reply.ok) throw fromErrorRecord(reply.error);
      return { ...previewReply.parse(reply.value), bytes: reply.bytes };
    },
  };
}

async function awaitDocument(
  options: ResultReceiverOptions,
  { id, isReplay }: { readonly id: string; readonly isReplay: boolean },
  begin: () => Promise<void>,
  watch: RowWatch,
): Promise<ReceivedDocument> {
  const readFinishedRow = async (): Promise<DocumentRecord | undefined> => {
    const row = await findDocument(options.db, id);
    return row === undefined || row.status === 'queued' || row.status === 'running' ? undefined : row;
  };
  const known = isReplay ? await readFinishedRow() : undefined;
  const result = known ?? (await awaitReply(options, id, begin, { watch })) ?? (await readFinishedRow());
  if (result === undefined) {
    throw new AppError('wait_timeout', `The document is still being produced. Fetch it later from /v1/jobs/${id}.`, {
      details: [{ type: 'Message', message: `The document's id is ${id}`, jobId: id }],
    });
  }
  if ('ok' in result) {
    if (!result.ok) throw fromErrorRecord(result.error);
    return { ...documentReply.parse(result.value), bytes: result.bytes };
  }
  return fromRow(result);
}

function fromRow(row: DocumentRecord): DocumentReply {
  if (row.status !== 'succeeded' || row.timings === undefined) {
    throw fromErrorRecord(row.error ?? { code: 'internal', message: 'The document could not be produced' });
  }
  if (row.result === undefined) throw documentExpired();
  const { id, format, filename, templateVersion, pages, timings, result } = row;
  return {
    id,
    format,
    filename,
    deliveryId: row.deliveryId ?? null,
    warningCount: row.warnings.length,
    templateVersion,
    pages,
    timings,
    result,
  };
}

export function documentExpired(): AppError {
  return new AppError('not_found', 'The document was produced, but its file is no longer stored');
}

/** Resolves with the reply, the finished row, or undefined at the wait limit, whichever comes first. */
function awaitReply(
  options: ResultReceiverOptions,
  id: string,
  begin: () => Promise<void>,
  until?: { readonly signal: AbortSignal },
): Promise<Reply | undefined>;
function awaitReply(
  options: ResultReceiverOptions,
  id: string,
  begin: () => Promise<void>,
  until: { readonly watch: RowWatch },
): Promise<Reply | DocumentRecord | undefined>;
function awaitReply(
  options: ResultReceiverOptions,
  id: string,
  begin: () => Promise<void>,
  { watch, signal }: { readonly watch?: RowWatch; readonly signal?: AbortSignal } = {},
): Promise<Reply | DocumentRecord | undefined> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void): void => {
      clearTimeout(limit);
      watched?.cancel();
      expected.cancel();
      signal?.removeEventListener('abort', abort);
      finish();
    };
    const expected = options.replies.expect(id, (reply) => end(() => resolve(reply)));
    const watched = watch?.(id, (row) => end(() => resolve(row)));
    const limit = setTimeout(() => end(() => resolve(undefined)), options.waitLimitMs);
    const begun = begin();
    begun.catch((error: unknown) => end(() => reject(error)));
    // The caller undoes what `begin` did, so `begin` must have settled first.
    const abort = (): void => void begun.then(() => end(() => reject(signal?.reason))).catch(() => undefined);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
  });
}

/** Calls back once the document's row is finished, until cancelled. */
type RowWatch = (id: string, onFinished: (row: DocumentRecord) => void) => { cancel(): void };

const maxIdsPerQuery = 500;

/** One statement reads all awaited rows, so that the cost hardly grows with their number. */
function createRowWatch({ db, logger, pollEveryMs }: ResultReceiverOptions): RowWatch {
  const watchers = new Map<string, Set<{ readonly sinceMs: number; onFinished(row: DocumentRecord): void }>>();
  let timer: NodeJS.Timeout | undefined;
  const poll = async (): Promise<void> => {
    const beforeMs = performance.now() - pollEveryMs;
    const ids = [...watchers].flatMap(([id, own]) => ([...own].some(({ sinceMs }) => sinceMs <= beforeMs) ? [id] : []));
    for (let first = 0; first < ids.length; first += maxIdsPerQuery) {
      for (const row of await findFinishedDocuments(db, ids.slice(first, first + maxIdsPerQuery))) {
        for (const { onFinished } of watchers.get(row.id) ?? []) onFinished(row);
      }
    }
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      poll()
        .catch((error: unknown) => logger.warn({ err: error }, 'awaited documents could not be looked up'))
        .finally(() => {
          timer = undefined;
          if (watchers.size > 0) schedule();
        });
    }, pollEveryMs / 2);
    timer.unref();
  };
  return (id, onFinished) => {
    const watcher = { sinceMs: performance.now(), onFinished };
    const own = watchers.get(id) ?? new Set();
    watchers.set(id, own.add(watcher));
    if (timer === undefined) schedule();
    return {
      cancel() {
        own.delete(watcher);
        if (own.size === 0 && watchers.get(id) === own) watchers.delete(id);
      },
    };
  };
}
