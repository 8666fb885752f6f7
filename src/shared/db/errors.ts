import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { isConnectionCode } from '../connection-errors.ts';
import { AppError } from '../errors.ts';

/**
 * PostgreSQL error classes for a server that cannot serve now: connections, authorization, resources,
 * intervention (a restart, a time limit) and system errors (PostgreSQL, appendix A). Poolers use class 08 as well.
 */
const outageClasses = new Set(['08', '28', '53', '57', '58']);
const outageCodes = new Set([
  '25006', // read-only
  '25P03', // idle in a transaction
  '25P04', // transaction_timeout
  '3D000', // no such database
  '40001',
  '40P01',
  '55P03', // lock_timeout
]);

/** Messages that pg reports without a code when it loses a connection (pg 8.23: client.js, pg-pool/index.js). */
export const outageMessages: ReadonlySet<string> = new Set([
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'The server does not support SSL connections',
]);

function* causes(error: unknown): Generator<{ readonly code?: unknown; readonly message?: unknown }> {
  for (let current = error, depth = 0; typeof current === 'object' && current !== null && depth < 5; depth++) {
    yield current as { readonly code?: unknown; readonly message?: unknown };
    current = (current as { readonly cause?: unknown }).cause;
  }
}

/**
 * True if a prepared statement was rejected before it had any effect: either its result type changed (`ALTER TABLE`
 * while processes run), or the connection dropped it (`DISCARD ALL`). The former shares its code with every unsupported
 * feature.
 */
export function isPlanLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery');
}

/** True if PostgreSQL is unreachable, restarting, overloaded or too slow; false if the statement is invalid. */
export function isDatabaseOutage(error: unknown): boolean {
  for (const cause of causes(error)) {
    if (isPlanLost(cause)) return true;
    if (cause instanceof pg.DatabaseError) {
      const { code = '' } = cause;
      if (outageCodes.has(code) || outageClasses.has(code.slice(0, 2))) return true;
    } else if (isConnectionCode(cause.code)) return true;
    if (cause.code === undefined && outageMessages.has(String(cause.message))) return true;
  }
  return false;
}

/** Lock time-outs, deadlocks and serialization failures, which concern only some of the rows of a statement. */
const contentionCodes = new Set<unknown>(['40001', '40P01', '55P03']);

/** True if a statement failed because of what other transactions do with its rows, also for an error of `guarded`. */
export function isContention(error: unknown): boolean {
  return [...causes(error)].some(({ code }) => contentionCodes.has(code));
}

/**
 * Missing tables, columns and schemas: either the database is older than this release, or a newer release removed them.
 */
const schemaCodes = new Set(['42P01', '42703', '3F000']);

/** True if the database lacks something that a statement names, because the schema does not match this release. */
export function isSchemaMismatch(error: unknown): boolean {
  return [...causes(error)].some((cause) => cause instanceof pg.DatabaseError && schemaCodes.has(cause.code ?? ''));
}

/** What callers of the API read; an operator's command says more. */
export const schemaAwayMessage = 'The service is being upgraded. Try again shortly.';
export const databaseAwayMessage = 'The database is temporarily unreachable. Try again shortly.';

export function schemaUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', schemaAwayMessage, {
    cause,
    retryAfterSeconds: 5,
  });
}

export function databaseUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', databaseAwayMessage, {
    cause,
    retryAfterSeconds: 2,
  });
}

/** PostgreSQL's error without the statement's parameters, which contain client data and must not be logged. */
class StatementError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly statement: string | undefined;

  constructor(message: string, of: { code: string | undefined; constraint: string | undefined; statement?: string }) {
    super(message);
    this.name = 'StatementError';
    this.code = of.code;
    this.constraint = of.constraint;
    this.statement = of.statement;
  }
}

/** Converts a database error to one that is safe to log; returns other errors unchanged. */
export function withoutValues(error: unknown): unknown {
  if (error instanceof DrizzleQueryError) {
    const { code, constraint, message } = describe(error.cause);
    return new StatementError(message, { code, constraint, statement: error.query });
  }
  if (!(error instanceof pg.DatabaseError)) return error;
  const { message, ...of } = describe(error);
  return new StatementError(message, of);
}

function describe(cause: unknown): { code: string | undefined; constraint: string | undefined; message: string } {
  if (!(cause instanceof pg.DatabaseError)) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
    return { code, constraint: undefined, message: cause instanceof Error ? cause.message : 'the statement failed' };
  }
  // Messages of class 22 (data exception) quote the invalid value after a colon.
  const message = cause.code?.startsWith('22') ? (cause.message.split(':')[0] ?? '') : cause.message;
  return { code: cause.code, constraint: cause.constraint, message };
}
