import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of this system's PostgreSQL programs. pg_dump must not be older than the server, so both come from here.
 */
export function systemPostgresPrograms(): string {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folder = versions.map((version) => join(home, version, 'bin')).find((bin) => existsSync(join(bin, 'postgres')));
  if (folder === undefined) throw new Error('PostgreSQL is missing: run scripts/prerequisites --extended');
  return folder;
}
