import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { openDatabase } from '../../../src/shared/db/client.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { listenOnLoopback } from '../loopback.ts';
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
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    async close() {
      await close();
      await database.close();
    },
  };
}
