import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  json<T>(): T;
}

/** One TCP connection for bytes that no HTTP client would send. */
export interface RawConnection {
  readonly socket: Socket;
  send(...pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** The next complete response; rejects when the connection closes first. */
  answer(): Promise<RawAnswer>;
  /** Resolves once the server has closed the connection. */
  closed(): Promise<void>;
  close(): void;
}

export async function connectRaw(url: string): Promise<RawConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  let received = Buffer.alloc(0);
  let isClosed = false;
  const changes = new Set<() => void>();
  const changed = () => {
    for (const notify of changes) notify();
  };
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    changed();
  });
  socket.on('drain', changed);
  socket.on('close', () => {
    isClosed = true;
    changed();
  });
  const until = <T>(read: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const notify = () => {
        const found = read();
        if (found === undefined && !isClosed) return;
        changes.delete(notify);
        if (found === undefined) reject(new Error(`the connection was closed after ${received.length} bytes`));
        else resolve(found);
      };
      changes.add(notify);
      notify();
    });
  return {
    socket,
    async send(...pieces) {
      for (const piece of pieces) {
        if (isClosed || socket.destroyed) return;
        if (!socket.write(piece))
          await until(() => (socket.writableNeedDrain ? undefined : true)).catch(() => undefined);
      }
    },
    async answer() {
      const { answer, length } = await until(() => parseAnswer(received));
      received = received.subarray(length);
      return answer;
    },
    async closed() {
      await until(() => (isClosed ? true : undefined));
    },
    close: () => socket.destroy(),
  };
}

function parseAnswer(bytes: Buffer): { answer: RawAnswer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  const length = end + 4 + Number(headers.get('Content-Length') ?? 0);
  if (bytes.length < length) return undefined;
  const body = bytes.subarray(end + 4, length);
  const json = <T>() => JSON.parse(body.toString('utf8')) as T;
  return { answer: { status: Number(first.split(' ')[1]), headers, bytes: body, json }, length };
}

/** A body in the chunked transfer coding. */
export function* chunked(body: Uint8Array, chunkBytes = 65_536): Generator<string | Uint8Array> {
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    yield `${chunk.length.toString(16)}\r\n`;
    yield chunk;
    yield '\r\n';
  }
  yield '0\r\n\r\n';
}
