import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { RequestTrace } from '../shared/request-trace.ts';
import { invalidTarget, malformedRequestResponse, rejectMalformedRequests } from './http/malformed-request.ts';
import { type OpenResponses, trackResponses } from './http/open-responses.ts';
import { traceOf } from './http/request-trace.ts';
import { createRoundRobin } from './http/round-robin.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly fetch: Parameters<typeof getRequestListener>[0];
  /** The sender of the request: its account, or its address while the account is unknown. */
  readonly callerOf: (request: IncomingMessage) => string;
  /** True for uploads that may take an hour instead of a minute; their handler limits the time without progress. */
  readonly isLargeUpload: (request: IncomingMessage) => boolean;
  /** A connection whose client reads nothing of the response for this long is closed, to free its memory. */
  readonly unreadTimeoutMs: number;
  /** Called for invalid HTTP that was refused before it reached the application. */
  readonly onRefused: (trace: RequestTrace, reason: string) => void;
}

export interface HttpService {
  readonly address: ReturnType<Server['address']>;
  isDraining(): boolean;
  /**
   * Shuts down without failing a request. For `delayMs`, until load balancers notice that readiness fails, new requests
   * are still served, with `Connection: close`. Then none are accepted; resolves when the last response is sent.
   */
  drain(delayMs: number): Promise<void>;
}

/** The number of requests that one caller may start in a round of the event loop. */
const startsPerRound = 2;
const unusedGraceMs = 500;
const headersMs = 10_000;
const bodyMs = 60_000;
const longBodyMs = 3_600_000;

/** Listens, with limits that keep slow and idle clients from exhausting the process. */
export async function serve(options: ServeOptions): Promise<HttpService> {
  let isDraining = false;
  const scheduler = createRoundRobin(startsPerRound);
  let passed: IncomingMessage | undefined;
  const listener = getRequestListener(options.fetch, {
    // Called before `listener` returns, so `passed` is still the request that caused the error.
    errorHandler() {
      if (passed !== undefined) options.onRefused(traceOf(passed), invalidTarget);
      return malformedRequestResponse();
    },
  });
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    passed = request;
    void listener(request, response);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    nameHost(request);
    // For responses that the application does not create.
    response.setHeader('X-Request-Id', traceOf(request).requestId);
    if (isDraining) response.setHeader('Connection', 'close');
    if (!options.isLargeUpload(request)) limitBody(server, request);
    responses.add(response);
    closeWhenUnread(response);
    scheduler.schedule(options.callerOf(request), () => pass(request, response));
  };
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: longBodyMs,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    onRequest,
  );
  server.timeout = options.unreadTimeoutMs;
  // Expectations other than `100-continue` may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', onRequest);
  const responses = trackResponses(server);
  rejectMalformedRequests(server, responses, options.onRefused);
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
      await close(server, responses);
    },
  };
}

/** HTTP/1.0 has no `Host` (RFC 1945), and probes of some load balancers send it; later versions require it. */
function nameHost({ httpVersion, headers, socket }: IncomingMessage): void {
  if (httpVersion !== '1.0' || headers.host !== undefined) return;
  const address = socket.localAddress?.replace(/^::ffff:/, '') ?? 'localhost';
  headers.host = `${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 80}`;
}

/** Closes idle connections immediately, and the others after their last response. Resolves when all are closed. */
async function close(server: Server, responses: OpenResponses): Promise<void> {
  const open = responses.all();
  for (const response of open) {
    const { socket } = response.req;
    if (!response.headersSent) response.setHeader('Connection', 'close');
    response.once('close', () => {
      if (responses.of(socket).length === 0) socket.destroySoon();
    });
  }
  let unusedTimer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  // `server.close` destroys connections whose response has ended, even if the client has not received all of it yet.
  const unread = open.filter(({ finished }) => finished);
  for (const response of unread) response.finished = false;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    for (const response of unread) response.finished = true;
    // Node keeps connections without a first request, such as those that load balancers open in advance. They get a
    // short grace period, because one may be about to send its first request.
    unusedTimer = setTimeout(() => closeIdle(responses, ({ bytesRead }) => bytesRead === 0), unusedGraceMs);
    idleTimer = setTimeout(() => closeIdle(responses, () => true), headersMs);
  });
  clearTimeout(unusedTimer);
  clearTimeout(idleTimer);
}

function closeIdle(responses: OpenResponses, mustClose: (socket: Socket) => boolean): void {
  for (const socket of responses.idle()) if (mustClose(socket)) socket.destroy();
}

/** A connection that waits for its document is idle too, so the timeout applies only while there are bytes to send. */
function closeWhenUnread(response: ServerResponse): void {
  const { socket } = response.req;
  response.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy();
  });
}

/** Applies a shorter `requestTimeout` to one request. */
function limitBody(server: Server, request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => {
    const timeout = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (!request.complete) server.emit('clientError', timeout, request.socket);
  }, bodyMs);
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop);
  request.once('close', stop);
}
