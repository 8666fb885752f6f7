import { z } from 'zod';
import type { TimeCursor } from '../../shared/db/time-cursor.ts';
import type { OutputFormat } from '../../shared/domain/documents/document-record.ts';
import { bullPrefix } from '../../shared/queue/contracts.ts';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { WorkerDeps } from '../deps.ts';

const sweepState = z.object({
  /** Documents accepted before this time had a job when a sweep checked them. */
  seenUntil: z.string(),
  /** The cursor of the walk through all waiting documents. */
  after: z.string(),
  /** False until the walk has seen every document once since Redis lost its data. */
  isComplete: z.boolean(),
});

/** How far the sweeps of a queue have progressed. */
export type SweepState = z.infer<typeof sweepState> & { readonly seenUntil: TimeCursor; readonly after: TimeCursor };

// In the same cluster slot as the jobs, so that data loss affects jobs and state alike.
const keyOf = ({ config }: WorkerDeps, format: OutputFormat): string =>
  `${bullPrefix(config.QUEUE_PREFIX, format)}:sweep`;

/** Undefined at the first sweep and after Redis has lost its data. */
export async function readSweepState(deps: WorkerDeps, format: OutputFormat): Promise<SweepState | undefined> {
  const text = await guardedRedis(() => deps.redis.get(keyOf(deps, format)));
  return text === null ? undefined : sweepState.parse(JSON.parse(text));
}

export async function saveSweepState(deps: WorkerDeps, format: OutputFormat, state: SweepState): Promise<void> {
  await guardedRedis(() => deps.redis.set(keyOf(deps, format), JSON.stringify(state)));
}
