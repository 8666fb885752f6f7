import { migrateDatabase } from '../../shared/db/migrate.ts';
import { type MigrationPreview, previewMigrations } from '../../shared/db/migrations/preview.ts';
import { type Commands, flag } from '../parse-command.ts';

export const databaseCommands: Commands = {
  migrate: {
    summary:
      'Apply the pending database migrations; with --contract, also those that remove what only older releases use; with --dry-run only print them',
    options: { contract: flag, 'dry-run': flag },
    // A preview changes nothing; on an empty database there is no audit log either.
    isRecorded: (options) => !options.has('dry-run'),
    textOf: (result) => ('pending' in result ? textOfPreview(result as MigrationPreview) : undefined),
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

/** The pending statements as SQL in execution order, with their number and those that wait for `--contract`. */
function textOfPreview({ pending, contracts }: MigrationPreview): string {
  const scripts = pending.map(({ migration, statements }) => {
    const lines = statements.map(({ sql, isTransactional }) => {
      const text = sql.endsWith(';') ? sql : `${sql};`;
      return isTransactional ? text : `-- concurrently: blocks nobody, and waits for older transactions\n${text}`;
    });
    return [`-- ${migration}: ${counted(statements.length, 'statement')}`, ...lines].join('\n\n');
  });
  const summary =
    pending.length === 0
      ? 'Nothing is pending.'
      : `Pending: ${counted(pending.length, 'migration')}. Nothing was changed.`;
  const held =
    contracts.length === 0 ? [] : [`Only with --contract, when no older release runs: ${contracts.join(', ')}.`];
  return [...scripts, [summary, ...held].map((line) => `-- ${line}`).join('\n')].join('\n\n');
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
