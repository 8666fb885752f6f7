import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

const loopback = '127.0.0.1';

async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen({ port, host: loopback, exclusive: true });
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

/** Free loopback ports, all different: each stays bound until the last is found. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(close));
  return ports;
}

export async function findFreePort(): Promise<number> {
  const [port] = await findFreePorts(1);
  if (port === undefined) throw new Error('no free port on the loopback interface');
  return port;
}

export async function isPortFree(port: number): Promise<boolean> {
  try {
    await close(await listen(port));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}
