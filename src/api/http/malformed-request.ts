import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { RequestTrace } from '../../shared/request-trace.ts';
import type { OpenResponses } from './open-responses.ts';
import { toProblem } from './problem.ts';
import { traceOf } from './request-trace.ts';

const contentType = 'application/json; charset=utf-8';

export const invalidTarget = 'The request has no valid Host or address';

/** For a request without a valid host or URL, which cannot be passed to the application. */
export function malformedRequestResponse(): Response {
  const body = toProblem(new AppError('invalid_request', invalidTarget));
  return new Response(JSON.stringify(body), { status: 400, headers: { 'Content-Type': contentType } });
}

/**
 * Responds to invalid HTTP and to requests that do not arrive in time with the API's error body, and closes the
 * connection. Complete requests before it are answered first, so that no response is cut off or mistaken for this one.
 */
export function rejectMalformedRequests(
  server: Server,
  responses: OpenResponses,
  onRefused: (trace: RequestTrace, reason: string) => void,
): void {
  const rejected = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const open = responses.of(socket);
    const previous = open.findLast(({ req }) => req.complete);
    const isBusy = previous === undefined && open.some(({ headersSent }) => headersSent);
    if (isBusy || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    if (rejected.has(socket)) return;
    rejected.add(socket);
    socket.pause();
    if (previous === undefined) {
      const incomplete = open.at(-1)?.req;
      const trace = incomplete === undefined ? { requestId: newId('req') } : traceOf(incomplete);
      const reason = describe(error.code);
      onRefused(trace, reason);
      reject(socket, trace, reason);
    }
    previous?.once('close', () => socket.destroySoon());
  });
}

function reject(socket: Socket, { requestId }: RequestTrace, reason: string): void {
  const body = JSON.stringify(toProblem(new AppError('invalid_request', reason)));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function describe(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The request headers are larger than 16 KB';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time';
  return 'The request is not valid HTTP';
}
