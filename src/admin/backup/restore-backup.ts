import { join } from 'node:path';
import type { Database } from '../../shared/db/client.ts';
import { hasTables } from '../../shared/db/has-tables.ts';
import { migrateDatabase } from '../../shared/db/migrate.ts';
import { AppError } from '../../shared/errors.ts';
import { readOwner } from '../../shared/storage/bucket-owner.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { checkSizes, readCopied, restoreObjects } from './copy-objects.ts';
import { checksumOf } from './make-backup.ts';
import { type BackupSummary, readBackup } from './read-backup.ts';
import { runPostgresTool } from './run-postgres-tool.ts';

export interface RestoreRequest {
  readonly db: Database;
  readonly databaseUrl: string;
  /** Undefined leaves the store unchanged. */
  readonly objects: ObjectStore | undefined;
  readonly folder: string;
}

/**
 * Restores a backup into an empty database and the store. Objects come first, then the database in one transaction, so
 * that no row ever refers to a missing object. Validates the whole backup before writing anything.
 */
export async function restoreBackup({ db, databaseUrl, objects, folder }: RestoreRequest): Promise<BackupSummary> {
  const summary = await readBackup(folder);
  const dump = join(folder, 'database.dump');
  if ((await checksumOf(dump)) !== summary.databaseSha256)
    throw new AppError(
      'invalid_request',
      'The backup is damaged: the content of database.dump has changed. Use another backup.',
    );
  const copied = await readCopied(folder);
  if (copied.length !== summary.objects)
    throw new AppError(
      'invalid_request',
      `The backup is damaged: it lists ${copied.length} of ${summary.objects} objects. Use another backup.`,
    );
  await checkSizes(folder, copied);
  if (await hasTables(db))
    throw new AppError(
      'conflict',
      'The database has tables already: restore into an empty one, with the service stopped',
    );
  if (objects !== undefined) {
    await objects.prepare();
    await requireFreeBucket(objects, summary);
    await restoreObjects(objects, folder, copied);
  }
  const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', dump];
  await runPostgresTool('pg_restore', args, databaseUrl);
  // The backup may come from an older release.
  await migrateDatabase(databaseUrl);
  return summary;
}

/** The objects of two installations in one bucket would become indistinguishable. */
async function requireFreeBucket(objects: ObjectStore, { installationId }: BackupSummary): Promise<void> {
  const owner = await readOwner(objects);
  if (owner !== undefined && owner !== installationId)
    throw new AppError(
      'conflict',
      `The bucket belongs to another database (${owner}): restore into an empty bucket, or add --without-objects if it has the objects of this backup`,
    );
}
