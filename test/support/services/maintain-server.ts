import pg from 'pg';

/**
 * A migrated database on the server of the integration suite. Nobody stays connected to it, so that it can be copied.
 */
export const migratedTemplate = 'migrated_template';

/**
 * Autovacuum comes at any time: its locks delay changes of partitions, and its statistics change plans. Databases that
 * are copied from this one have the same setting.
 */
export const turnOffAutovacuum = `do $$ declare name regclass; begin
  for name in select oid::regclass from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format('alter table %s set (autovacuum_enabled = off, toast.autovacuum_enabled = off)', name);
  end loop; end $$`;

/**
 * Runs a statement on a connection of its own, because some, such as `create database`, allow no transaction around
 * them.
 */
export async function maintainServer(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
