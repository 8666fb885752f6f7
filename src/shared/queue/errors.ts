import { AppError } from '../errors.ts';

const outage =
  /ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|Connection is closed|isn't writeable|isn't ready|Command timed out|max retries|OOM command|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|MISCONF|NOREPLICAS|BUSY Redis|TRYAGAIN|not reachable|Socket closed|UNBLOCKED|Cluster is ended|startup nodes|slots cache|Cluster redirections|No subscriber for the cluster/i;

/** True when Redis is unreachable, starting, full or too slow; false when the command is invalid. */
function isRedisOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return outage.test(`${code} ${error.name} ${error.message}`);
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
