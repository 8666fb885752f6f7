import type { Database } from '../../shared/db/client.ts';
import { findGeneration } from '../../shared/domain/generations/find-generation.ts';
import type { GenerationRecord } from '../../shared/domain/generations/generation-record.ts';
import { AppError, fromErrorRecord } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { type DocumentReply, documentReply } from '../../shared/queue/document-reply.ts';
import type { Reply, ReplyChannel } from '../../shared/queue/replies.ts';

export interface ResultWaiterOptions {
  readonly db: Database;
  readonly replies: ReplyChannel;
  readonly logger: Logger;
  readonly waitLimitMs: number;
  /** How often the row is looked at, in case the word of the worker was lost. */
  readonly lookEveryMs: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerAccount: number;
}

interface ReplySchema<T> {
  parse(value: unknown): T;
}

/** A finished document, with its file when that came along with the word of it. */
export interface AnsweredDocument extends DocumentReply {
  readonly bytes?: Buffer | undefined;
}

/** A request's place among those that wait; taken before any work is accepted, given back when the answer is out. */
export interface WaitingPlace {
  leave(): void;
}

export interface ResultWaiter {
  readonly channel: string;
  /** Throws `unavailable` when too many requests of the account, or of this process, wait already. */
  enter(accountId: string): WaitingPlace;
  /** Begins, then waits for a document to end; throws its error, or `wait_timeout`. A replay may have ended long ago. */
  document(
    order: { readonly id: string; readonly isReplay: boolean },
    begin: () => Promise<void>,
  ): Promise<AnsweredDocument>;
  /** Waits for what a worker found in an upload; throws its error, or `unavailable` when none answers in time. */
  inspection<T>(uploadId: string, reply: ReplySchema<T>, begin: () => Promise<void>): Promise<T>;
  waiting(): number;
}

export function createResultWaiter(options: ResultWaiterOptions): ResultWaiter {
  const places = new Map<string, number>();
  let total = 0;
  return {
    channel: options.replies.name,
    waiting: () => total,
    enter(accountId) {
      const own = places.get(accountId) ?? 0;
      if (total >= options.maxWaiting || own >= options.maxWaitingPerAccount) {
        throw new AppError('unavailable', 'Too many requests wait for their document. Try again shortly.', {
          retryAfterSeconds: 2,
        });
      }
      total += 1;
      places.set(accountId, own + 1);
      let isInside = true;
      const leave = (): void => {
        if (!isInside) return;
        isInside = false;
        total -= 1;
        const left = (places.get(accountId) ?? 1) - 1;
        if (left === 0) places.delete(accountId);
        else places.set(accountId, left);
      };
      return { leave };
    },
    document: (order, begin) => awaitDocument(options, order, begin),
    async inspection(uploadId, schema, begin) {
      const reply = await awaitReply<never>(options, uploadId, begin, async () => undefined);
      if (reply === undefined) {
        throw new AppError('unavailable', 'No worker could look at the file in time. Try again shortly.', {
          retryAfterSeconds: 5,
        });
      }
      if (!reply.ok) throw fromErrorRecord(reply.error);
      return schema.parse(reply.value);
    },
  };
}

async function awaitDocument(
  options: ResultWaiterOptions,
  { id, isReplay }: { readonly id: string; readonly isReplay: boolean },
  begin: () => Promise<void>,
): Promise<AnsweredDocument> {
  const look = async (): Promise<GenerationRecord | undefined> => {
    const row = await findGeneration(options.db, id);
    return row === undefined || row.status === 'queued' || row.status === 'running' ? undefined : row;
  };
  const known = isReplay ? await look() : undefined;
  const answer = known ?? (await awaitReply(options, id, begin, look)) ?? (await look());
  if (answer === undefined) {
    throw new AppError('wait_timeout', 'The document is not finished yet. It is still being made.', {
      details: [{ type: 'Message', message: `The document's id is ${id}`, jobId: id }],
    });
  }
  if ('ok' in answer) {
    if (!answer.ok) throw fromErrorRecord(answer.error);
    return { ...documentReply.parse(answer.value), bytes: answer.bytes };
  }
  return fromRow(answer);
}

function fromRow(row: GenerationRecord): DocumentReply {
  if (row.status !== 'succeeded' || row.timings === undefined) {
    throw fromErrorRecord(row.error ?? { code: 'internal', message: 'The document could not be made' });
  }
  if (row.result === undefined) {
    throw new AppError('not_found', 'The document was made, but it is no longer kept');
  }
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

/** The reply, what `look` finds, or undefined at the wait limit; whichever comes first. */
function awaitReply<T extends object>(
  options: ResultWaiterOptions,
  id: string,
  begin: () => Promise<void>,
  look: () => Promise<T | undefined>,
): Promise<Reply | T | undefined> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void): void => {
      clearTimeout(limit);
      clearInterval(looking);
      expected.cancel();
      finish();
    };
    const expected = options.replies.expect(id, (reply) => end(() => resolve(reply)));
    const limit = setTimeout(() => end(() => resolve(undefined)), options.waitLimitMs);
    let isLooking = false;
    const looking = setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      look()
        .then(
          (found) => found !== undefined && end(() => resolve(found)),
          (error: unknown) => options.logger.warn({ err: error }, 'looking at a document failed'),
        )
        .finally(() => {
          isLooking = false;
        });
    }, options.lookEveryMs);
    begin().catch((error: unknown) => end(() => reject(error)));
  });
}
