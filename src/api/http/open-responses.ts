import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answers that are not out yet. A connection has more than one while its requests are pipelined (RFC 9112, 9.3.2). */
export interface OpenAnswers {
  add(answer: ServerResponse): void;
  /** Those of a connection, in the order of its requests. */
  of(socket: Socket): readonly ServerResponse[];
  all(): readonly ServerResponse[];
  /** The connections that no answer is open on. */
  unused(): readonly Socket[];
}

/** Keeps them by connection: an answer behind another one never learns that its connection has closed. */
export function trackAnswers(server: Server): OpenAnswers {
  const byConnection = new Map<Socket, readonly ServerResponse[]>();
  server.on('connection', (socket) => {
    byConnection.set(socket, []);
    socket.once('close', () => byConnection.delete(socket));
  });
  const of = (socket: Socket): readonly ServerResponse[] => (byConnection.get(socket) ?? []).filter(isOpen);
  return {
    of,
    all: () => [...byConnection.keys()].flatMap(of),
    unused: () => [...byConnection.keys()].filter((socket) => of(socket).length === 0),
    add(answer) {
      const { socket } = answer.req;
      if (byConnection.has(socket)) byConnection.set(socket, [...of(socket), answer]);
    },
  };
}

const isOpen = ({ writableFinished, destroyed }: ServerResponse): boolean => !writableFinished && !destroyed;
