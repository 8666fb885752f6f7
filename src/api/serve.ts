import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { answerMalformed, refuseMalformed } from './malformed-request.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly fetch: Parameters<typeof getRequestListener>[0];
}

export interface HttpService {
  readonly address: ReturnType<Server['address']>;
  isDraining(): boolean;
  /**
   * Ends without failing a request: for `delayMs` new requests are still answered, each asking its client to leave
   * (`Connection: close`), while load balancers see the readiness turn red; then nothing more is accepted, and the
   * promise resolves when the last answer is out.
   */
  drain(delayMs: number): Promise<void>;
}

/** Listens with the limits that keep slow and idle clients from holding the process. */
export async function serve(options: ServeOptions): Promise<HttpService> {
  let isDraining = false;
  const listener = getRequestListener(options.fetch, { errorHandler: answerMalformed });
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    (request, response) => {
      if (isDraining) response.setHeader('Connection', 'close');
      void listener(request, response);
    },
  );
  refuseMalformed(server);
  server.maxConnections = options.maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    address: server.address(),
    isDraining: () => isDraining,
    async drain(delayMs) {
      isDraining = true;
      await delay(delayMs);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}
