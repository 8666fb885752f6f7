import { requeueRows } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import { isClaimLost } from '../../shared/domain/generations/claim-generation.ts';
import { failGeneration } from '../../shared/domain/generations/fail-generation.ts';
import type {
  ClaimedGeneration,
  GenerationTimings,
  GenerationWarning,
} from '../../shared/domain/generations/generation-record.ts';
import { AppError, toErrorRecord } from '../../shared/errors.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { DocumentReply } from '../../shared/queue/document-reply.ts';
import { publishReply } from '../../shared/queue/replies.ts';
import type { WorkerDeps } from '../deps.ts';
import { retryOnOutage } from '../retry-on-outage.ts';
import { discardResult, storeResult } from './store-result.ts';

export const maxAttempts = 3;

export interface MadeDocument {
  readonly bytes: Uint8Array;
  readonly pages: number | null;
  readonly warnings: readonly GenerationWarning[];
  readonly renderMs: number;
  readonly convertMs: number;
}

/**
 * One attempt at a document: claim, make, bytes first, then settlement, then the word to the waiter. A crash between any
 * two of them is repaired by running the job again. Throws what is worth another attempt; ends the row for what is not.
 */
export async function runAttempt(
  deps: WorkerDeps,
  payload: JobPayload<'docx' | 'pdf'>,
  make: (generation: ClaimedGeneration, data: FetchedData) => Promise<MadeDocument>,
): Promise<void> {
  const { stages } = deps;
  const step = deps.step ?? ((work) => work());
  let startedAt = 0;
  let data: FetchedData = Promise.resolve(undefined);
  // failpoint: before-claim
  const generation = await step(() => {
    startedAt = performance.now();
    data = fetchData(deps, payload.generationId);
    return stages.time('claim', () => deps.claim(payload.generationId));
  });
  if (generation === undefined) return;
  // failpoint: after-claim
  try {
    const made = await step(() => make(generation, data));
    // failpoint: after-render
    const result = await step(() => stages.time('store', () => storeResult(deps, generation, made.bytes)));
    // failpoint: result-stored-before-settle
    const totalMs = generation.queueMs + performance.now() - startedAt;
    const timings = toTimings(generation.queueMs, made, totalMs);
    const { pages, warnings } = made;
    const document = { result, pages, warnings, timings, ttlSeconds: deps.config.RESULT_TTL_SECONDS };
    const settle = () =>
      retryOnOutage(deps.logger, () =>
        deps.succeed({ accountId: generation.accountId, attempt: generation, document }),
      );
    if (!(await step(() => stages.time('settle', settle)))) {
      await discardResult(deps, result);
      if (await isClaimLost(deps.db, generation)) throw new AppError('unavailable', 'The database lost this attempt');
      deps.logger.warn({ generationId: generation.id }, 'a stale attempt was fenced');
      return;
    }
    deps.metrics.document(generation.format, 'succeeded');
    // failpoint: settled-before-publish
    const reply = toReply(generation, timings, warnings.length, result);
    await stages.time('notify', () => announce(deps, payload.replyTo, generation, reply, made.bytes));
    // failpoint: published-before-ack
  } catch (error) {
    await failOrRetry(deps, payload.replyTo, generation, error);
  }
}

async function failOrRetry(
  deps: WorkerDeps,
  replyTo: string | null,
  generation: ClaimedGeneration,
  error: unknown,
): Promise<void> {
  const isWorthRetrying = error instanceof AppError ? error.retry : true;
  if (isWorthRetrying && generation.attempts < maxAttempts) {
    // A row of a batch waits its turn again: slow failures of one account do not queue up before others' rows.
    deps.metrics.document(generation.format, 'retried', toErrorRecord(error).code);
    if ((await requeueRows(deps.db, [generation.id], generation).catch(() => 0)) === 0) throw error;
    deps.logger.warn({ err: error, generationId: generation.id }, 'a row waits for another attempt');
    return;
  }
  const record = toErrorRecord(error);
  const { id } = generation;
  if (record.code === 'internal')
    deps.logger.error({ err: error, generationId: id }, 'a document failed for our reasons');
  if (!(await retryOnOutage(deps.logger, () => failGeneration(deps.db, generation, record)))) return;
  deps.metrics.document(generation.format, 'failed', record.code);
  await publishReply(deps.redis, replyTo, { id, ok: false, error: record });
  await queueWebhooks(deps, generation)?.catch((cause: unknown) =>
    deps.logger.warn({ err: cause, generationId: id }, 'left to the sweep'),
  );
  deps.transient.forget('data', id);
}

async function announce(
  deps: WorkerDeps,
  replyTo: string | null,
  generation: ClaimedGeneration,
  reply: DocumentReply,
  bytes: Uint8Array,
): Promise<void> {
  const { id, deliveryId } = reply;
  const isTold = publishReply(deps.redis, replyTo, { id, ok: true, value: reply }, bytes);
  const isQueued = deliveryId === null ? undefined : deps.queues.add('mail', deliveryId, { deliveryId });
  for (const result of await Promise.allSettled([isTold, isQueued, queueWebhooks(deps, generation)])) {
    if (result.status === 'rejected') deps.logger.warn({ err: result.reason, generationId: id }, 'left to the sweep');
  }
  deps.transient.forget('data', id);
}

function queueWebhooks(deps: WorkerDeps, { id, accountId, emitsEvents }: ClaimedGeneration): Promise<void> | undefined {
  return emitsEvents ? deps.queues.add('webhook', id, { accountId }) : undefined;
}

function toTimings(queueMs: number, made: MadeDocument, totalMs: number): GenerationTimings {
  const tenth = (ms: number): number => Math.round(ms * 10) / 10;
  return {
    queueMs: tenth(queueMs),
    renderMs: tenth(made.renderMs),
    convertMs: tenth(made.convertMs),
    totalMs: tenth(totalMs),
  };
}

function toReply(
  generation: ClaimedGeneration,
  timings: GenerationTimings,
  warningCount: number,
  result: DocumentReply['result'],
): DocumentReply {
  const { id, format, filename } = generation;
  return { id, format, filename, deliveryId: generation.email?.deliveryId ?? null, warningCount, timings, result };
}

/** What Redis holds for a document, asked for before the claim, which takes as long. */
export type FetchedData = Promise<Buffer | undefined>;

export function fetchData(deps: WorkerDeps, generationId: string): FetchedData {
  const data = deps.transient.get('data', generationId);
  // Whoever needs it waits for it; nobody does when the claim fails.
  data.catch(() => undefined);
  return data;
}
