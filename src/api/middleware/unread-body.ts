import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../env.ts';
import { maxRefusedBytes } from '../http/read-body.ts';

const patienceMs = 10_000;
const lingerMs = 2_000;

/**
 * Reads and drops the body of a request that was answered without it: a client that is cut off while it sends does not
 * see the answer. A body too long for that ends the connection, or what is left of it would be taken for a request.
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
 * Has the connection end a little after the answer: closed with bytes of the client unread, it would be reset, and a client
 * that still sends would never see the answer. What comes meanwhile is dropped.
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
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), patienceMs);
  let droppedBytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    droppedBytes += chunk.length;
    if (droppedBytes > maxRefusedBytes) enough.abort();
  });
  try {
    await finished(incoming, { signal: enough.signal, writable: false });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
