import { createServer, type IncomingHttpHeaders, request as sendTo } from 'node:http';
import { listenOnLoopback } from '../../support/loopback.ts';

/** Called with method and path, and awaited; if it returns `lost`, the connection of the client is closed. */
type Hold = (request: string, headers: IncomingHttpHeaders) => unknown;

/** Forwards every request to the service. Calls `request` before it forwards one, and `answer` before its response. */
export async function startForwarder(url: string, holds: { readonly request?: Hold; readonly answer?: Hold }) {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '/', headers } = request;
    await holds.request?.(`${method} ${path}`, headers);
    const forwarded = sendTo(new URL(path, url), { method, headers });
    forwarded.on('error', () => response.destroy());
    forwarded.on('response', async (answer) => {
      const outcome = await holds.answer?.(`${method} ${path}`, headers);
      if (outcome === 'lost') {
        answer.destroy();
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  return await listenOnLoopback(server);
}
