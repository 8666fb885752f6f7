import { ConfigError, loadAdminConfig } from '../shared/config/load-config.ts';
import { openDatabase } from '../shared/db/client.ts';
import { AppError } from '../shared/errors.ts';
import { createLogger } from '../shared/logger.ts';
import { commands } from './commands.ts';
import { HelpRequested, parseCommand, UsageError } from './parse-command.ts';

/** Runs one command, prints its JSON object, and returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const { command, options } = parseCommand(commands, args);
    const config = loadAdminConfig();
    const logger = createLogger('silent', 'admin');
    const database = openDatabase(
      {
        url: config.DATABASE_URL,
        poolSize: 1,
        timeoutMs: config.DATABASE_TIMEOUT_MS,
        applicationName: 'docmill-admin',
        hasPreparedStatements: config.DATABASE_PREPARED_STATEMENTS,
      },
      logger,
    );
    try {
      const result = await command.run({ db: database.db, databaseUrl: config.DATABASE_URL }, options);
      process.stdout.write(`${JSON.stringify(result)}\n`);
      return 0;
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof HelpRequested) {
      process.stdout.write(`${error.message}\n`);
      return 0;
    }
    process.stderr.write(`${oneLine(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function oneLine(error: unknown): string {
  const isExpected = error instanceof UsageError || error instanceof ConfigError || error instanceof AppError;
  const text = isExpected ? error.message : `The command failed: ${rootMessage(error)}`;
  return text.replaceAll(/\s+/g, ' ');
}

function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}

process.exitCode = await main(process.argv.slice(2));
