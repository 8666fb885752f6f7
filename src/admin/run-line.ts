import { ConfigError, loadAdminConfig, loadRemoteConfig } from '../shared/config/load-config.ts';
import { type DatabaseHandle, openDatabase } from '../shared/db/client.ts';
import { databaseAwayMessage, schemaAwayMessage } from '../shared/db/errors.ts';
import { AppError } from '../shared/errors.ts';
import { createLogger } from '../shared/logger.ts';
import { commands } from './commands.ts';
import { formatResult } from './format-table.ts';
import { type AdminDeps, HelpRequested, type ParsedCommand, parseCommand, UsageError } from './parse-command.ts';
import { createRemoteApi } from './remote/remote-api.ts';
import { remoteCommands } from './remote/remote-commands.ts';
import { runCommand } from './run-command.ts';

interface Output {
  readonly stdout: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
}

/**
 * Runs a command line with the environment of this process, or on a database that is open already. Prints the result to
 * `stdout` (JSON unless it is a terminal), or one line about the failure to `stderr`, and returns the exit code.
 */
export async function runLine(
  args: readonly string[],
  { stdout, stderr }: Output,
  opened?: AdminDeps,
): Promise<number> {
  const { deps, close } = opened === undefined ? openOnDemand() : { deps: opened, close: () => undefined };
  let failureExitCode = 1;
  try {
    const parsed = parseCommand(commands, args);
    const { command, isJson } = parsed;
    failureExitCode = command.failureExitCode ?? failureExitCode;
    const remote = opened === undefined ? findRemote(parsed) : undefined;
    const result = remote === undefined ? await runCommand(deps, parsed) : await remote();
    const isForPeople = stdout.isTTY && !isJson;
    const text = isForPeople ? (command.textOf?.(result) ?? formatResult(result)) : JSON.stringify(result);
    stdout.write(`${text}\n`);
    return command.exitCodeOf?.(result, parsed.options) ?? 0;
  } catch (error) {
    if (error instanceof HelpRequested) {
      stdout.write(`${error.message}\n`);
      return 0;
    }
    stderr.write(`${oneLine(error)}\n`);
    return error instanceof UsageError ? 2 : failureExitCode;
  } finally {
    await close();
  }
}

/** The call of the admin API that replaces a command; undefined without `DOCMILL_URL`, or if the API does not offer it. */
function findRemote({ name, command, options, actor }: ParsedCommand): (() => Promise<object>) | undefined {
  const { DOCMILL_URL: url, DOCMILL_OPERATOR_KEY: operatorKey } = loadRemoteConfig();
  const remote = Object.hasOwn(remoteCommands, name) ? remoteCommands[name] : undefined;
  if (url === undefined || remote === undefined) return undefined;
  if (operatorKey === undefined)
    throw new ConfigError('DOCMILL_OPERATOR_KEY is not set. Set it, or unset DOCMILL_URL to use the database.');
  if (actor !== undefined)
    throw new UsageError('--actor has no effect with DOCMILL_URL, because the audit log records the operator key');
  // Checks the options before anything is sent.
  if ('act' in command) command.act(options);
  else if ('steps' in command && name !== 'reseal') command.steps(options);
  return () => remote(createRemoteApi(url, operatorKey), options);
}

/** Opens the database on first use, so that other commands run without its configuration. */
function openOnDemand(): { readonly deps: AdminDeps; close(): Promise<void> } {
  let database: DatabaseHandle | undefined;
  const open = (): DatabaseHandle => {
    const config = loadAdminConfig();
    return openDatabase(
      {
        url: config.DATABASE_URL,
        poolSize: 1,
        timeoutMs: config.DATABASE_TIMEOUT_MS,
        applicationName: 'docmill-admin',
        hasPreparedStatements: config.DATABASE_PREPARED_STATEMENTS,
      },
      createLogger('silent', 'admin'),
    );
  };
  return {
    deps: {
      get db() {
        database ??= open();
        return database.db;
      },
      get databaseUrl() {
        return loadAdminConfig().DATABASE_URL;
      },
    },
    close: async () => await database?.close(),
  };
}

function oneLine(error: unknown): string {
  const outage = outageOf(error);
  const isExpected = error instanceof UsageError || error instanceof ConfigError || error instanceof AppError;
  // The message of an outage says what to do; its cause says why, such as an untrusted certificate.
  const reason = error instanceof AppError && error.cause instanceof Error ? ` (${rootMessage(error)})` : '';
  const text = outage ?? (isExpected ? `${error.message}${reason}` : `The command failed: ${rootMessage(error)}`);
  // Options may contain control and bidirectional characters, which a terminal would interpret.
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
}

/** What an operator has to do; callers of the API can only wait. */
function outageOf(error: unknown): string | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.message === schemaAwayMessage)
    return `The database does not have the schema of this release (${rootMessage(error)}): run "admin migrate"`;
  if (error.message === databaseAwayMessage)
    return `PostgreSQL does not serve this command: ${rootMessage(error)}. Check DATABASE_URL and the server; "admin doctor --only postgresql" shows more`;
  return undefined;
}

function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}
