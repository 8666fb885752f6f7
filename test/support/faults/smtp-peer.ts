import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { PeerRecord } from './smtp-peer-record.ts';
import type { PeerEvent, PeerMessage, PeerVerb, SmtpPeerOptions } from './smtp-peer-script.ts';
import { PeerSession } from './smtp-peer-session.ts';

export interface SmtpPeer {
  readonly port: number;
  readonly url: string;
  /** Every message that arrived with its final dot, whatever the peer replied. */
  readonly messages: readonly PeerMessage[];
  readonly events: readonly PeerEvent[];
  /** Bytes of message data without a final dot. */
  readonly unfinishedBytes: number;
  readonly openConnections: number;
  count(verb: PeerVerb): number;
  /** Resolves when the event has happened `times` times over all sessions. */
  waitFor(verb: PeerVerb, times?: number): Promise<void>;
  whenDisconnected(): Promise<void>;
  close(): Promise<void>;
}

/** An SMTP server on a free loopback port that runs a script at each command and records everything. */
export async function startSmtpPeer(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const record = new PeerRecord();
  const sockets = new Set<Socket>();
  let sessions = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sessions += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      record.notify();
    });
    new PeerSession(socket, sessions, options, record).start();
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    messages: record.messages,
    events: record.events,
    get unfinishedBytes() {
      return record.unfinishedBytes;
    },
    get openConnections() {
      return sockets.size;
    },
    count: (verb) => record.count(verb),
    waitFor: (verb, times = 1) => record.until(() => record.count(verb) >= times),
    whenDisconnected: () => record.until(() => sockets.size === 0),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
