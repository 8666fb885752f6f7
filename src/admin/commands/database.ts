import { migrateDatabase } from '../../shared/db/migrate.ts';
import type { Commands } from '../parse-command.ts';

export const databaseCommands: Commands = {
  migrate: {
    summary: 'Apply the pending database migrations',
    options: {},
    isRecorded: true,
    async run({ databaseUrl }) {
      await migrateDatabase(databaseUrl);
      return { migrated: true };
    },
  },
};
