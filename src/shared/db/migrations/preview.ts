import pg from 'pg';
import { toConnectionOptions } from '../../config/database-connection.ts';
import { type MigrateOptions, planMigrations } from '../migrate.ts';
import { parseIndexStatement } from './index-statement.ts';
import { readApplied, readStatements } from './progress.ts';
import { type Migration, readMigrations } from './read-migrations.ts';

interface StatementPreview {
  readonly sql: string;
  /** False for a statement that waits for locks without blocking anyone, however long it takes. */
  readonly isTransactional: boolean;
}

interface PendingMigration {
  readonly migration: string;
  readonly statements: readonly StatementPreview[];
}

export interface MigrationPreview {
  readonly pending: readonly PendingMigration[];
  readonly contracts: readonly string[];
}

/** What `migrateDatabase` would run now. Changes nothing and takes no lock. */
export async function previewMigrations(
  url: string,
  { folder, isContracting }: Pick<MigrateOptions, 'folder' | 'isContracting'> = {},
): Promise<MigrationPreview> {
  const client = new pg.Client({ ...toConnectionOptions(url), application_name: 'docmill-migrate' });
  await client.connect();
  try {
    const applied = await readApplied(client);
    const { pending, contracts } = planMigrations(readMigrations(folder), applied, isContracting);
    const unfinished: PendingMigration[] = [];
    for (const migration of pending) {
      unfinished.push({ migration: migration.tag, statements: await unfinishedOf(client, migration) });
    }
    return { pending: unfinished, contracts: contracts.map(({ tag }) => tag) };
  } finally {
    await client.end();
  }
}

async function unfinishedOf(client: pg.Client, migration: Migration): Promise<readonly StatementPreview[]> {
  const records = await readStatements(client, migration);
  const finished = new Set(records.filter(({ isFinished }) => isFinished).map(({ position }) => position));
  return migration.statements
    .filter((_, index) => !finished.has(index + 1))
    .map((sql) => ({ sql: sql.trim(), isTransactional: parseIndexStatement(sql) === undefined }));
}
