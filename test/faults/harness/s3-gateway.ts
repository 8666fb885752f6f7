import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../../support/loopback.ts';

/**
 * What happens to one request: `cut` responds with 200 and the full length but half of the body; `damage` changes a
 * byte; `hang` neither executes the request nor responds; `full` is the response of a store without free space.
 */
export type S3Fault = 'pass' | 'full' | 'cut' | 'damage' | 'hang';

export interface S3Request {
  readonly method: string;
  readonly path: string;
}

export interface S3Gateway {
  readonly port: number;
  /** Sets the function that selects the fault of each request; `heal` removes it. */
  decide(select: (request: S3Request) => S3Fault): void;
  heal(): void;
  close(): Promise<void>;
}

/** An HTTP gateway in front of an S3 server that injects faults. */
export async function startS3Gateway(targetPort: number): Promise<S3Gateway> {
  let select: (request: S3Request) => S3Fault = () => 'pass';
  const server = createServer((request, response) => {
    const fault = select({ method: request.method ?? '', path: request.url ?? '' });
    handle(request, response, fault, targetPort).catch(() => request.socket.destroy());
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    port,
    close,
    decide(next) {
      select = next;
    },
    heal() {
      select = () => 'pass';
    },
  };
}

const full =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>XMinioStorageFull</Code><Message>No space is left.</Message></Error>';

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  fault: S3Fault,
  targetPort: number,
): Promise<void> {
  const body = await buffer(request);
  if (fault === 'hang') return;
  if (fault === 'full') {
    response.writeHead(507, { 'Content-Type': 'application/xml' }).end(full);
    return;
  }
  const { status, headers, bytes } = await ask(request, body, targetPort);
  const sent = fault === 'damage' && bytes.length > 0 ? damaged(bytes) : bytes;
  response.writeHead(status, headers);
  if (fault !== 'cut' || bytes.length < 2) {
    response.end(sent);
    return;
  }
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => request.socket.destroy());
}

async function ask(request: IncomingMessage, body: Buffer, port: number) {
  const { method, url: path, headers } = request;
  const outgoing = forward({ host: '127.0.0.1', port, method, path, headers });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 500, headers: answer.headers, bytes: await buffer(answer) };
}

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = Math.floor(copy.length / 2);
  copy[middle] = (copy[middle] ?? 0) ^ 0xff;
  return copy;
}
