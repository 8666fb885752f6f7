import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readBody } from '../../../../src/api/http/read-body.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import { listenOnLoopback } from '../../../support/loopback.ts';

const maxBytes = 200_000;
const payload = Buffer.from(Array.from({ length: 150_000 }, (_, i) => i % 251));
const noLimit = { take: () => undefined, schedule: (resume: () => void) => void setImmediate(resume) };
const announced = (sizeBytes: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${sizeBytes}\r\n\r\n`;
const chunkedHead = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** Opens a connection, and returns it with its request once the headers are complete. */
async function open(head: string): Promise<{ socket: Socket; incoming: IncomingMessage }> {
  const server = createServer();
  const { port, close } = await listenOnLoopback(server);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(async () => {
    socket.destroy();
    await close();
  });
  socket.write(head);
  const [incoming] = (await once(server, 'request')) as [IncomingMessage];
  return { socket, incoming };
}

const closed = (incoming: IncomingMessage): Promise<void> => new Promise((resolve) => incoming.once('close', resolve));

async function refusal(read: Promise<Buffer>): Promise<string> {
  const error: unknown = await read.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AppError);
  return (error as AppError).message;
}

test.each([0, 1, 150_000])(
  'a body of %i bytes with a Content-Length is read, whether it arrives in pieces or at once',
  async (sizeBytes) => {
    const { socket, incoming } = await open(announced(sizeBytes));
    const read = readBody(incoming, maxBytes, noLimit);
    for (let at = 0; at < sizeBytes; at += 40_000) {
      socket.write(payload.subarray(at, Math.min(sizeBytes, at + 40_000)));
      await delay(5);
    }
    expect((await read).equals(payload.subarray(0, sizeBytes))).toBe(true);
  },
);

test('a body that arrived before it was read is returned', async () => {
  const { socket, incoming } = await open(announced(5));
  socket.write('hello');
  while (!incoming.complete) await delay(5);
  expect((await readBody(incoming, maxBytes, noLimit)).toString()).toBe('hello');
});

test('a chunked body over the limit is read to its end, then rejected', async () => {
  const { socket, incoming } = await open(chunkedHead);
  const read = refusal(readBody(incoming, 100_000, noLimit));
  for (let sent = 0; sent < 3; sent++) socket.write(chunk(payload));
  socket.write('0\r\n\r\n');
  expect(await read).toBe('The request body is larger than 0 MB');
  expect(incoming.complete).toBe(true);
});

test('a body with a Content-Length over the limit is rejected without being read', async () => {
  const { incoming } = await open(announced(maxBytes + 1));
  expect(await refusal(readBody(incoming, maxBytes, noLimit))).toMatch(/larger than/);
  expect(incoming.readableDidRead).toBe(false);
});

test('a body is cut off when its client disconnects while sending', async () => {
  const { socket, incoming } = await open(announced(150_000));
  const read = refusal(readBody(incoming, maxBytes, noLimit));
  socket.write(payload.subarray(0, 1_000), () => socket.destroy());
  expect(await read).toBe('The request body was cut off. Send the request again.');
});

test('a body that was cut off before it was read is rejected', async () => {
  const { socket, incoming } = await open(announced(150_000));
  socket.write(payload.subarray(0, 1_000), () => socket.destroy());
  await closed(incoming);
  expect(await refusal(readBody(incoming, maxBytes, noLimit))).toBe(
    'The request body was cut off. Send the request again.',
  );
});

test('a complete body is read after its client has disconnected', async () => {
  const { socket, incoming } = await open(announced(10_000));
  socket.write(payload.subarray(0, 10_000));
  while (!incoming.complete) await delay(5);
  socket.destroy();
  await closed(incoming);
  expect((await readBody(incoming, maxBytes, noLimit)).equals(payload.subarray(0, 10_000))).toBe(true);
});

test('a body that exceeds the memory of the process is rejected at once and read no further', async () => {
  const { socket, incoming } = await open(chunkedHead);
  let taken = 0;
  const lease = {
    ...noLimit,
    take(bytes: number) {
      if (taken + bytes > 20_000) throw new AppError('unavailable', 'no room');
      taken += bytes;
    },
  };
  const read = refusal(readBody(incoming, maxBytes, lease));
  socket.write(chunk(payload.subarray(0, 10_000)));
  await vi.waitFor(() => expect(taken).toBe(10_000));
  socket.write(chunk(payload.subarray(0, 60_000)));
  expect(await read).toBe('no room');
  expect(taken).toBe(10_000);
  expect(incoming.isPaused()).toBe(true);
  expect(incoming.listenerCount('data')).toBe(0);
});

test('a large body is read in parts, each when the scheduler allows it', async () => {
  const body = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => i % 251));
  const { socket, incoming } = await open(announced(body.length));
  const waiting: (() => void)[] = [];
  const read = readBody(incoming, 2_000_000, { ...noLimit, schedule: (resume) => waiting.push(resume) });
  socket.write(body);
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  await delay(30);
  expect(waiting).toHaveLength(1);
  const timer = setInterval(() => {
    for (const resume of waiting.splice(0)) resume();
  }, 1);
  expect(Buffer.compare(await read, body)).toBe(0);
  clearInterval(timer);
});
