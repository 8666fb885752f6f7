import { migrateDatabase } from '../../shared/db/migrate.ts';
import { previewMigrations } from '../../shared/db/migrations/preview.ts';
import type { Commands } from '../parse-command.ts';

const flag = { isRequired: false, hint: undefined };

export const databaseCommands: Commands = {
  migrate: {
    summary:
      'Apply the pending database migrations; with --contract also those that remove what older releases use; with --dry-run only print them',
    options: { contract: flag, 'dry-run': flag },
    // A preview changes nothing; on an empty database there is no audit log either.
    isRecorded: (options) => !options.has('dry-run'),
    async run({ databaseUrl }, options) {
      const isContracting = options.has('contract');
      if (options.has('dry-run'))
        return { migrated: false, ...(await previewMigrations(databaseUrl, { isContracting })) };
      const report = (line: string): void => {
        process.stderr.write(`${line}\n`);
      };
      return { migrated: true, ...(await migrateDatabase(databaseUrl, { isContracting, report })) };
    },
  },
};
