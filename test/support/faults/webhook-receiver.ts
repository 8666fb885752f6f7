import { deepEqual } from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { z } from 'zod';
import { eventSchemas } from '../../../src/api/routes/webhooks/event-schemas.ts';

export interface ReceivedWebhook {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  /** Complete requests in order of arrival. */
  readonly received: readonly ReceivedWebhook[];
  /** The highest number of concurrent requests. */
  maxConcurrent(): number;
  /** Closes every connection until `resume`. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

export type Answer = (request: ReceivedWebhook, response: ServerResponse) => void | Promise<void>;

export interface ReceiverOptions {
  readonly answer?: Answer;
  readonly host?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A real server that records webhooks and answers with `answer`, or 204 without it. */
export async function startWebhookReceiver(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const { answer = (_request, response) => void response.writeHead(204).end(), host = '127.0.0.1', tls } = options;
  const received: ReceivedWebhook[] = [];
  let isPaused = false;
  let active = 0;
  let most = 0;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    most = Math.max(most, ++active);
    response.once('close', () => active--);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { url: path = '', method = '', headers } = request;
    const webhook = { path, method, headers, body: Buffer.concat(chunks).toString('utf8'), atMs: performance.now() };
    received.push(webhook);
    await answer(webhook, response);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (isPaused) request.socket.destroy();
    else take(request, response).catch(() => response.destroy());
  };
  const server: Server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http${tls === undefined ? '' : 's'}://${host}:${port}`,
    port,
    received,
    maxConcurrent: () => most,
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface EventBody {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The event, verified with the library of Standard Webhooks. Throws when the signature is invalid, or when the event has
 * other fields than the OpenAPI document says.
 */
export function verified(secret: string, { headers, body }: ReceivedWebhook): EventBody {
  const event = new Webhook(secret).verify(body, headers as Record<string, string>) as EventBody;
  const schema = (eventSchemas as Readonly<Record<string, z.ZodType>>)[event.type];
  deepEqual(schema?.parse(event), event);
  return event;
}
