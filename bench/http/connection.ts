import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const headEnd = Buffer.from('\r\n\r\n');

/**
 * One keep-alive connection that sends the same bytes over and over and reads answers with a Content-Length. Load shares the
 * machine with what it measures: this takes a fraction of the processor time of a general client.
 */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #received = 0;
  #wanted: number | undefined;
  #settle: { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the service closed the connection')));
  }

  static async open(host: string, port: number): Promise<Connection> {
    const socket = connect({ host, port, noDelay: true });
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
    this.#received += chunk.length;
    if (this.#wanted === undefined) this.#readHead();
    if (this.#wanted !== undefined && this.#received >= this.#wanted) this.#finish();
  }

  #readHead(): void {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    const end = bytes.indexOf(headEnd);
    if (end < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
    if (length === undefined) this.#settle?.reject(new Error('an answer without Content-Length'));
    this.#wanted = end + headEnd.length + Number(length);
  }

  #finish(): void {
    const bytes = Buffer.concat(this.#chunks);
    const end = bytes.indexOf(headEnd);
    const answer = { status: Number(bytes.toString('latin1', 9, 12)), body: bytes.subarray(end + headEnd.length) };
    this.#chunks = [];
    this.#received = 0;
    this.#wanted = undefined;
    this.#settle?.resolve(answer);
  }
}
