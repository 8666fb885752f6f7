import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type Admin = (command: string, options?: Record<string, string | number>) => Promise<unknown>;

interface OpenAdmin {
  readonly run: Admin;
  readonly close: () => Promise<void>;
}

/**
 * Runs the production build's operator commands on the given database. They run in this process, because a separate
 * program takes longer to start.
 */
export async function openAdmin(projectFolder: string, databaseUrl: string): Promise<OpenAdmin> {
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(projectFolder, 'dist', file)).href);
  const { commands } = (await load('admin/commands.js')) as typeof import('../../src/admin/commands.ts');
  const { parseCommand } = (await load('admin/parse-command.js')) as typeof import('../../src/admin/parse-command.ts');
  const { runCommand } = (await load('admin/run-command.js')) as typeof import('../../src/admin/run-command.ts');
  const { openDatabase } = (await load('shared/db/client.js')) as typeof import('../../src/shared/db/client.ts');
  const { createLogger } = (await load('shared/logger.js')) as typeof import('../../src/shared/logger.ts');
  const database = openDatabase(
    { url: databaseUrl, poolSize: 3, timeoutMs: 20_000, applicationName: 'docmill-admin' },
    createLogger('silent', 'admin'),
  );
  return {
    run(command, options = {}) {
      const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
      return runCommand({ db: database.db, databaseUrl }, parseCommand(commands, [command, ...flags]));
    },
    close: () => database.close(),
  };
}
