import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const headEnd = Buffer.from('\r\n\r\n');

/** The bytes of a request with an API key. The body is JSON unless `contentType` is set. */
export function postRequest(request: {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
  readonly body: string | Uint8Array;
  readonly contentType?: string;
}): Buffer {
  const { url, path, apiKey, body, contentType = 'application/json' } = request;
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${apiKey}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/**
 * One keep-alive connection that reads responses with a Content-Length. The load shares the machine with the measured
 * service, and this uses a fraction of the processor time of a general-purpose client.
 */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #receivedBytes = 0;
  #expectedBytes: number | undefined;
  #settle: { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the service closed the connection')));
  }

  static async open(url: string): Promise<Connection> {
    const { hostname: host, port } = new URL(url);
    const socket = connect({ host, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#receivedBytes += chunk.length;
    if (this.#expectedBytes === undefined) this.#readHead();
    if (this.#expectedBytes !== undefined && this.#receivedBytes >= this.#expectedBytes) this.#finish();
  }

  #readHead(): void {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    const end = bytes.indexOf(headEnd);
    if (end < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
    if (length === undefined) this.#settle?.reject(new Error('a response without Content-Length'));
    this.#expectedBytes = end + headEnd.length + Number(length);
  }

  #finish(): void {
    const bytes = Buffer.concat(this.#chunks);
    const end = bytes.indexOf(headEnd);
    const answer = { status: Number(bytes.toString('latin1', 9, 12)), body: bytes.subarray(end + headEnd.length) };
    this.#chunks = [];
    this.#receivedBytes = 0;
    this.#expectedBytes = undefined;
    this.#settle?.resolve(answer);
  }
}
