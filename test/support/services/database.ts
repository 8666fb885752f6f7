import { afterAll, inject } from 'vitest';
import { type DatabaseHandle, openDatabase } from '../../../src/shared/db/client.ts';
import { randomText } from '../../../src/shared/ids.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { maintainServer, migratedTemplate } from './maintain-server.ts';
import './provided.ts';

export interface TestDatabaseOptions {
  readonly url?: string;
  readonly poolSize?: number;
  readonly timeoutMs?: number;
  /** Another port for the same server, for example of a fault proxy. */
  readonly port?: number;
}

/** A separate connection pool to the database of the integration suite, closed after the tests of the file. */
export function useDatabase(options: TestDatabaseOptions = {}): DatabaseHandle {
  const handle = openTestDatabase(options);
  afterAll(() => handle.close());
  return handle;
}

/** Like `useDatabase`; the caller closes it. */
export function openTestDatabase(options: TestDatabaseOptions = {}): DatabaseHandle {
  const url = new URL(options.url ?? inject('databaseUrl'));
  if (options.port !== undefined) url.port = String(options.port);
  return openDatabase(
    {
      url: url.href,
      poolSize: options.poolSize ?? 20,
      timeoutMs: options.timeoutMs ?? 60_000,
      applicationName: 'docmill-test',
    },
    createLogger('silent', 'test'),
  );
}

/** A separate database for code that acts on all rows, such as sweeps; dropped after the tests of the file. */
export async function useOwnDatabase(
  options: { readonly isEmpty?: boolean } = {},
): Promise<DatabaseHandle & { readonly url: string }> {
  const name = `test_${randomText(12)}`;
  const url = new URL(inject('databaseUrl'));
  const maintain = (statement: string) => maintainServer(inject('databaseUrl'), statement);
  await maintain(`create database ${name}${options.isEmpty === true ? '' : ` template ${migratedTemplate}`}`);
  url.pathname = name;
  const handle = openTestDatabase({ url: url.href });
  afterAll(async () => {
    await handle.close();
    await maintain(`drop database ${name} with (force)`);
  });
  return { ...handle, url: url.href };
}
