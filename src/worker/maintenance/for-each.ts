import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';

/** Runs a step for all rows concurrently. Logs failed rows, which the next sweep retries; an outage ends the sweep. */
export async function forEach<Row extends { readonly id: string }>(
  { logger }: Pick<WorkerDeps, 'logger'>,
  rows: readonly Row[],
  step: (row: Row) => Promise<unknown>,
): Promise<void> {
  const outcomes = await Promise.allSettled(rows.map(step));
  const failures = outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ error: outcome.reason, row: rows[index] }] : [],
  );
  for (const { error, row } of failures) logger.warn({ err: error, id: row?.id }, 'a sweep step failed for a row');
  const outage = failures.find(({ error }) => error instanceof AppError && error.code === 'unavailable');
  if (outage !== undefined) throw outage.error;
}
