import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';

/** Low, to leave most connections of the pool to documents. */
const atOnce = 4;

/**
 * Runs a step for every row, a few at a time. Logs failed rows, which a later sweep retries; an outage ends the sweep.
 * Returns the number of rows whose step succeeded.
 */
export async function forEach<Row extends { readonly id: string }>(
  { logger }: Pick<WorkerDeps, 'logger'>,
  rows: readonly Row[],
  step: (row: Row) => Promise<unknown>,
): Promise<number> {
  let succeeded = 0;
  let isOutage = false;
  const queue = rows.values();
  const runOne = async (row: Row): Promise<void> => {
    try {
      await step(row);
      succeeded += 1;
    } catch (error) {
      logger.warn({ err: error, id: row.id }, 'a sweep step failed for a row');
      isOutage ||= error instanceof AppError && error.code === 'unavailable';
      if (isOutage) throw error;
    }
  };
  const runner = async (): Promise<void> => {
    for (const row of queue) {
      if (isOutage) return;
      await runOne(row);
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, runner));
  const outage = outcomes.find(({ status }) => status === 'rejected');
  if (outage?.status === 'rejected') throw outage.reason;
  return succeeded;
}
