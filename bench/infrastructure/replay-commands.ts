import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import type { Recording } from './record-commands.ts';

/** The number of commands in flight. */
const pipelineDepth = 256;

/** Replays recorded commands in order to an emptied Redis on one connection. Returns the seconds until the last reply. */
export async function replayCommands(url: string, { commands, channels }: Recording): Promise<number> {
  const redis = new Redis(url, { disableClientInfo: true });
  const listener = new Redis(url, { disableClientInfo: true });
  let socket: Socket | undefined;
  try {
    await redis.flushall();
    if (channels.length > 0) await listener.subscribe(...channels);
    socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    const startedAt = performance.now();
    await sendAll(socket, commands);
    return (performance.now() - startedAt) / 1_000;
  } finally {
    socket?.destroy();
    redis.disconnect();
    listener.disconnect();
  }
}

function sendAll(socket: Socket, commands: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const counter = new ReplyCounter();
    let sent = 0;
    const send = (): void => {
      socket.cork();
      while (sent < commands.length && sent - counter.count < pipelineDepth) {
        socket.write(commands[sent] ?? Buffer.alloc(0));
        sent += 1;
      }
      socket.uncork();
    };
    socket.on('data', (chunk) => {
      counter.take(chunk);
      if (counter.count === commands.length) resolve();
      else send();
    });
    socket.once('close', () => reject(new Error('Redis closed the connection')));
    send();
  });
}

const lineFeed = 10;
const carriageReturn = 13;
const dollar = 36;
const asterisk = 42;

/** Counts the replies in a stream of RESP 2 without keeping them. */
class ReplyCounter {
  count = 0;
  /** The number of values missing from the current reply. */
  #missingValues = 1;
  /** The number of bytes missing from the current string, including its line end. */
  #missingBytes = 0;
  #type = 0;
  #line = '';

  take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#missingBytes > 0) {
        const skipped = Math.min(this.#missingBytes, chunk.length - at);
        at += skipped;
        this.#missingBytes -= skipped;
        if (this.#missingBytes === 0) this.#value(0);
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (this.#type === 0) this.#type = byte;
      else if (byte === lineFeed) this.#endLine();
      else if (byte !== carriageReturn && (this.#type === dollar || this.#type === asterisk))
        this.#line += String.fromCharCode(byte);
    }
  }

  #endLine(): void {
    const length = Number(this.#line);
    const type = this.#type;
    this.#type = 0;
    this.#line = '';
    if (type === dollar && length >= 0) this.#missingBytes = length + 2;
    else this.#value(type === asterisk ? Math.max(0, length) : 0);
  }

  #value(parts: number): void {
    this.#missingValues += parts - 1;
    if (this.#missingValues > 0) return;
    this.count += 1;
    this.#missingValues = 1;
  }
}
