import { setTimeout as delay } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { expect, it, onTestFinished } from 'vitest';
import { onResponseFinished } from '../../../src/api/http/open-responses.ts';
import { type HttpService, serve } from '../../../src/api/server.ts';
import { connectRaw, type RawConnection } from '../../support/client/raw-http.ts';

let open = 0;
/** The requests whose responses are sent or whose clients have disconnected. */
const out = new Set<unknown>();

const piecesOf = (text: string) => text.match(/.{1,5}/g) ?? [];

/** Responds to `slow` after a delay, to `pieces` bit by bit, to `large` at once, and to anything else with its body. */
async function answer(request: Request, env: unknown): Promise<Response> {
  const { pathname } = new URL(request.url);
  open += 1;
  onResponseFinished(env as HttpBindings, () => out.add(env));
  if (pathname === '/slow') return delay(200).then(() => new Response('slow answer'));
  if (pathname === '/large') return new Response(Buffer.alloc(16 * 1024 * 1024, 'x'));
  if (pathname !== '/pieces') return new Response(await request.text());
  const pieces = piecesOf('an answer in pieces');
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await delay(50);
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(Buffer.from(piece));
    },
  });
  return new Response(body, { headers: { 'Content-Length': '19' } });
}

async function start(
  unreadTimeoutMs = 60_000,
): Promise<{ service: HttpService; connection: RawConnection; url: string; refused: readonly string[] }> {
  const refused: string[] = [];
  const service = await serve({
    host: '127.0.0.1',
    port: 0,
    maxConnections: 100,
    unreadTimeoutMs,
    onRefused: ({ requestId }, reason) => refused.push(`${requestId}: ${reason}`),
    callerOf: () => 'client',
    isLargeUpload: () => false,
    fetch: answer,
  });
  onTestFinished(() => service.drain(0));
  const { port } = service.address as { readonly port: number };
  const url = `http://127.0.0.1:${port}`;
  const connection = await connectRaw(url);
  onTestFinished(() => connection.close());
  return { service, connection, url, refused };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (...headers: readonly string[]): string =>
  ['POST /echo HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');
const textOf = async (connection: RawConnection): Promise<string> => (await connection.answer()).bytes.toString();

it.each([
  ['slow', 'slow answer'],
  ['pieces', 'an answer in pieces'],
])('the response to /%s is complete even if its request is followed by invalid HTTP', async (path, text) => {
  const { connection } = await start();
  await connection.send(get(`/${path}`));
  await delay(100);
  await connection.send('no HTTP\r\n\r\n', 'nor this\r\n\r\n');
  expect(await textOf(connection)).toBe(text);
  await connection.closed();
});

it.each([
  ['slow', 'slow answer'],
  ['pieces', 'an answer in pieces'],
])('the response to /%s is complete even if the body of the next request is invalid', async (path, text) => {
  const { connection } = await start();
  await connection.send(get(`/${path}`), post('Transfer-Encoding: chunked'), '3\r\nabc\r\n');
  await delay(100);
  await connection.send('no size\r\n');
  expect(await textOf(connection)).toBe(text);
  await connection.closed();
});

it('answers all requests that precede invalid HTTP, in order', async () => {
  const { connection } = await start();
  await connection.send(get('/slow'), get('/pieces'), post('Content-Length: 3'), 'abc', 'no HTTP\r\n\r\n');
  expect([await textOf(connection), await textOf(connection), await textOf(connection)]).toEqual([
    'slow answer',
    'an answer in pieces',
    'abc',
  ]);
  await connection.closed();
});

it('does not parse body bytes beyond the Content-Length as a request', async () => {
  const { connection } = await start();
  await connection.send(post('Content-Length: 3'), 'abcdef');
  expect(await textOf(connection)).toBe('abc');
  await connection.closed();
});

it('rejects a connection that begins with invalid HTTP, and an invalid body', async () => {
  for (const pieces of [['no HTTP\r\n\r\n'], [post('Transfer-Encoding: chunked'), 'no size\r\n']]) {
    const { connection } = await start();
    await connection.send(...pieces);
    const { status, bytes } = await connection.answer();
    expect([status, bytes.toString()]).toEqual([400, expect.stringContaining('not valid HTTP')]);
    await connection.closed();
  }
});

it('ignores an unknown Expect header', async () => {
  const { connection } = await start();
  await connection.send(post('Expect: wonders', 'Content-Length: 3'), 'abc', get('/slow'));
  expect(await textOf(connection)).toBe('abc');
  expect(await textOf(connection)).toBe('slow answer');
});

it('closes a response that its client does not read, but not one that is not ready', async () => {
  const { service, connection } = await start(100);
  await connection.send(get('/slow'));
  expect(await textOf(connection)).toBe('slow answer');
  connection.socket.pause();
  await connection.send(get('/large'));
  // A drain resolves when the last connection is closed.
  await service.drain(50);
});

it('calls back when each response is sent or its client has disconnected, also for pipelined requests', async () => {
  const { connection } = await start();
  const before = open;
  await connection.send(get('/slow'), ...Array(20).fill(get('/slow')), post('Content-Length: 0'), get('/large'));
  await expect.poll(() => open - before, { timeout: 20_000 }).toBe(23);
  connection.close();
  await expect.poll(() => out.size, { timeout: 20_000 }).toBe(open);
});

it('a drain completes the open responses, and then closes their connections', async () => {
  const { service, connection } = await start();
  const before = open;
  await connection.send(get('/slow'));
  await expect.poll(() => open, { interval: 1 }).toBe(before + 1);
  await service.drain(0);
  const { headers, bytes } = await connection.answer();
  expect([headers.get('Connection'), bytes.toString()]).toEqual(['close', 'slow answer']);
  await connection.closed();
});

it('a drain completes a response that is read slowly', async () => {
  const { service, url } = await start();
  const answered = await fetch(`${url}/large`);
  const drained = service.drain(0);
  await delay(300);
  expect((await answered.arrayBuffer()).byteLength).toBe(16 * 1024 * 1024);
  await drained;
});

it('a drain closes connections without a request', async () => {
  const { service, connection } = await start();
  await service.drain(0);
  await connection.closed();
});

it.each(['Host: no host', 'Host: a/b', 'X-Other: 1'])(
  'a request with `%s` is refused and reported with its id',
  async (line) => {
    const { connection, refused } = await start();
    await connection.send(`GET /echo HTTP/1.1\r\n${line}\r\nX-Request-Id: my-id\r\n\r\n`);
    const { status, bytes } = await connection.answer();
    expect([status, bytes.toString()]).toEqual([400, expect.stringContaining('no valid Host')]);
    expect(refused).toEqual(['my-id: The request has no valid Host or address']);
  },
);
