import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import { maxDiscardedBytes } from '../http/read-body.ts';
import type { RoundRobin } from '../http/round-robin.ts';

/**
 * The maximum time without any part of the body, and in total. They are long enough for clients on slow lines, which
 * would otherwise lose the response that refuses their body.
 */
const discardIdleMs = 10_000;
const discardTimeoutMs = 30_000;
const lingerMs = 2_000;

/**
 * Reads and discards a body that the handler did not read, so that a client that is still sending can read the
 * response. A connection whose body is too long is closed, because the rest would be parsed as the next request.
 * `parts` shares the time for this among accounts.
 */
export function unreadBody(parts: RoundRobin): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await next();
    const incoming = c.env?.incoming;
    if (incoming === undefined || incoming.complete) return;
    shareRounds(incoming, (resume) => parts.schedule(c.get('accountId') ?? '', resume));
    if (await isDiscarded(incoming)) return;
    c.res.headers.set('Connection', 'close');
    linger(incoming);
  };
}

/** Reads one part of the body at a time, each in a round that `schedule` chooses. */
function shareRounds(incoming: IncomingMessage, schedule: (resume: () => void) => void): void {
  incoming.on('data', () => {
    incoming.pause();
    schedule(() => incoming.resume());
  });
}

/**
 * Closes the connection shortly after the response and discards what arrives meanwhile. Closing a socket with unread
 * bytes resets it, and a client that is still sending would not read the response.
 */
function linger(incoming: IncomingMessage): void {
  const { socket } = incoming;
  incoming.resume();
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

async function isDiscarded(incoming: IncomingMessage): Promise<boolean> {
  const contentLength = Number(incoming.headers['content-length'] ?? 0);
  if (incoming.readableDidRead || contentLength > maxDiscardedBytes) return false;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), discardTimeoutMs);
  const idleTimer = setTimeout(() => limit.abort(), discardIdleMs);
  let discardedBytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    idleTimer.refresh();
    discardedBytes += chunk.length;
    if (discardedBytes > maxDiscardedBytes) limit.abort();
  });
  try {
    await finished(incoming, { signal: limit.signal, writable: false });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    clearTimeout(idleTimer);
  }
}
