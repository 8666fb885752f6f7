import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../shared/errors.ts';
import type { OpenAnswers } from './open-responses.ts';
import { toProblem } from './problem.ts';

const contentType = 'application/json; charset=utf-8';

/** A request without a usable host or address, which the application cannot be given. */
export function answerMalformed(): Response {
  const body = toProblem(new AppError('invalid_request', 'The request has no valid Host or address'));
  return new Response(JSON.stringify(body), { status: 400, headers: { 'Content-Type': contentType } });
}

/**
 * Answers what is no valid HTTP, or did not arrive in time, with the contract's error body, and closes its connection. Whole
 * requests before it are answered first: their answers are not to be mistaken for this one, nor broken off by it.
 */
export function refuseMalformed(server: Server, answers: OpenAnswers): void {
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const open = answers.of(socket);
    const before = open.findLast(({ req }) => req.complete);
    const isBusy = before === undefined && open.some(({ headersSent }) => headersSent);
    if (isBusy || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    if (refused.has(socket)) return;
    refused.add(socket);
    socket.pause();
    if (before === undefined) refuse(socket, error.code);
    else before.once('close', () => socket.destroySoon());
  });
}

function refuse(socket: Socket, code: string | undefined): void {
  const body = JSON.stringify(toProblem(new AppError('invalid_request', describe(code))));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function describe(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The request headers are larger than 16 KB';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time';
  return 'The request is not valid HTTP';
}
