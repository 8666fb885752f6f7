import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Commands in the order in which Redis ran them, as the bytes that clients sent, and the channels to which they
 * published.
 */
export interface Recording {
  readonly commands: readonly Buffer[];
  readonly channels: readonly string[];
}

const entry = /^\+[\d.]+ \[\d+ ([^\]]+)\] (.*)$/s;
const quoted = /"((?:[^"\\]|\\.)*)"/gs;
/** Commands that manage connections, and commands that this bench sends itself. */
const skipped = new Set(['info', 'ping', 'client', 'hello', 'monitor', 'script', 'subscribe', 'config']);
const endOfLine = Buffer.from('\r\n');

/** Records with MONITOR every command that clients send while `work` runs. Calls from scripts are left out. */
export async function recordCommands(port: number, work: () => Promise<unknown>): Promise<Recording> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write('MONITOR\r\n');
  await once(socket, 'data');
  await work();
  socket.end();
  await once(socket, 'close');
  const commands: Buffer[] = [];
  /** Open transactions by connection. Each is replayed as a whole, not interleaved with other connections. */
  const begun = new Map<string, Buffer[]>();
  const channels = new Set<string>();
  const text = Buffer.concat(chunks).toString('latin1');
  for (const line of text.split('\r\n')) {
    const [, source, list = ''] = entry.exec(line) ?? [];
    if (source === undefined || source === 'lua') continue;
    const words = Array.from(list.matchAll(quoted), ([, word = '']) => unescaped(word));
    const name = words[0]?.toString('latin1').toLowerCase() ?? '';
    if (skipped.has(name)) continue;
    if (name === 'publish') channels.add(words[1]?.toString('utf8') ?? '');
    // A blocking command would block the single connection that replays everything.
    const command = encoded(name === 'bzpopmin' ? [Buffer.from('zpopmin'), words[1] ?? Buffer.alloc(0)] : words);
    if (name === 'multi') begun.set(source, [command]);
    else if (name === 'exec') {
      commands.push(...(begun.get(source) ?? []), command);
      begun.delete(source);
    } else (begun.get(source) ?? commands).push(command);
  }
  return { commands, channels: [...channels] };
}

const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' };

function unescaped(word: string): Buffer {
  const text = word.replace(/\\(?:x([0-9a-f]{2})|(.))/gs, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (letters[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(text, 'latin1');
}

function encoded(words: readonly Buffer[]): Buffer {
  const parts = words.flatMap((word) => [Buffer.from(`$${word.length}\r\n`), word, endOfLine]);
  return Buffer.concat([Buffer.from(`*${words.length}\r\n`), ...parts]);
}
