import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';

/** `backup.json`: written last, so a folder with it is complete. */
const backupSummary = z.object({
  /** The release that made the backup. */
  version: z.string(),
  /** Missing when the database had no id yet. */
  installationId: z.string().optional(),
  startedAt: z.iso.datetime(),
  /** The approximate time of the database snapshot. */
  databaseAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  databaseBytes: z.number(),
  databaseSha256: z.string(),
  objects: z.number(),
  objectBytes: z.number(),
});
export type BackupSummary = z.infer<typeof backupSummary>;

export async function readBackup(folder: string): Promise<BackupSummary> {
  try {
    return backupSummary.parse(JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')));
  } catch (error) {
    throw new AppError('invalid_request', `${folder} has no complete backup: give the folder of another one`, {
      cause: error,
    });
  }
}
