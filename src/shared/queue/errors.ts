import { ReplyError } from 'ioredis';
import { isConnectionCode } from '../connection-errors.ts';
import { AppError } from '../errors.ts';

/**
 * Reply codes for a Redis that cannot serve now. The first word of an error reply is its code (RESP, "Simple
 * errors").
 */
const outageReplies = new Set([
  'ASK',
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'MOVED',
  'NOAUTH',
  'NOREPLICAS',
  // ioredis reloads a script only once after its node has restarted; a node that is still loading needs it again.
  'NOSCRIPT',
  'OOM',
  'READONLY',
  'TRYAGAIN',
  'UNBLOCKED',
  'WRONGPASS',
]);

/** The error types for commands that ioredis abandoned together with their connection. */
const abortedNames = new Set(['AbortError', 'InterruptError', 'MaxRetriesPerRequestError', 'ClusterAllFailedError']);

/** Messages that ioredis 6.0 reports without a code; a test compares them with its sources. */
export const outageMessages: readonly string[] = [
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
  'Command timed out',
  'None of startup nodes is available',
  'Cluster is disconnected.',
  'Cluster is disconnecting.',
  'Node is disconnected',
  'No master node is available for the pipeline',
];
/** Messages that continue with a number or another error. */
export const outageBeginnings: readonly string[] = [
  'Socket timeout. Expecting data',
  'Too many Cluster redirections. Last error: ',
];
/** An error reply that has no error code. */
const tooManyClients = 'ERR max number of clients reached';
/** Redis 6 wraps the reply to a command in a script; the original code follows. */
const wrapped = /^ERR Error running script \(call to \w+\): @user_script: ?\d+: (?:@user_script: \d+: )?-?([A-Z]+) /;

/** The code of Redis's reply, such as `READONLY`; undefined for connection errors. */
export function replyCodeOf(error: unknown): string | undefined {
  if (!(error instanceof ReplyError)) return undefined;
  const { message } = error as Error;
  return wrapped.exec(message)?.[1] ?? message.split(' ', 1)[0];
}

/** True if Redis is unreachable, starting, full or too slow; false if the command is invalid. */
export function isRedisOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const reply = replyCodeOf(error);
  if (reply === 'EXECABORT') return previousErrors(error).some(isRedisOutage);
  if (reply !== undefined) return outageReplies.has(reply) || error.message === tooManyClients;
  if ('code' in error && isConnectionCode(error.code)) return true;
  return (
    abortedNames.has(error.name) ||
    outageMessages.includes(error.message) ||
    outageBeginnings.some((beginning) => error.message.startsWith(beginning))
  );
}

/** The errors of the commands that made Redis discard a transaction. */
function previousErrors(error: Error): readonly unknown[] {
  return 'previousErrors' in error && Array.isArray(error.previousErrors) ? error.previousErrors : [];
}

/** Converts an outage of Redis in `work` to the `unavailable` error. Rethrows other errors without the command. */
export async function guardedRedis<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The command contains client data, which must not be logged.
    if (error instanceof Error && 'command' in error) delete error.command;
    if (!isRedisOutage(error)) throw error;
    throw new AppError('unavailable', 'The queue is temporarily unreachable. Try again shortly.', {
      cause: error,
      retryAfterSeconds: 2,
    });
  }
}
