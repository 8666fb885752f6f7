import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import { maxRefusedBytes } from '../http/read-body.ts';

const dropTimeoutMs = 10_000;
const lingerMs = 2_000;

/**
 * Reads and drops the body of a request that was answered without it, so that a client that still sends it can read the
 * response. After a longer body the connection is closed: its rest would be taken for a request.
 */
export function unreadBody(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await next();
    const incoming = c.env?.incoming;
    if (incoming === undefined || incoming.complete) return;
    if (await isDropped(incoming)) return;
    c.res.headers.set('Connection', 'close');
    linger(incoming);
  };
}

/**
 * Closes the connection a little after the response. Closed with unread bytes it would be reset, and a client that still
 * sends would not read the response. Bytes that arrive meanwhile are dropped.
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

async function isDropped(incoming: IncomingMessage): Promise<boolean> {
  const announcedBytes = Number(incoming.headers['content-length'] ?? 0);
  if (incoming.readableDidRead || announcedBytes > maxRefusedBytes) return false;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), dropTimeoutMs);
  let droppedBytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    droppedBytes += chunk.length;
    if (droppedBytes > maxRefusedBytes) limit.abort();
  });
  try {
    await finished(incoming, { signal: limit.signal, writable: false });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
