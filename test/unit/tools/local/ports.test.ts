import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePorts, isPortFree } from '../../../../tools/local/ports.ts';

test('ports found together differ and are free', async () => {
  const ports = await findFreePorts(20);
  expect(new Set(ports).size).toBe(20);
  expect(await Promise.all(ports.map(isPortFree))).not.toContain(false);
});

test('a port with a listener is not free', async () => {
  const [port = 0] = await findFreePorts(1);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await isPortFree(port)).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await isPortFree(port)).toBe(true);
});
