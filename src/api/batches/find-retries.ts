import type { Executor } from '../../shared/db/client.ts';
import { type FailedRow, findFailedRows } from '../../shared/domain/batches/list-rows.ts';
import type { RowRetry } from '../../shared/domain/batches/retry-rows.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { readPrivateRows } from './private-rows.ts';

/**
 * The failed rows of an ended batch that match `isWanted`, with their stored passwords and e-mails. Throws `conflict`
 * when the batch has expired.
 */
export async function findRetries(
  { db, objects }: { readonly db: Executor; readonly objects: ObjectStore },
  { id, inputKey }: { readonly id: string; readonly inputKey: string },
  isWanted: (row: FailedRow) => boolean = () => true,
): Promise<readonly RowRetry[]> {
  const failed = (await findFailedRows(db, id)).filter(isWanted);
  const privateRows = await readPrivateRows(objects, inputKey, new Set(failed.map(({ row }) => row)));
  if (privateRows === undefined)
    throw new AppError('conflict', 'The batch has expired and cannot be retried. Send its rows in a new batch.');
  return failed.map((row) => {
    const { email = null, password = null } = privateRows.get(row.row) ?? {};
    return { ...row, password, email: email === null ? null : { deliveryId: newId('dlv'), ...email } };
  });
}
