import { afterAll, inject } from 'vitest';
import { type DatabaseHandle, openDatabase } from '../../src/shared/db/client.ts';
import { createLogger } from '../../src/shared/logger.ts';
import './provided.ts';

export interface TestDatabaseOptions {
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
  const url = new URL(inject('databaseUrl'));
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
