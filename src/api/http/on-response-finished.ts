import type { HttpBindings } from '@hono/node-server';

/**
 * Calls once the answer to a request is out, or its connection has ended; perhaps twice. An answer that waits behind another
 * one of its connection (pipelining) does not tell of the latter itself.
 */
export function onResponseFinished({ incoming, outgoing }: HttpBindings, call: () => void): void {
  const { socket } = incoming;
  if (outgoing.writableFinished || outgoing.destroyed || socket.destroyed) {
    call();
    return;
  }
  outgoing.once('close', call);
  if (outgoing.socket === null) socket.setMaxListeners(0).once('close', call);
}
