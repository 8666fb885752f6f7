import { ReplyError } from 'ioredis';
import { isConnectionCode } from '../connection-errors.ts';
import { AppError } from '../errors.ts';

/** Codes with which Redis says that it cannot serve now; the first word of a reply is its code (RESP, "Simple errors"). */
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
  // ioredis loads a script again when its node has restarted, but not twice, as is needed while the node is still loading.
  'NOSCRIPT',
  'OOM',
  'READONLY',
  'TRYAGAIN',
  'UNBLOCKED',
  'WRONGPASS',
]);

/** Types of errors for commands that ioredis gave up with their connection. */
const abortedNames = new Set(['AbortError', 'InterruptError', 'MaxRetriesPerRequestError', 'ClusterAllFailedError']);

/** What ioredis 6.0 reports without a code; a test compares the texts with its sources. */
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
/** The same, where a number or another error follows. */
export const outageBeginnings: readonly string[] = [
  'Socket timeout. Expecting data',
  'Too many Cluster redirections. Last error: ',
];
/** A reply that has no code of its own. */
const tooManyClients = 'ERR max number of clients reached';
/** Redis 6 wraps the reply to a command of a script; its code follows. */
const wrapped = /^ERR Error running script \(call to \w+\): @user_script: ?\d+: (?:@user_script: \d+: )?-?([A-Z]+) /;

/** The code of Redis's reply, such as `READONLY`; undefined for errors of the connection. */
export function replyCodeOf(error: unknown): string | undefined {
  if (!(error instanceof ReplyError)) return undefined;
  const { message } = error as Error;
  return wrapped.exec(message)?.[1] ?? message.split(' ', 1)[0];
}

/** True when Redis is unreachable, starting, full or too slow; false when the command is invalid. */
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

/** Why Redis discarded a transaction: the errors of its commands. */
function previousErrors(error: Error): readonly unknown[] {
  return 'previousErrors' in error && Array.isArray(error.previousErrors) ? error.previousErrors : [];
}

/** Turns an outage of Redis in `work` into the `unavailable` error; rethrows others, without the command. */
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
