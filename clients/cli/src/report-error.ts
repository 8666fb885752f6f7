import { CommanderError } from '@commander-js/extra-typings';
import { ApiError, ConnectionError, DocmillError } from '@docmill/client';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** An error as printed by `--json` under the key `error`. */
export interface ErrorReport {
  readonly exitCode: ExitCode;
  readonly message: string;
  /** The HTTP status and the code of a service error. */
  readonly status?: number;
  readonly code?: string;
  /** What to do. */
  readonly hint?: string;
  readonly details?: readonly ErrorReportDetail[];
  readonly documentId?: string;
  readonly requestId?: string;
}

interface ErrorReportDetail {
  readonly message: string;
  readonly [field: string]: unknown;
}

const shownDetails = 20;

/** Describes what went wrong and what to do. Keeps the message of an unknown error, but not its stack. */
export function reportError(error: unknown, signal: AbortSignal): ErrorReport {
  if (error instanceof CliError) {
    return { exitCode: error.exitCode, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
  }
  if (error instanceof CommanderError) return reportUsage(error);
  if (signal.aborted) return { exitCode: exitCodes.interrupted, message: 'Interrupted.' };
  if (error instanceof ApiError) return reportAnswer(error);
  if (error instanceof ConnectionError) {
    const hint = 'Check the address (docmill whoami) and the network, then try again.';
    return { exitCode: exitCodes.unavailable, message: error.message, hint };
  }
  if (error instanceof DocmillError) return { exitCode: exitCodes.failed, message: error.message };
  return reportLocal(error);
}

function reportAnswer(error: ApiError): ErrorReport {
  const exitCode = exitCodeOf(error.status);
  const hint = hintOf(error);
  return {
    exitCode,
    status: error.status,
    ...(error.code !== '' && { code: error.code }),
    message: error.message,
    ...(hint !== undefined && { hint }),
    ...(error.details.length > 0 && { details: error.details }),
    ...(error.documentId !== undefined && { documentId: error.documentId }),
    ...(error.requestId !== undefined && { requestId: error.requestId }),
  };
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.authentication;
  if (status === 402) return exitCodes.quota;
  if (status === 404) return exitCodes.notFound;
  if (status === 409 || status === 412) return exitCodes.conflict;
  return status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.failed;
}

function hintOf({ status, retryAfterMs, documentId }: ApiError): string | undefined {
  if (status === 401) return 'Run docmill login, or check DOCMILL_API_KEY and DOCMILL_API_KEY_FILE.';
  if (status === 402) return 'See what is left: docmill usage.';
  if (status === 412) return 'Get the newest state first, then repeat the command.';
  if (status === 504 && documentId !== undefined) {
    return `The document is still being produced: docmill jobs download ${documentId}.`;
  }
  if (status !== 429 && status !== 503) return undefined;
  return retryAfterMs === undefined ? 'Try again later.' : `Try again in ${Math.ceil(retryAfterMs / 1_000)} seconds.`;
}

/** Describes wrong arguments or options. A group of commands without a command prints its help instead of an error. */
function reportUsage({ code, message: text }: CommanderError): ErrorReport {
  const usage = { exitCode: exitCodes.usage, hint: 'Add --help for help.' };
  if (code === 'commander.help') return { ...usage, message: 'The command is incomplete.' };
  const [message = '', suggestion] = text.replace(/^error: /, '').split('\n');
  return { ...usage, message, ...(suggestion !== undefined && { hint: suggestion.replace(/^\((.*)\)$/, '$1') }) };
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be opened: this user has no permission',
  EPERM: 'cannot be opened: this user has no permission',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'cannot be opened: a part of the path is a file, not a folder',
  ELOOP: 'cannot be opened: its links lead in a circle',
  EROFS: 'cannot be written: the file system is read-only',
  ENOSPC: 'cannot be written: the disk is full',
};

/** Errors of the file system have a code and usually a path; other errors are bugs, and keep their message. */
function reportLocal(error: unknown): ErrorReport {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Error && 'syscall' in error)) return { exitCode: exitCodes.failed, message };
  const { code, path } = error as NodeJS.ErrnoException;
  const problem = fileProblems[code ?? ''];
  // A file is written under a temporary name first.
  const named = path?.replace(/\.[0-9a-f]{12}\.part$/, '');
  return { exitCode: exitCodes.usage, message: problem === undefined ? message : `${named ?? 'The path'} ${problem}.` };
}

/** The report as text: the message, a paragraph for each detail, what to do, and the id to quote. */
export function formatReport({ message, details = [], hint, requestId, exitCode }: ErrorReport): string {
  if (exitCode === exitCodes.interrupted) return message;
  const isRepeated = details.length === 1 && details[0]?.message === message && !hasPlace(details[0]);
  const shown = isRepeated ? [] : details.slice(0, shownDetails);
  const hidden = details.length - shown.length;
  return [
    `Error: ${message}`,
    ...shown.flatMap(formatDetail),
    ...(hidden > 0 && !isRepeated ? [`  … and ${hidden} more (--json prints all)`] : []),
    ...(hint === undefined ? [] : [hint]),
    ...(requestId === undefined ? [] : [`Request: ${requestId}`]),
  ].join('\n');
}

const places = ['tag', 'path', 'part', 'context', 'name', 'hint'] as const;

function hasPlace(detail: ErrorReportDetail): boolean {
  return places.some((field) => detail[field] !== undefined);
}

/** `- message`, then a line each for the known tag, part, context and hint. */
function formatDetail(detail: ErrorReportDetail): readonly string[] {
  const lines = places.flatMap((field) => {
    const value = detail[field];
    return typeof value === 'string' && value !== '' ? [`    ${`${field}:`.padEnd(9)}${value}`] : [];
  });
  return [`  - ${detail.message}`, ...lines];
}
