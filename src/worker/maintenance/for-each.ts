import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';

/** Does a step for each row, side by side. A row that fails is logged and left to the next sweep; an outage ends the sweep. */
export async function forEach<Row extends { readonly id: string }>(
  { logger }: Pick<WorkerDeps, 'logger'>,
  rows: readonly Row[],
  step: (row: Row) => Promise<unknown>,
): Promise<void> {
  const ends = await Promise.allSettled(rows.map(step));
  const failures = ends.flatMap((end, index) =>
    end.status === 'rejected' ? [{ error: end.reason, row: rows[index] }] : [],
  );
  for (const { error, row } of failures) logger.warn({ err: error, id: row?.id }, 'a sweep could not end a row');
  const outage = failures.find(({ error }) => error instanceof AppError && error.code === 'unavailable');
  if (outage !== undefined) throw outage.error;
}
