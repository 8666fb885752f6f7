import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../shared/errors.ts';
import { toProblem } from './problem.ts';

const contentType = 'application/json; charset=utf-8';

/** A request without a usable host or address, which the application cannot be given. */
export function answerMalformed(): Response {
  const body = toProblem(new AppError('invalid_request', 'The request has no valid Host or address'));
  return new Response(JSON.stringify(body), { status: 400, headers: { 'Content-Type': contentType } });
}

/** Answers what is no valid HTTP, or did not arrive in time, with the contract's error body, and closes its connection. */
export function refuseMalformed(server: Server): void {
  const answers = new WeakMap<Socket, ServerResponse<IncomingMessage>>();
  server.on('request', (request, response) => answers.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = answers.get(socket);
    const isBusy = answer?.headersSent === true && !answer.writableFinished;
    if (isBusy || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const body = JSON.stringify(toProblem(new AppError('invalid_request', describe(error.code))));
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Connection: close\r\n\r\n${body}`,
      () => socket.destroy(),
    );
  });
}

function describe(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The request headers are larger than 16 KB';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time';
  return 'The request is not valid HTTP';
}
