import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { answerMalformed, refuseMalformed } from './http/malformed-request.ts';
import { type OpenAnswers, trackAnswers } from './http/open-responses.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly fetch: Parameters<typeof getRequestListener>[0];
  /** Requests whose bodies are large and watched by their handler: they have an hour, others a minute. */
  readonly isLong: (request: IncomingMessage) => boolean;
  /** An answer of which the client takes nothing for so long is given up, and its memory with it. */
  readonly unreadMs: number;
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

const silentMs = 500;
const headersMs = 10_000;
const bodyMs = 60_000;
const longBodyMs = 3_600_000;

/** Listens with the limits that keep slow and idle clients from holding the process. */
export async function serve(options: ServeOptions): Promise<HttpService> {
  let isDraining = false;
  const listener = getRequestListener(options.fetch, { errorHandler: answerMalformed });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (isDraining) response.setHeader('Connection', 'close');
    if (!options.isLong(request)) limitBody(server, request);
    answers.add(response);
    endWhenUnread(response);
    void listener(request, response);
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
  server.timeout = options.unreadMs;
  // What a client expects beyond `100-continue` may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', onRequest);
  const answers = trackAnswers(server);
  refuseMalformed(server, answers);
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
      await close(server, answers);
    },
  };
}

/** Resolves when the last answer is out. A connection ends at once when it is idle, and with its last answer otherwise. */
async function close(server: Server, answers: OpenAnswers): Promise<void> {
  const open = answers.all();
  for (const answer of open) {
    const { socket } = answer.req;
    if (!answer.headersSent) answer.setHeader('Connection', 'close');
    answer.once('close', () => {
      if (answers.of(socket).length === 0) socket.destroySoon();
    });
  }
  let silent: NodeJS.Timeout | undefined;
  let late: NodeJS.Timeout | undefined;
  // Node takes a connection for idle whose answer has ended, though its client has not got all of it.
  const unread = open.filter(({ finished }) => finished);
  for (const answer of unread) answer.finished = false;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    for (const answer of unread) answer.finished = true;
    // One that has not said anything, as a load balancer keeps in store, is no idle one to node. It may be about to.
    silent = setTimeout(() => endUnused(answers, ({ bytesRead }) => bytesRead === 0), silentMs);
    late = setTimeout(() => endUnused(answers, () => true), headersMs);
  });
  clearTimeout(silent);
  clearTimeout(late);
}

function endUnused(answers: OpenAnswers, isOver: (socket: Socket) => boolean): void {
  for (const socket of answers.unused()) if (isOver(socket)) socket.destroy();
}

/** While there is nothing to send, as a client waits for its document, silence is no fault of the client's. */
function endWhenUnread(response: ServerResponse): void {
  const { socket } = response.req;
  response.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy();
  });
}

/** As the server's own `requestTimeout`, for one request. */
function limitBody(server: Server, request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => {
    const late = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (!request.complete) server.emit('clientError', late, request.socket);
  }, bodyMs);
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop);
  request.once('close', stop);
}
