import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { type BatchFile, batches } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';
import { AppError, type ErrorRecord } from '../../errors.ts';
import { type BatchStatus, type BundleKind, batchNotFound } from './find-batches.ts';

/** What downloads of a batch's files need. */
export interface BundleRecord {
  readonly id: string;
  readonly status: BatchStatus;
  readonly bundle: BundleKind;
  readonly bundleName: string;
  readonly error: ErrorRecord | undefined;
  /** Undefined while there are none, and when they have expired. */
  readonly files: readonly BatchFile[] | undefined;
}

/** The account's batch. Throws `not_found` for an unknown one and for another account's alike. */
export async function findOwnBundle(db: Executor, accountId: string, batchId: string): Promise<BundleRecord> {
  const { id, status, bundle, bundleName, error, files } = batches;
  const [row] = await run(
    db,
    db
      .select({ id, status, bundle, bundleName, error, files })
      .from(batches)
      .where(and(eq(id, batchId), eq(batches.accountId, accountId))),
  );
  if (row === undefined) throw batchNotFound();
  return { ...row, error: row.error ?? undefined, files: row.files ?? undefined };
}

/** A volume of the bundle, counted from 1. Throws `conflict` while it does not exist yet, `not_found` when it never will. */
export function pickFile(batch: BundleRecord, volume: number): BatchFile {
  const { status, bundle, error, files } = batch;
  const oneByOne = `download its documents one by one, see /v1/batches/${batch.id}/items`;
  if (status === 'accepted' || status === 'running' || status === 'bundling') {
    throw new AppError('conflict', 'The batch is not completed; its files do not exist yet', { retryAfterSeconds: 5 });
  }
  if (status === 'cancelled') throw gone(`The batch was cancelled and has no bundle; ${oneByOne}`);
  if (status === 'failed') throw gone(`The batch failed and has no bundle (${error?.message}); ${oneByOne}`);
  if (bundle === 'none') throw gone(`The batch was requested without a bundle; ${oneByOne}`);
  if (files === undefined) throw gone('The files of this batch have expired');
  if (files.length === 0)
    throw gone('No row of the batch succeeded, so it has no merged PDF; its manifest lists the errors');
  const file = files[volume - 1];
  if (file === undefined) throw gone(`The bundle has ${files.length} volume(s); there is no volume ${volume}`);
  return file;
}

function gone(message: string): AppError {
  return new AppError('not_found', message);
}
