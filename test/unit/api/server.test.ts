import { setTimeout as delay } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onResponseFinished } from '../../../src/api/http/open-responses.ts';
import { type HttpService, serve } from '../../../src/api/server.ts';
import { expectProblemShape } from '../../support/client/api-client.ts';
import { chunked, connectRaw, type RawAnswer, type RawConnection } from '../../support/client/raw-http.ts';
import { startApplication } from './application.ts';

let open = 0;
/** Requests whose responses have been sent or whose clients have disconnected. */
const out = new Set<unknown>();

const piecesOf = (text: string) => text.match(/.{1,5}/g) ?? [];

/**
 * Responds to `slow` after a delay, to `pieces` in small parts, to `large` at once, and to anything else with its body.
 */
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
])('the response to /%s is complete even if invalid HTTP follows the request', async (path, text) => {
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

it('responds to all requests that precede invalid HTTP, in order', async () => {
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

it('ignores an unknown Expect header', async () => {
  const { connection } = await start();
  await connection.send(post('Expect: wonders', 'Content-Length: 3'), 'abc', get('/slow'));
  expect(await textOf(connection)).toBe('abc');
  expect(await textOf(connection)).toBe('slow answer');
});

it('closes the connection when a client does not read the response, but not while the response is still being produced', async () => {
  const { service, connection } = await start(100);
  await connection.send(get('/slow'));
  expect(await textOf(connection)).toBe('slow answer');
  connection.socket.pause();
  await connection.send(get('/large'));
  // `drain` resolves when the last connection is closed.
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

it('a drain completes the open responses and then closes their connections', async () => {
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

describe('the application behind the server', async () => {
  const { url } = await startApplication();
  const megabyte = 1024 * 1024;
  const rename = 'PUT /v1/templates/x';
  const [json, form] = ['Content-Type: application/json', 'Content-Type: multipart/form-data; boundary=x'];
  const oneTooMany = Buffer.alloc(10 * megabyte + 1, ' ');
  const head = (line: string, ...headers: readonly string[]): string =>
    [`${line} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer all', ...headers, '', ''].join('\r\n');
  const sized = (line: string, type: string, body: string | Buffer) =>
    [head(line, type, `Content-Length: ${Buffer.byteLength(body)}`), body] as const;
  const connect = async (): Promise<RawConnection> => {
    const connection = await connectRaw(url);
    onTestFinished(() => connection.close());
    return connection;
  };
  const isRefused = (answer: RawAnswer, status: number, message = /./): void => {
    expect(answer.status).toBe(status);
    expect(expectProblemShape(answer).message).toMatch(message);
  };

  const refusals: readonly [name: string, status: number, pieces: Iterable<string | Uint8Array>][] = [
    ['an unknown operation with a body', 404, sized('POST /v1/nothing', 'X: y', 'hello')],
    ['a GET with a body', 404, sized('GET /v1/nothing', 'X: y', 'hello')],
    [
      'a GET with a chunked body',
      404,
      [head('GET /v1/nothing', 'Transfer-Encoding: chunked'), '5\r\nhello\r\n0\r\n\r\n'],
    ],
    ['a wrong method', 405, sized('DELETE /v1/templates', 'X: y', 'hello')],
    ['no body', 400, sized(rename, json, '')],
    ['no length', 400, [head(rename, json)]],
    ['no form', 400, sized('POST /v1/templates/validate', form, '')],
    ['broken JSON', 400, sized(rename, json, '{"a":')],
    ['another type', 400, sized(rename, 'Content-Type: text/plain', 'hello')],
    ['JSON of 10 MB and a byte', 400, sized(rename, json, oneTooMany)],
    [
      'chunked JSON of 10 MB and a byte',
      400,
      [head(rename, json, 'Transfer-Encoding: chunked'), ...chunked(oneTooMany)],
    ],
    ['a million brackets', 400, sized(rename, json, '['.repeat(1_000_000))],
    [
      'a form of 11 MB',
      400,
      [
        head('POST /v1/templates/validate', form, 'Transfer-Encoding: chunked'),
        ...chunked(
          Buffer.concat([
            Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'),
            Buffer.alloc(11 * megabyte),
            Buffer.from('\r\n--x--\r\n'),
          ]),
        ),
      ],
    ],
    [
      'a large body without a key',
      401,
      [`POST /v1/templates HTTP/1.1\r\nHost: x\r\nContent-Length: ${oneTooMany.length}\r\n\r\n`, oneTooMany],
    ],
  ];

  it.each(refusals)(
    'a connection is usable after %s, or closed, also for a pipelined request',
    async (_name, status, pieces) => {
      for (const isPipelined of [false, true]) {
        const connection = await connect();
        const sent = connection.send(...pieces, ...(isPipelined ? [head('GET /healthz')] : []));
        const answer = await connection.answer();
        isRefused(answer, status);
        await sent;
        if (answer.headers.get('Connection') === 'close') {
          await connection.closed();
          continue;
        }
        if (!isPipelined) await connection.send(head('GET /healthz'));
        expect((await connection.answer()).status).toBe(200);
      }
    },
  );

  it('a body too long to be discarded is refused at once, and the connection is closed', async () => {
    const piece = `${megabyte.toString(16)}\r\n${' '.repeat(megabyte)}\r\n`;
    for (const pieces of [
      [head(rename, json, `Content-Length: ${1024 * megabyte}`)],
      [head(rename, json, 'Transfer-Encoding: chunked'), ...Array<string>(80).fill(piece)],
    ]) {
      const connection = await connect();
      const sent = connection.send(...pieces);
      const answer = await connection.answer();
      isRefused(answer, 400, /larger than 10 MB/);
      expect(answer.headers.get('Connection')).toBe('close');
      await connection.closed();
      await sent;
    }
  });

  const key = 'Authorization: Bearer all';
  it.each([
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['an unknown method', `BREW /v1/templates HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`],
    ['no host', `GET /v1/templates HTTP/1.1\r\n${key}\r\n\r\n`],
    ['a host that is none', `GET /v1/templates HTTP/1.1\r\nHost: a b/<>\r\n${key}\r\n\r\n`],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`],
    ['both lengths', head(rename, json, 'Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['two lengths', head(rename, json, 'Content-Length: 5', 'Content-Length: 6')],
    ['a negative length', head(rename, json, 'Content-Length: -1')],
    ['a bad chunk size', `${head(rename, json, 'Transfer-Encoding: chunked')}xyz\r\n`],
    ['a folded header', 'GET /v1/templates HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n'],
    ['a header without a colon', head('GET /v1/templates', 'nonsense')],
    ['headers of 20 KB', head('GET /v1/templates', `X-Padding: ${'x'.repeat(20_000)}`)],
  ])('invalid HTTP gets the error body and a request id: %s', async (_name, request) => {
    const connection = await connect();
    await connection.send(request);
    const answer = await connection.answer();
    isRefused(answer, 400, /not valid HTTP|no valid Host|larger than 16 KB/);
    expect(answer.headers.get('X-Request-Id')).toMatch(/^req_\w{26}$/);
    if (answer.headers.get('Connection') === 'close') await connection.closed();
  });

  it.each([
    ['/healthz', 200],
    ['/readyz', 200],
    ['/openapi.json', 200],
    ['/v1/nothing', 404],
  ])('HTTP/1.0 without a host: %s gets a response, and the connection is closed', async (path, status) => {
    const connection = await connect();
    await connection.send(`GET ${path} HTTP/1.0\r\n${key}\r\n\r\n`);
    expect((await connection.answer()).status).toBe(status);
    await connection.closed();
  });

  it('an HTTP/1.0 connection stays open when the client asks for it', async () => {
    const connection = await connect();
    for (let i = 0; i < 2; i++) {
      await connection.send('GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
      const { status, headers } = await connection.answer();
      expect([status, headers.get('Connection')]).toEqual([200, 'keep-alive']);
    }
  });

  it('the server confirms Expect: 100-continue before the body is sent', async () => {
    const connection = await connect();
    await connection.send(head(rename, json, 'Content-Length: 2', 'Expect: 100-continue'));
    expect((await connection.answer()).status).toBe(100);
    await connection.send('{}');
    isRefused(await connection.answer(), 400, /name: is missing/);
  });

  it('pipelined responses arrive in the order of the requests', async () => {
    const connection = await connect();
    const paths = ['/healthz', '/v1/nothing', '/healthz', '/v1/jobs?limit=0', '/healthz'];
    await connection.send(...paths.map((path) => head(`GET ${path}`)));
    const statuses: number[] = [];
    for (const _ of paths) statuses.push((await connection.answer()).status);
    expect(statuses).toEqual([200, 404, 200, 400, 200]);
  });

  it('many clients that disconnect within a body do not use up the permits', async () => {
    for (let i = 0; i < 15; i++)
      await Promise.all(
        [
          ['POST /v1/templates/validate', form],
          ['POST /v1/templates/x/generate', json],
        ].flatMap(([line = '', type = '']) =>
          Array.from({ length: 5 }, async () => {
            const connection = await connectRaw(url);
            await connection.send(head(line, type, 'Content-Length: 1000'), '--x\r\nContent-');
            connection.close();
          }),
        ),
      );
    const connection = await connect();
    await connection.send(...sized('POST /v1/templates/x/generate', json, '{}'));
    isRefused(await connection.answer(), 400, /data: is missing/);
  });
});
