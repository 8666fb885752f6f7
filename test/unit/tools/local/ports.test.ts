import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort, findFreePorts, isPortFree } from '../../../../tools/local/ports.ts';

test('found ports are free, distinct, reserved, and below the range that the system hands out', async () => {
  const ports = [...(await findFreePorts(20)), await findFreePort()];
  expect(new Set(ports).size).toBe(21);
  expect(await Promise.all(ports.map(isPortFree))).not.toContain(false);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test('a port with a listener is not free', async () => {
  const port = await findFreePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await isPortFree(port)).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await isPortFree(port)).toBe(true);
});
