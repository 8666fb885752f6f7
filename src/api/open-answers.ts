import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answers that are not out yet. A connection has more than one while its requests are pipelined (RFC 9112, 9.3.2). */
export interface OpenAnswers {
  add(answer: ServerResponse): void;
  /** Those of a connection, in the order of its requests. */
  of(socket: Duplex): readonly ServerResponse[];
  all(): readonly ServerResponse[];
}

/** Keeps them by connection: an answer behind another one never learns that its connection has closed. */
export function trackAnswers(server: Server): OpenAnswers {
  const byConnection = new Map<Duplex, readonly ServerResponse[]>();
  server.on('connection', (socket) => {
    byConnection.set(socket, []);
    socket.once('close', () => byConnection.delete(socket));
  });
  const of = (socket: Duplex): readonly ServerResponse[] => (byConnection.get(socket) ?? []).filter(isOpen);
  return {
    of,
    all: () => [...byConnection.keys()].flatMap(of),
    add(answer) {
      const { socket } = answer.req;
      if (byConnection.has(socket)) byConnection.set(socket, [...of(socket), answer]);
    },
  };
}

const isOpen = ({ writableFinished, destroyed }: ServerResponse): boolean => !writableFinished && !destroyed;
