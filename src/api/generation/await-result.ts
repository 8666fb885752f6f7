import type { Database } from '../../shared/db/client.ts';
import { findGeneration } from '../../shared/domain/generations/find-generations.ts';
import type { GenerationRecord } from '../../shared/domain/generations/generation-record.ts';
import { AppError, fromErrorRecord } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { type DocumentReply, documentReply } from '../../shared/queue/document-reply.ts';
import type { Reply, ReplyChannel } from '../../shared/queue/replies.ts';

export interface ResultReceiverOptions {
  readonly db: Database;
  readonly replies: ReplyChannel;
  readonly logger: Logger;
  readonly waitLimitMs: number;
  /** Interval at which the row is read, in case the worker's reply was lost. */
  readonly pollEveryMs: number;
}

interface ReplySchema<T> {
  parse(value: unknown): T;
}

/** A finished document, with its bytes when the reply carried them. */
export interface ReceivedDocument extends DocumentReply {
  readonly bytes?: Buffer | undefined;
}

export interface ResultReceiver {
  /** Name of the channel that workers send their replies to. */
  readonly channel: string;
  /**
   * Calls `begin`, then waits until the document is finished. Throws the document's error, or `wait_timeout`. The
   * document of a replayed request may have finished already.
   */
  awaitDocument(
    document: { readonly id: string; readonly isReplay: boolean },
    begin: () => Promise<void>,
  ): Promise<ReceivedDocument>;
  /**
   * Calls `begin`, then waits for a worker's report on an upload. Throws its error, or `unavailable` at the wait limit.
   */
  awaitInspection<T>(uploadId: string, reply: ReplySchema<T>, begin: () => Promise<void>): Promise<T>;
}

export function createResultReceiver(options: ResultReceiverOptions): ResultReceiver {
  return {
    channel: options.replies.name,
    awaitDocument: (document, begin) => awaitDocument(options, document, begin),
    async awaitInspection(uploadId, schema, begin) {
      const reply = await awaitReply<never>(options, uploadId, begin, async () => undefined);
      if (reply === undefined) {
        throw new AppError('unavailable', 'The file could not be checked in time. Try again shortly.', {
          retryAfterSeconds: 5,
        });
      }
      if (!reply.ok) throw fromErrorRecord(reply.error);
      return schema.parse(reply.value);
    },
  };
}

async function awaitDocument(
  options: ResultReceiverOptions,
  { id, isReplay }: { readonly id: string; readonly isReplay: boolean },
  begin: () => Promise<void>,
): Promise<ReceivedDocument> {
  const readFinishedRow = async (): Promise<GenerationRecord | undefined> => {
    const row = await findGeneration(options.db, id);
    return row === undefined || row.status === 'queued' || row.status === 'running' ? undefined : row;
  };
  const known = isReplay ? await readFinishedRow() : undefined;
  const result = known ?? (await awaitReply(options, id, begin, readFinishedRow)) ?? (await readFinishedRow());
  if (result === undefined) {
    throw new AppError('wait_timeout', 'The document is still being produced. Fetch it later as a job.', {
      details: [{ type: 'Message', message: `The document's id is ${id}`, jobId: id }],
    });
  }
  if ('ok' in result) {
    if (!result.ok) throw fromErrorRecord(result.error);
    return { ...documentReply.parse(result.value), bytes: result.bytes };
  }
  return fromRow(result);
}

function fromRow(row: GenerationRecord): DocumentReply {
  if (row.status !== 'succeeded' || row.timings === undefined) {
    throw fromErrorRecord(row.error ?? { code: 'internal', message: 'The document could not be produced' });
  }
  if (row.result === undefined) throw documentExpired();
  const { id, format, filename, timings, result } = row;
  return {
    id,
    format,
    filename,
    deliveryId: row.deliveryId ?? null,
    warningCount: row.warnings.length,
    timings,
    result,
  };
}

/** The document was produced, but its file is no longer stored. */
export function documentExpired(): AppError {
  return new AppError('not_found', 'The document was produced, but its file is no longer stored');
}

/** Resolves with the reply, the result of `poll`, or undefined at the wait limit, whichever comes first. */
function awaitReply<T extends object>(
  options: ResultReceiverOptions,
  id: string,
  begin: () => Promise<void>,
  poll: () => Promise<T | undefined>,
): Promise<Reply | T | undefined> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void): void => {
      clearTimeout(limit);
      clearInterval(polling);
      expected.cancel();
      finish();
    };
    const expected = options.replies.expect(id, (reply) => end(() => resolve(reply)));
    const limit = setTimeout(() => end(() => resolve(undefined)), options.waitLimitMs);
    let isPolling = false;
    const polling = setInterval(() => {
      if (isPolling) return;
      isPolling = true;
      poll()
        .then(
          (result) => result !== undefined && end(() => resolve(result)),
          (error: unknown) => options.logger.warn({ err: error }, 'polling a document failed'),
        )
        .finally(() => {
          isPolling = false;
        });
    }, options.pollEveryMs);
    begin().catch((error: unknown) => end(() => reject(error)));
  });
}
