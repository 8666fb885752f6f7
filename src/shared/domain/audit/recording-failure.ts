import type { Executor } from '../../db/client.ts';
import { AppError } from '../../errors.ts';
import { type AdminAct, recordAct } from './record-act.ts';

/**
 * Runs the work of an act, and records it if it fails. The error of the work is thrown even if recording it fails.
 * After an outage nothing is recorded, because the change may have been committed, together with its record.
 */
export async function recordingFailure<T>(
  db: Executor,
  act: Omit<AdminAct, 'outcome'>,
  work: () => Promise<T>,
  isRecorded: (error: unknown) => boolean = () => true,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'internal';
    if (isRecorded(error) && code !== 'unavailable')
      await recordAct(db, { ...act, outcome: 'failed', error: code }).catch(() => undefined);
    throw error;
  }
}
