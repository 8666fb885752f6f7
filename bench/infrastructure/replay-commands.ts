import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import type { Recording } from './record-commands.ts';
import { ReplyCounter } from './reply-counter.ts';

const mostUnderWay = 256;

/**
 * Plays recorded commands back to an emptied Redis on one connection, in their order, as fast as it takes them. Seconds
 * from the first to the last reply.
 */
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
    await play(socket, commands);
    return (performance.now() - startedAt) / 1_000;
  } finally {
    socket?.destroy();
    redis.disconnect();
    listener.disconnect();
  }
}

function play(socket: Socket, commands: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const counter = new ReplyCounter();
    let sent = 0;
    const send = (): void => {
      socket.cork();
      while (sent < commands.length && sent - counter.count < mostUnderWay) {
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
