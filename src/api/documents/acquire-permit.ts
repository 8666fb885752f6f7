import type { Context } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { Permit } from '../../shared/keyed-limiter.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { DocumentDeps } from './document-deps.ts';

/**
 * Waits until the account may have another document in progress, before the body is read, so that a waiting request
 * costs little memory. Throws `unavailable` after half the time that a request may wait for its document.
 */
export async function acquirePermit(
  c: Context<ApiEnv>,
  { documentLimit, stages, config }: DocumentDeps,
): Promise<Permit> {
  const bodyBytes = Number(c.req.header('Content-Length') ?? 0);
  const maxWaitMs = config.WAIT_LIMIT_MS / 2;
  const permit = await stages.time('admit', () => documentLimit.acquire(c.get('accountId'), bodyBytes, maxWaitMs));
  if (permit === undefined) {
    const message =
      'This account has as many documents in progress as it may have, and they take long. Try again when some have ended, or cancel jobs that wait.';
    throw new AppError('unavailable', message, { retryAfterSeconds: 30 });
  }
  if (!c.env.incoming.socket.destroyed) return permit;
  permit.release();
  throw new AppError('invalid_request', 'The client disconnected while the request waited');
}
