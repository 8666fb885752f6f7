import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FaultProxy, type Faults, startFaultProxy } from '../support/faults/fault-proxy.ts';

async function echoThroughProxy(): Promise<{ proxy: FaultProxy; server: Server; seen: Socket[] }> {
  const seen: Socket[] = [];
  const server = createServer((socket) => {
    seen.push(socket);
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await startFaultProxy({ port: (server.address() as AddressInfo).port });
  onTestFinished(async () => {
    await proxy.close();
    for (const socket of seen) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { proxy, server, seen };
}

function closed(socket: Socket | undefined): Promise<void> {
  return new Promise((resolve) => socket?.once('close', () => resolve()));
}

async function client(proxy: FaultProxy): Promise<Socket> {
  const socket = connect({ port: proxy.port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function read(socket: Socket, count: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  while (total < count) {
    const [part] = (await once(socket, 'data')) as [Buffer];
    parts.push(part);
    total += part.byteLength;
  }
  return Buffer.concat(parts);
}

async function roundTripMs(socket: Socket, bytes: Buffer): Promise<number> {
  const startMs = performance.now();
  socket.write(bytes);
  expect((await read(socket, bytes.byteLength)).equals(bytes)).toBe(true);
  return performance.now() - startMs;
}

const word = Buffer.from('hello');
const megabytes = Buffer.alloc(5_000_000, 'abcdefg');

describe('the fault proxy', () => {
  it('forwards bytes and connection ends unchanged without faults', async () => {
    const { proxy } = await echoThroughProxy();
    const socket = await client(proxy);
    await roundTripMs(socket, megabytes);
    socket.end();
    await once(socket, 'end');
    await expect.poll(() => proxy.openConnections).toBe(0);
    expect(proxy.totalConnections).toBe(1);
  });

  it('delays each direction by the same time, whatever the amount of data', async () => {
    const { proxy } = await echoThroughProxy();
    const socket = await client(proxy);
    proxy.set({ delayMs: 100 });
    expect(await roundTripMs(socket, word)).toBeGreaterThanOrEqual(195);
    const manyMs = [];
    for (let trip = 0; trip < 3; trip++) manyMs.push(await roundTripMs(socket, megabytes.subarray(0, 900_000)));
    expect(Math.min(...manyMs)).toBeGreaterThanOrEqual(195);
    expect(Math.min(...manyMs)).toBeLessThan(2_000);
    await proxy.heal();
    const healedMs = [];
    for (let trip = 0; trip < 10; trip++) healedMs.push(await roundTripMs(socket, word));
    expect(Math.min(...healedMs)).toBeLessThan(100);
  });

  it('limits the bandwidth', async () => {
    const { proxy } = await echoThroughProxy();
    const socket = await client(proxy);
    proxy.set({ bytesPerSecond: 100_000 });
    expect(await roundTripMs(socket, megabytes.subarray(0, 50_000))).toBeGreaterThan(400);
  });

  it('delivers everything after a freeze', async () => {
    const { proxy } = await echoThroughProxy();
    const socket = await client(proxy);
    await roundTripMs(socket, word);
    proxy.set({ isFrozen: true });
    let arrived = 0;
    socket.on('data', (part: Buffer) => {
      arrived += part.byteLength;
    });
    socket.write(word);
    const late = await client(proxy);
    late.write(word);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(arrived).toBe(0);
    const lateAnswer = read(late, word.byteLength);
    await proxy.heal();
    await expect.poll(() => arrived).toBe(word.byteLength);
    expect((await lateAnswer).toString()).toBe('hello');
  });

  it('resets both sides', async () => {
    const { proxy, seen } = await echoThroughProxy();
    const socket = await client(proxy);
    await roundTripMs(socket, word);
    const ends = Promise.all([once(socket, 'error'), closed(seen[0])]);
    proxy.resetAll();
    const [[error]] = await ends;
    expect((error as NodeJS.ErrnoException).code).toBe('ECONNRESET');
    expect(proxy.openConnections).toBe(0);
  });

  it('refuses connections and accepts them again on the same port', async () => {
    const { proxy } = await echoThroughProxy();
    const socket = await client(proxy);
    const gone = once(socket, 'error');
    await proxy.refuse();
    await gone;
    const refused = connect({ port: proxy.port, host: '127.0.0.1' });
    const [error] = await once(refused, 'error');
    expect((error as NodeJS.ErrnoException).code).toBe('ECONNREFUSED');
    await proxy.heal();
    await roundTripMs(await client(proxy), word);
  });

  it('keeps the connection of the client open after the server has lost it', async () => {
    const { proxy, seen } = await echoThroughProxy();
    const socket = await client(proxy);
    await roundTripMs(socket, word);
    const lost = closed(seen[0]);
    let hasEnded = false;
    socket.on('close', () => {
      hasEnded = true;
    });
    proxy.halfOpenAll();
    await lost;
    socket.write(word);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(hasEnded).toBe(false);
    expect(socket.destroyed).toBe(false);
  });

  it.each(['swallow', 'reset', 'freeze'] as const)('can lose the reply to one request: %s', async (fate) => {
    const { proxy } = await echoThroughProxy();
    const socket = await client(proxy);
    const up: string[] = [];
    const intercept: Faults['intercept'] = ({ direction, bytes }) => {
      if (direction === 'up') up.push(bytes.toString());
      return direction === 'down' && bytes.includes('COMMIT') ? fate : 'pass';
    };
    proxy.set({ intercept });
    await roundTripMs(socket, Buffer.from('BEGIN'));
    const reset = fate === 'reset' ? once(socket, 'error') : undefined;
    socket.write('COMMIT');
    await reset;
    await expect.poll(() => up).toEqual(['BEGIN', 'COMMIT']);
    if (fate === 'swallow') await roundTripMs(socket, word);
    if (fate === 'freeze') {
      socket.write('more');
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(socket.bytesRead).toBe('BEGIN'.length);
    }
  });
});
