import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { type DatabaseHandle, openDatabase } from '../../../src/shared/db/client.ts';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { randomText } from '../../../src/shared/ids.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import './provided.ts';

export interface TestDatabaseOptions {
  readonly url?: string;
  readonly poolSize?: number;
  readonly timeoutMs?: number;
  /** Another way to the same server, such as through a fault proxy. */
  readonly port?: number;
}

/** A connection pool of the file's own on the integration ring's database, closed when the file's tests are over. */
export function useDatabase(options: TestDatabaseOptions = {}): DatabaseHandle {
  const handle = openTestDatabase(options);
  afterAll(() => handle.close());
  return handle;
}

/** As `useDatabase`, closed by the caller. */
export function openTestDatabase(options: TestDatabaseOptions = {}): DatabaseHandle {
  const url = new URL(options.url ?? inject('databaseUrl'));
  if (options.port !== undefined) url.port = String(options.port);
  return openDatabase(
    {
      url: url.href,
      poolSize: options.poolSize ?? 20,
      timeoutMs: options.timeoutMs ?? 20_000,
      applicationName: 'docmill-test',
    },
    createLogger('silent', 'test'),
  );
}

/** A database that nobody else uses, for what acts on all rows, such as sweeps; dropped when the file's tests are over. */
export async function useOwnDatabase(): Promise<DatabaseHandle & { readonly url: string }> {
  const name = `test_${randomText(12)}`;
  const url = new URL(inject('databaseUrl'));
  await maintain(`create database ${name}`);
  url.pathname = name;
  await migrateDatabase(url.href);
  const handle = openTestDatabase({ url: url.href });
  afterAll(async () => {
    await handle.close();
    await maintain(`drop database ${name} with (force)`);
  });
  return { ...handle, url: url.href };
}

async function maintain(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
