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
  /** With `first request`, the caller begins the pool before a request. Default: `opening`. */
  readonly startsWith?: 'opening' | 'first request';
}

const startTimeoutMs = 60_000;
const firstRetryMs = 100;
const maxRetryDelayMs = 10_000;

/** Settings of a pool for this many warm processes of the service's own programs, which start within seconds. */
export function warmProcesses(processes: number) {
  return {
    slots: processes,
    startTimeoutMs,
    starts: 'quick' as const,
    // Processes that fail together count as one failure, so the pause grows with each round of starts.
    retryDelayMs: (failures: number) =>
      Math.min(maxRetryDelayMs, firstRetryMs * 2 ** (Math.ceil(failures / processes) - 1)),
    unavailableAfter: 1,
  };
}

/**
 * Opens a pool of processes for work of milliseconds on files that may be hostile. They start in the background and are
 * shared fairly among accounts.
 */
export function openProcessPool<Request extends object, Answer>(
  options: ProcessPoolOptions<Answer>,
): SlotPool<ProcessSlot<Request, Answer>> {
  const { processes, name, unavailable, logger, startsWith = 'opening', ...limits } = options;
  const toError = (message: string) => () => new AppError('unavailable', message, { retryAfterSeconds: 5 });
  const pool = new SlotPool<ProcessSlot<Request, Answer>>({
    ...warmProcesses(processes),
    name,
    start: (signal) => startProcessSlot(limits, signal),
    timeLimitMs: limits.timeLimitMs,
    quickMs: limits.timeLimitMs / 100,
    keepsSlotFree: true,
    errors: {
      unavailable: toError(unavailable),
      closing: toError('The service is shutting down.'),
    },
    logger,
  });
  if (startsWith === 'opening') pool.begin();
  return pool;
}
