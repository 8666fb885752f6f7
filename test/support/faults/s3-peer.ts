import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createPeerUploads, type PeerUploads } from './s3-peer-uploads.ts';

/**
 * What the peer does with a request: `slow-down` answers 503 with S3's error body, `forbidden` 403; `truncate` answers
 * 200 with half of the body, `corrupt` with one byte changed; `reset` resets the connection; `hang` never answers;
 * `stall` answers 200 and stops in the middle of the body; `no-reply` executes the request and resets the connection;
 * `late` executes it and answers after `lateMs`.
 */
export type S3Act =
  | 'ok'
  | 'slow-down'
  | 'forbidden'
  | 'truncate'
  | 'corrupt'
  | 'reset'
  | 'hang'
  | 'stall'
  | 'no-reply'
  | 'late';

const lateMs = 2_500;

export interface S3Request {
  readonly method: string;
  readonly key: string;
  /** The step of a multipart upload. */
  readonly step: 'begin' | 'part' | 'complete' | 'abort' | undefined;
  /** 1 for the first request of this method, key and step. */
  readonly count: number;
}

export interface S3Peer {
  readonly endpoint: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  readonly requests: readonly S3Request[];
  readonly openConnections: number;
  readonly unfinishedUploads: number;
  /** Resolves once the given number of connections are busy with a request. */
  whenBusy(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface S3PeerOptions {
  readonly act?: (request: S3Request) => S3Act;
  readonly objects?: Readonly<Record<string, Buffer>>;
}

/** An S3 server in memory for one bucket. `act` decides what it does with each request. */
export async function startS3Peer(options: S3PeerOptions = {}): Promise<S3Peer> {
  const objects = new Map(Object.entries(options.objects ?? {}));
  const uploads = createPeerUploads(objects);
  const requests: S3Request[] = [];
  const sockets = new Set<Socket>();
  const busy = new Set<Socket>();
  let noteChange = (): void => undefined;
  const server = createServer((request, response) => {
    busy.add(request.socket);
    noteChange();
    response.on('close', () => {
      busy.delete(request.socket);
      noteChange();
    });
    void answer(request, response, note(request, requests), options.act ?? (() => 'ok'), { objects, uploads });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      noteChange();
    });
  });
  // No client reuses a connection that the server is closing.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    get openConnections() {
      return sockets.size;
    },
    get unfinishedUploads() {
      return uploads.unfinished;
    },
    whenBusy: (count) =>
      new Promise((resolve) => {
        noteChange = () => {
          if (busy.size === count) resolve();
        };
        noteChange();
      }),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function note(request: IncomingMessage, requests: S3Request[]): S3Request {
  const method = request.method ?? '';
  const { pathname, searchParams } = urlOf(request);
  const [, , ...parts] = pathname.split('/');
  const key = decodeURIComponent(parts.join('/'));
  const step = toStep(method, searchParams);
  const earlier = requests.filter((other) => other.method === method && other.key === key && other.step === step);
  const noted = { method, key, step, count: earlier.length + 1 };
  requests.push(noted);
  return noted;
}

function urlOf({ url }: IncomingMessage): URL {
  return new URL(url ?? '/', 'http://peer');
}

function toStep(method: string, query: URLSearchParams): S3Request['step'] {
  if (query.has('uploads')) return 'begin';
  if (!query.has('uploadId')) return undefined;
  return method === 'PUT' ? 'part' : method === 'DELETE' ? 'abort' : 'complete';
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  noted: S3Request,
  act: (request: S3Request) => S3Act,
  { objects, uploads }: { readonly objects: Map<string, Buffer>; readonly uploads: PeerUploads },
): Promise<void> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return;
  }
  const fate = act(noted);
  if (fate === 'hang') return;
  if (fate === 'reset') return void request.socket.resetAndDestroy();
  if (fate === 'slow-down') return refuse(response, 503, 'SlowDown', 'Please reduce your request rate.');
  if (fate === 'forbidden') return refuse(response, 403, 'AccessDenied', 'Access Denied');
  const upload = uploads.handle(noted.method, urlOf(request), noted.key, Buffer.concat(chunks));
  if (upload === undefined && noted.method === 'PUT' && noted.key !== '') objects.set(noted.key, Buffer.concat(chunks));
  if (upload === undefined && noted.method === 'DELETE') objects.delete(noted.key);
  if (fate === 'no-reply') return void request.socket.resetAndDestroy();
  if (fate === 'late') await delay(lateMs);
  if (upload !== undefined) {
    const { status, body, etag = '"etag"' } = upload;
    response.writeHead(status, { ETag: etag, 'Content-Type': 'application/xml' }).end(body);
    return;
  }
  if (noted.method === 'HEAD' && noted.key !== '') {
    const size = objects.get(noted.key)?.length;
    const headers = { ETag: '"etag"', 'Last-Modified': new Date().toUTCString(), 'Content-Length': size ?? 0 };
    response.writeHead(size === undefined ? 404 : 200, headers).end();
    return;
  }
  if (noted.method !== 'GET' || noted.key === '') {
    response.writeHead(noted.method === 'DELETE' ? 204 : 200, { ETag: '"etag"' }).end();
    return;
  }
  const object = objects.get(noted.key);
  if (object === undefined) return refuse(response, 404, 'NoSuchKey', 'The specified key does not exist.');
  send(response, object, fate);
}

function send(response: ServerResponse, object: Buffer, fate: S3Act): void {
  response.writeHead(200, { ETag: '"etag"', 'Content-Length': object.length });
  if (fate === 'corrupt') {
    const corrupt = Buffer.from(object);
    corrupt[0] = (corrupt[0] ?? 0) ^ 1;
    response.end(corrupt);
    return;
  }
  if (fate !== 'truncate' && fate !== 'stall') {
    response.end(object);
    return;
  }
  response.write(object.subarray(0, object.length / 2), () => {
    if (fate === 'truncate') response.socket?.end();
  });
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response
    .writeHead(status, { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(body) })
    .end(body);
}
