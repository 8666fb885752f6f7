import { AppError } from '../../errors.ts';
import type { BatchFile } from './complete-batch.ts';
import type { BundleRecord } from './find-bundle.ts';

/** A volume of the bundle, counted from 1. Throws `conflict` while it is not there yet, `not_found` when it never will be. */
export function pickFile(batch: BundleRecord, volume: number): BatchFile {
  const { status, bundle, error, files } = batch;
  const oneByOne = `its documents are to be had one by one, see /v1/batches/${batch.id}/items`;
  if (status === 'accepted' || status === 'running' || status === 'bundling') {
    throw new AppError('conflict', 'The batch is not completed; its files do not exist yet', { retryAfterSeconds: 5 });
  }
  if (status === 'cancelled') throw gone(`The batch was cancelled, so it has no bundle; ${oneByOne}`);
  if (status === 'failed') throw gone(`The batch has failed, so it has no bundle (${error?.message}); ${oneByOne}`);
  if (bundle === 'none') throw gone(`The batch was ordered without a bundle; ${oneByOne}`);
  if (files === undefined) throw gone('The files of this batch have expired');
  if (files.length === 0) throw gone('No row of the batch succeeded, so it has no merged PDF; its manifest tells why');
  const file = files[volume - 1];
  if (file === undefined) throw gone(`The bundle has ${files.length} volume(s); there is no volume ${volume}`);
  return file;
}

function gone(message: string): AppError {
  return new AppError('not_found', message);
}
