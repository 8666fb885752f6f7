import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export interface Loopback {
  readonly port: number;
  /** With `http:`, whatever the server speaks. */
  readonly url: string;
  /** Ends every connection of an HTTP server; others must be idle. */
  close(): Promise<void>;
}

/** Lets a server listen on a free loopback port. No client reuses a connection that it is closing. */
export async function listenOnLoopback(server: Server | HttpServer, host = '127.0.0.1'): Promise<Loopback> {
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 600_000;
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}
