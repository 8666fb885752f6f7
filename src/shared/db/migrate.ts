import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { makePartitions } from './make-partitions.ts';

const migrationsFolder = fileURLToPath(new URL('../../../drizzle', import.meta.url));
const lockId = 0x646f636d;

/** Applies pending migrations and makes the partitions of the coming months. Concurrent callers wait for each other on an advisory lock. */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockId]);
    await migrate(drizzle(client), { migrationsFolder });
    await makePartitions(client);
  } finally {
    await client.end();
  }
}
