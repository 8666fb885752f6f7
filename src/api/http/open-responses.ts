import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';

/** Responses that are not completely sent. A connection with pipelined requests has several (RFC 9112, 9.3.2). */
export interface OpenResponses {
  add(response: ServerResponse): void;
  /** The open responses of a connection, in the order of its requests. */
  of(socket: Socket): readonly ServerResponse[];
  all(): readonly ServerResponse[];
  /** Connections without an open response. */
  idle(): readonly Socket[];
}

/** Tracks responses by connection, because a queued (pipelined) response gets no event when its connection closes. */
export function trackResponses(server: Server): OpenResponses {
  const byConnection = new Map<Socket, readonly ServerResponse[]>();
  server.on('connection', (socket) => {
    byConnection.set(socket, []);
    socket.once('close', () => byConnection.delete(socket));
  });
  const of = (socket: Socket): readonly ServerResponse[] => (byConnection.get(socket) ?? []).filter(isOpen);
  return {
    of,
    all: () => [...byConnection.keys()].flatMap(of),
    idle: () => [...byConnection.keys()].filter((socket) => of(socket).length === 0),
    add(response) {
      const { socket } = response.req;
      if (byConnection.has(socket)) byConnection.set(socket, [...of(socket), response]);
    },
  };
}

const isOpen = ({ writableFinished, destroyed }: ServerResponse): boolean => !writableFinished && !destroyed;

/**
 * Calls back when the response is sent or its connection has closed; possibly twice. A queued (pipelined) response gets
 * no event when the connection closes, so the socket is watched too.
 */
export function onResponseFinished({ incoming, outgoing }: HttpBindings, callback: () => void): void {
  const { socket } = incoming;
  if (outgoing.writableFinished || outgoing.destroyed || socket.destroyed) {
    callback();
    return;
  }
  outgoing.once('close', callback);
  if (outgoing.socket !== null) return;
  socket.setMaxListeners(0).once('close', callback);
  // A connection may carry any number of pipelined requests.
  outgoing.once('close', () => socket.off('close', callback));
}
