import { hash } from 'node:crypto';
import { DrizzleQueryError } from 'drizzle-orm';
import { canPrepare, type Executor, isPooled } from './client.ts';
import { isPlanLost } from './errors.ts';

const names = new Map<string, string>();
const maxNames = 500;
let renamed = 0;

/**
 * Runs a statement as a named prepared statement, because planning costs more than executing. The name is a hash of the
 * text, so values must be parameters. A statement whose plan was lost has had no effect: it gets a new name and,
 * outside transactions, is retried.
 */
export async function runPrepared<T>(
  db: Executor,
  text: string,
  work: (name: string | undefined) => Promise<T>,
): Promise<T> {
  const name = canPrepare(db) ? nameOf(text) : undefined;
  try {
    return await work(name);
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : error;
    if (name === undefined || !isPlanLost(cause)) throw toQueryError(text, cause);
    if (names.get(text) === name) names.set(text, `${name.slice(0, 22)}.${++renamed}`);
    if (!isPooled(db)) throw toQueryError(text, cause);
  }
  try {
    return await work(nameOf(text));
  } catch (error) {
    throw toQueryError(text, error instanceof DrizzleQueryError ? error.cause : error);
  }
}

/** Omits the parameters, which are client data. */
function toQueryError(text: string, cause: unknown): DrizzleQueryError {
  return new DrizzleQueryError(text, [], cause instanceof Error ? cause : undefined);
}

/** Undefined after 500 names, so that statements with literal values cannot fill the server's memory. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = hash('sha256', text, 'base64url').slice(0, 22);
  names.set(text, name);
  return name;
}
