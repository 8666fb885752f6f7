import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { type BatchFile, batches } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';
import { AppError, type ErrorRecord } from '../../errors.ts';
import { type BatchStatus, type BundleKind, batchNotFound } from './find-batches.ts';

/** The columns that downloads of a batch's files need. */
export interface BundleRecord {
  readonly id: string;
  readonly status: BatchStatus;
  readonly bundle: BundleKind;
  readonly bundleName: string;
  readonly error: ErrorRecord | undefined;
  readonly finishedAt: Date | undefined;
  /** Undefined until they are written and after they have expired. */
  readonly files: readonly BatchFile[] | undefined;
}

/** The account's batch. Throws `not_found` if it does not exist or belongs to another account. */
export async function findOwnBundle(db: Executor, accountId: string, batchId: string): Promise<BundleRecord> {
  const { id, status, bundle, bundleName, error, finishedAt, files } = batches;
  const [row] = await run(
    db,
    db
      .select({ id, status, bundle, bundleName, error, finishedAt, files })
      .from(batches)
      .where(and(eq(id, batchId), eq(batches.accountId, accountId))),
  );
  if (row === undefined) throw batchNotFound();
  return {
    ...row,
    error: row.error ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    files: row.files ?? undefined,
  };
}

/**
 * Returns a volume of the bundle, counted from 1. Throws `conflict` if it does not exist yet, and `not_found` if it
 * never will or has expired.
 */
export function pickFile(batch: BundleRecord, volume: number): BatchFile {
  const { status, bundle, error, files } = batch;
  const oneByOne = `download its documents one by one, see /v1/batches/${batch.id}/items`;
  if (status === 'accepted' || status === 'running' || status === 'bundling') {
    throw new AppError('conflict', 'The batch is not completed; its files do not exist yet', { retryAfterSeconds: 5 });
  }
  if (status === 'cancelled') throw bundleNotFound(`The batch was cancelled and has no bundle; ${oneByOne}`);
  if (status === 'failed') throw bundleNotFound(`The batch failed and has no bundle (${error?.message}); ${oneByOne}`);
  if (bundle === 'none') throw bundleNotFound(`The batch was requested without a bundle; ${oneByOne}`);
  if (files === undefined) throw bundleNotFound('The files of this batch have expired');
  if (files.length === 0)
    throw bundleNotFound('No row of the batch succeeded, so it has no merged PDF; its manifest lists the errors');
  const file = files[volume - 1];
  if (file === undefined)
    throw bundleNotFound(`The bundle has ${files.length} volume(s); there is no volume ${volume}`);
  return file;
}

function bundleNotFound(message: string): AppError {
  return new AppError('not_found', message);
}
