import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request as sendTo } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Called with method and path, and awaited; after `lost` the connection of the client ends. */
type Hold = (request: string, headers: IncomingHttpHeaders) => unknown;

/** Forwards every request to the service; `request` is called before one is sent on, `answer` before its answer is. */
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
