import { loadStorageConfig } from '../../shared/config/load-config.ts';
import { openObjects } from '../../shared/connections.ts';
import { endUnfinished } from '../../shared/domain/end-unfinished.ts';
import { createLogger } from '../../shared/logger.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { makeBackup, writeBackupMetrics } from '../backup/make-backup.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { type Commands, flag, optional, required } from '../parse-command.ts';
import { readPath } from '../read-options.ts';

export const backupCommands: Commands = {
  backup: {
    summary: 'Write the database and all objects to a new folder, while the service runs',
    options: { out: required('<folder>'), metrics: optional('<file>') },
    isRecorded: () => true,
    run: ({ databaseUrl }, options) =>
      withObjects(async (objects) => {
        const summary = await makeBackup({ databaseUrl, objects, folder: readPath(options, 'out') });
        if (options.has('metrics')) await writeBackupMetrics(readPath(options, 'metrics'), summary);
        return summary;
      }),
  },
  restore: {
    summary: 'Write a backup into an empty database and the store, while the service does not run',
    options: { from: required('<folder>'), 'without-objects': flag },
    isRecorded: () => true,
    run: ({ db, databaseUrl }, options) =>
      withObjects(async (objects) => {
        const stored = options.has('without-objects') ? undefined : objects;
        const backup = await restoreBackup({ db, databaseUrl, objects: stored, folder: readPath(options, 'from') });
        return { backup, ended: await endUnfinished(db) };
      }),
  },
  'finish-restore': {
    summary: 'End what a restored database has in progress; restore does this, unless it was interrupted',
    options: {},
    isRecorded: () => true,
    run: async ({ db }) => ({ ended: await endUnfinished(db) }),
  },
};

async function withObjects<Result>(work: (objects: ObjectStore) => Promise<Result>): Promise<Result> {
  const objects = openObjects(loadStorageConfig(), createLogger('silent', 'admin'));
  try {
    return await work(objects);
  } finally {
    objects.close();
  }
}
