import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { type ProcessSlot, type ProcessSlotOptions, startProcessSlot } from './process-slot.ts';
import { SlotPool } from './slot-pool.ts';

export interface ProcessPoolOptions<Answer> extends ProcessSlotOptions<Answer> {
  readonly processes: number;
  /** The name of one process for log messages, such as 'a check process'. */
  readonly name: string;
  /** The error message when no process can be started. */
  readonly unavailable: string;
  readonly logger: Logger;
}

const startTimeoutMs = 60_000;
const maxRetryDelayMs = 10_000;

/**
 * Opens a pool of processes for work of milliseconds on files that may be hostile. They start in the background and are
 * shared fairly among accounts.
 */
export function openProcessPool<Request extends object, Answer>(
  options: ProcessPoolOptions<Answer>,
): SlotPool<ProcessSlot<Request, Answer>> {
  const { processes, name, unavailable, logger, ...limits } = options;
  const toError = (message: string) => () => new AppError('unavailable', message, { retryAfterSeconds: 5 });
  const pool = new SlotPool<ProcessSlot<Request, Answer>>({
    name,
    slots: processes,
    start: (signal) => startProcessSlot(limits, signal),
    startTimeoutMs,
    starts: 'quick',
    retryDelayMs: (failures) => Math.min(maxRetryDelayMs, 100 * 2 ** (failures - 1)),
    unavailableAfter: 1,
    timeLimitMs: limits.timeLimitMs,
    quickMs: limits.timeLimitMs / 100,
    keepsSlotFree: true,
    errors: {
      unavailable: toError(unavailable),
      closing: toError('The service is shutting down.'),
    },
    logger,
  });
  pool.begin();
  return pool;
}
