import type { Context } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { Permit } from '../../shared/keyed-limiter.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { onResponseFinished } from '../http/open-responses.ts';
import type { DocumentDeps } from './document-deps.ts';

/**
 * Serves a request that has a document produced: counts it as a waiting request until its response is finished, because
 * the file occupies memory until the client has read it, and calls `serve` when the account may have another document in
 * progress. Throws `unavailable` if too many requests wait, or after half the time that a request may wait for its
 * document. Call it before the body is read, so that a request that waits costs little memory.
 */
export async function withPermit<T>(c: Context<ApiEnv>, deps: DocumentDeps, serve: () => Promise<T>): Promise<T> {
  const waiting = deps.waitingRequests.acquire(c.get('accountId'));
  let permit: Permit | undefined;
  try {
    permit = await acquirePermit(c, deps);
    return await serve();
  } finally {
    permit?.release();
    onResponseFinished(c.env, () => waiting.release());
  }
}

async function acquirePermit(c: Context<ApiEnv>, { documentLimit, stages, config }: DocumentDeps): Promise<Permit> {
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
