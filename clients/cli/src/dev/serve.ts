import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { createGuard } from './guard-request.ts';
import type { SaveAnswer } from './messages.ts';
import { readPageFiles } from './page-files.ts';
import { FileProblem, maxFileBytes } from './read-case.ts';
import type { Session } from './session.ts';
import { streamEvents } from './stream-events.ts';

/** The page loads everything from this server; nothing in a template or its data can run or load anything. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const selectionSchema = z.object({ template: z.string(), name: z.string() });
const saveSchema = selectionSchema.extend({ text: z.string(), basedOn: z.string().nullable() });
/** JSON may need six bytes for one byte of text. */
const maxBodyBytes = 6 * maxFileBytes;

export interface DevServer {
  /** The address to open, including its token. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Serves the page on the loopback address. Port 0 picks a free one. Throws `usage` if the port is in use. */
export async function startServer(session: Session, port: number): Promise<DevServer> {
  const files = await readPageFiles();
  const guard = createGuard();
  const streams = streamEvents(session);
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => fail(response, error));
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const access = guard.check(request, ownPort);
    if (!access.isAllowed) return send(response, 403, 'text/plain; charset=utf-8', `${access.reason}\n`);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { pathname, searchParams } = url;
    const selection = { template: searchParams.get('template') ?? '', name: searchParams.get('name') ?? '' };
    if (request.method === 'GET') {
      const file = files.get(pathname);
      if (access.cookie !== undefined) response.setHeader('Set-Cookie', access.cookie);
      if (file !== undefined) return send(response, 200, file.type, file.content);
      if (pathname === '/events') return streams.add(response, selection, headers);
      if (pathname.startsWith('/pages/')) {
        const pdf = session.pdf(pathname.slice('/pages/'.length));
        if (pdf !== undefined) return send(response, 200, 'application/pdf', pdf);
      }
      const one = pathname === '/data' ? session.find(selection) : undefined;
      if (one !== undefined) return sendJson(response, 200, await session.data(one));
    }
    if (request.method === 'POST' && pathname === '/render') {
      session.renderAgain(selectionSchema.parse(JSON.parse(await readBody(request))));
      return sendJson(response, 202, {});
    }
    if (request.method === 'PUT' && pathname === '/data') {
      const wanted = saveSchema.parse(JSON.parse(await readBody(request)));
      const one = session.find(wanted);
      if (one === undefined) return sendJson(response, 404, { error: 'The case is missing.' } satisfies SaveAnswer);
      const saved = await session.save(wanted, one);
      return sendJson(response, 'current' in saved ? 409 : 200, saved);
    }
    send(response, 404, 'text/plain; charset=utf-8', 'There is nothing at this address.\n');
  };

  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: Error) => {
    throw new CliError(
      exitCodes.usage,
      `The port ${port} cannot be used: ${error.message}`,
      'Choose another with --port.',
    );
  });
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${ownPort}/?token=${guard.token}`,
    async close() {
      streams.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, status: number, type: string, content: string | Uint8Array): void {
  response.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(content) });
  response.end(content);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json', JSON.stringify(value));
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const isInvalid = error instanceof z.ZodError || error instanceof SyntaxError;
  const isKnown = error instanceof CliError || error instanceof FileProblem;
  const message = isInvalid ? 'The request is malformed.' : error instanceof Error ? error.message : String(error);
  sendJson(response, isInvalid || isKnown ? 400 : 500, { error: message } satisfies SaveAnswer);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > maxBodyBytes) throw new FileProblem('The data is larger than 10 MB.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
