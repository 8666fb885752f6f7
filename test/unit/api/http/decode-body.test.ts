import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { acceptedEncodings, decode } from '../../../../src/api/http/decode-body.ts';
import { listenOnLoopback } from '../../../support/loopback.ts';

const megabyte = 1024 * 1024;

/** Sends a body to a server that reads it with `read`. */
async function receive<T>(body: Buffer, read: (incoming: IncomingMessage) => Promise<T>): Promise<T> {
  const server = createServer();
  onTestFinished(() => void server.close());
  const result = new Promise<T>((resolve, reject) => {
    server.once('request', (incoming: IncomingMessage, response) => {
      read(incoming)
        .then(resolve, reject)
        .finally(() => {
          incoming.resume();
          response.end();
        });
    });
  });
  const { port } = await listenOnLoopback(server);
  const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false }, (answer) => answer.resume());
  sent.on('error', () => undefined);
  sent.end(body);
  return result;
}

async function collect(chunks: AsyncIterable<Buffer>, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) break;
  }
  return Buffer.concat(parts);
}

test('a body of up to 32 MB may expand by any factor', async () => {
  const text = Buffer.alloc(31 * megabyte, 'x');
  const decoded = await receive(zlib.brotliCompressSync(text), (incoming) =>
    collect(decode(incoming, zlib.createBrotliDecompress(), 'br')),
  );
  expect(decoded.equals(text)).toBe(true);
});

test('a body beyond 32 MB may expand 200 times, and is refused without decompressing the rest', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(500 * megabyte));
  const decoder = zlib.createGunzip();
  const failed = receive(bomb, (incoming) => collect(decode(incoming, decoder, 'gzip')));
  await expect(failed).rejects.toMatchObject({ code: 'invalid_request', message: /more than 200 times/ });
  expect(decoder.destroyed).toBe(true);
  expect(decoder.bytesWritten).toBeLessThanOrEqual(bomb.length);
});

test('a bomb of spaces, line ends, commas, quotes or brackets is refused', async () => {
  for (const piece of [' ', '\n', ',', '"', '[[']) {
    const bomb = zlib.brotliCompressSync(Buffer.alloc(64 * megabyte, piece), {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 },
    });
    expect(bomb.length).toBeLessThan(1_000);
    const failed = receive(bomb, (incoming) => collect(decode(incoming, zlib.createBrotliDecompress(), 'br')));
    await expect(failed).rejects.toThrow(
      'The request body expands more than 200 times. Send it without Content-Encoding: br.',
    );
  }
});

test.each(['gzip', 'deflate', 'br'] as const)('a body that is truncated or not %s is refused', async (encoding) => {
  const [encode, create] = {
    gzip: [zlib.gzipSync, zlib.createGunzip] as const,
    deflate: [zlib.deflateSync, zlib.createInflate] as const,
    br: [zlib.brotliCompressSync, zlib.createBrotliDecompress] as const,
  }[encoding];
  const whole = encode(Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * i) % 251)));
  const read = (body: Buffer) => receive(body, (incoming) => collect(decode(incoming, create(), encoding)));
  expect(await read(whole)).toHaveLength(5_000);
  for (const body of [Buffer.from('{"data":{}}'), whole.subarray(0, -10), whole.subarray(0, 5), Buffer.of(0)])
    await expect(read(body)).rejects.toMatchObject({
      code: 'invalid_request',
      message: `The request body is not valid ${encoding}, which its Content-Encoding names`,
    });
});

test('a reader that stops early leaves the request to be discarded', async () => {
  const body = zlib.gzipSync(Buffer.from(Array.from({ length: 3 * megabyte }, () => Math.random() * 256)));
  const [decoded, isComplete] = await receive(body, async (incoming) => {
    const part = await collect(decode(incoming, zlib.createGunzip(), 'gzip'), 1_000);
    incoming.resume();
    await once(incoming, 'end');
    return [part, incoming.complete] as const;
  });
  expect([decoded.length > 1_000, decoded.length < megabyte, isComplete]).toEqual([true, true, true]);
});

test('a body that the client cuts off is reported as truncated', async () => {
  const incoming = Object.assign(new PassThrough(), { complete: false }) as unknown as IncomingMessage & PassThrough;
  const failed = collect(decode(incoming, zlib.createGunzip(), 'gzip'));
  incoming.write(zlib.gzipSync('x').subarray(0, 12));
  incoming.destroy();
  await expect(failed).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'The request body was cut off. Send the request again.',
  });
});

test('zstd is supported exactly where Node.js supports it', async () => {
  const compress: unknown = Reflect.get(zlib, 'zstdCompressSync');
  expect(acceptedEncodings).toBe(`gzip, deflate, br${typeof compress === 'function' ? ', zstd' : ''}`);
  if (typeof compress !== 'function') return;
  const create = Reflect.get(zlib, 'createZstdDecompress') as () => Transform;
  const body = compress(Buffer.from('hello')) as Buffer;
  const decoded = await receive(body, (incoming) => collect(decode(incoming, create(), 'zstd')));
  expect(decoded.toString()).toBe('hello');
});
