import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends one line, or nothing, to a loopback port and gives back the first bytes of the answer as text. */
export async function firstReply(port: number, line: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
  try {
    socket.write(line);
    const [bytes] = (await once(socket, 'data', { signal: AbortSignal.timeout(2_000) })) as [Buffer];
    return bytes.toString('latin1');
  } finally {
    socket.destroy();
  }
}
