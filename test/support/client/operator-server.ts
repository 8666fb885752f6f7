import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openDatabase } from '../../../src/shared/db/client.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { captureLine } from './capture-line.ts';

export interface OperatorServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Runs operator commands in this process, because starting a program for each takes too long. POST the command line as
 * a JSON array of strings; the response is the program's output, or 500 with its error.
 */
export async function startOperatorServer(databaseUrl: string): Promise<OperatorServer> {
  const database = openDatabase(
    { url: databaseUrl, poolSize: 4, timeoutMs: 20_000, applicationName: 'docmill-test' },
    createLogger('silent', 'test'),
  );
  const server = createServer(async (request, response) => {
    const line = JSON.parse(await text(request)) as string[];
    const { code, out, problem } = await captureLine(line, { db: database.db, databaseUrl });
    response.writeHead(code === 0 ? 200 : 500).end(out + problem);
  });
  // No client reuses a connection that the server is closing.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}
