import type { Database } from '../../shared/db/client.ts';
import { type EndedWork, endUnfinished } from '../../shared/domain/end-unfinished.ts';
import { holdRemovals } from '../../shared/domain/installation.ts';
import { makeBackup, writeBackupMetrics } from '../backup/make-backup.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { type Commands, flag, optional, required } from '../parse-command.ts';
import { readPath } from '../read-options.ts';
import { withBucket } from '../with-bucket.ts';

export const backupCommands: Commands = {
  backup: {
    summary: 'Back up the database and all objects to a new folder, while the service runs',
    options: { out: required('<folder>'), metrics: optional('<file>') },
    isRecorded: () => true,
    run: ({ db, databaseUrl }, options) =>
      withBucket(db, async ({ store }) => {
        const summary = await makeBackup({ db, databaseUrl, objects: store, folder: readPath(options, 'out') });
        if (options.has('metrics')) await writeBackupMetrics(readPath(options, 'metrics'), summary);
        return summary;
      }),
  },
  restore: {
    summary: 'Restore a backup into an empty database and the store, while the service is stopped',
    options: { from: required('<folder>'), 'without-objects': flag },
    isRecorded: () => true,
    run: ({ db, databaseUrl }, options) =>
      withBucket(db, async ({ store }) => {
        const objects = options.has('without-objects') ? undefined : store;
        const backup = await restoreBackup({ db, databaseUrl, objects, folder: readPath(options, 'from') });
        return { backup, ended: await finishRestore(db) };
      }),
  },
  'finish-restore': {
    summary: 'End the work in progress of a restored database; restore does this itself unless it was interrupted',
    options: {},
    isRecorded: () => true,
    run: async ({ db }) => ({ ended: await finishRestore(db) }),
  },
};

/** Objects newer than the backup may lack rows, so removal is held until the operator has checked them. */
async function finishRestore(db: Database): Promise<EndedWork> {
  await holdRemovals(db);
  return await endUnfinished(db);
}
