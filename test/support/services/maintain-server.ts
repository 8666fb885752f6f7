import pg from 'pg';

/**
 * A migrated database on the server of the integration suite. Nobody stays connected to it, so that it can be copied.
 */
export const migratedTemplate = 'migrated_template';

/** Runs a statement that allows no transaction around it, such as `create database`. */
export async function maintainServer(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
