import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Readiness } from './readiness.ts';

export interface OperationsServerOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly registry: Registry;
  readonly readiness: () => Promise<Readiness>;
  /** Additional fields of `/readyz`, such as the strength of the jail and the number of warm slots. */
  readonly describe?: (() => Readonly<Record<string, unknown>>) | undefined;
}

export interface OperationsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/healthz` (the process is alive), `/readyz` (it can accept work) and `/metrics` (Prometheus) to operators.
 */
export async function startOperationsServer(options: OperationsServerOptions): Promise<OperationsServer> {
  const server = createServer((request, response) => {
    const send = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'Content-Type': type }).end(body);
    };
    const json = (status: number, body: unknown): void => send(status, 'application/json', JSON.stringify(body));
    const path = request.url?.split('?')[0];
    const work = async (): Promise<void> => {
      if (path === '/healthz') json(200, { status: 'ok' });
      else if (path === '/readyz') {
        const readiness = await options.readiness();
        json(readiness.status === 'ready' ? 200 : 503, { ...readiness, ...options.describe?.() });
      } else if (path === '/metrics') send(200, options.registry.contentType, await options.registry.metrics());
      else json(404, { error: { status: 404, message: 'Not found' } });
    };
    work().catch(() => json(500, { error: { status: 500, message: 'Internal server error' } }));
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
