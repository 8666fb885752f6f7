import { createServer, request as sendTo } from 'node:http';
import { listenOnLoopback } from '../../support/loopback.ts';

/** Called with method and path, and awaited. */
type Hold = (request: string) => unknown;

/** Forwards every request to the service. Calls `request` before it forwards one, and `answer` before its response. */
export async function startForwarder(url: string, holds: { readonly request?: Hold; readonly answer?: Hold }) {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '/', headers } = request;
    await holds.request?.(`${method} ${path}`);
    const forwarded = sendTo(new URL(path, url), { method, headers });
    forwarded.on('error', () => response.destroy());
    forwarded.on('response', async (answer) => {
      await holds.answer?.(`${method} ${path}`);
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  return await listenOnLoopback(server);
}
