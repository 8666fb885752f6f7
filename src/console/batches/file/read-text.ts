import { EncodingError, FileError } from './file-error.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'windows-1250' | 'macintosh';

/** Encodings of files that are not Unicode: nothing in a file says which it is, so a person chooses. */
export const askedEncodings = ['windows-1252', 'windows-1250', 'macintosh'] as const satisfies readonly Encoding[];

const headBytes = 1_000_000;
/** A page that works for longer than this without a pause misses frames that people see. */
const longestWorkMs = 30;
const contextLength = 24;

/** The encoding that a file shows itself: a byte order mark, or bytes that are valid UTF-8. Undefined: a person must say. */
export async function detectEncoding(file: Blob): Promise<Encoding | undefined> {
  const head = await readHead(file);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  try {
    // The last character of the head may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return undefined;
  }
}

/** The first words of a file that have letters outside of ASCII, read in an encoding: what a person compares. */
export async function sampleOf(file: Blob, encoding: Encoding): Promise<string | undefined> {
  const text = new TextDecoder(encoding).decode(await readHead(file));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  const at = text.search(/[^\x00-\x7f]/);
  if (at < 0) return undefined;
  return text
    .slice(Math.max(0, at - contextLength), at + contextLength)
    .replaceAll(/[\p{Cc}"]+/gu, ' ')
    .trim();
}

async function readHead(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  } catch {
    throw new FileError('unreadable');
  }
}

export interface TextPiece {
  readonly text: string;
  /** Bytes of the file that have been read. */
  readonly readBytes: number;
}

/**
 * The text of a file piece by piece, without a byte order mark. Whatever is done with the pieces, the page draws and answers between
 * them: a browser reads files ahead, and would give all pieces in one task.
 *
 * @throws EncodingError for bytes that the encoding does not have, FileError when the file changes or disappears meanwhile
 */
export async function* readText(file: Blob, encoding: Encoding, signal?: AbortSignal): AsyncGenerator<TextPiece> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const reader = file.stream().getReader();
  let readBytes = 0;
  let pausedAt = performance.now();
  try {
    for (;;) {
      if (performance.now() - pausedAt > longestWorkMs) {
        await nextTask();
        pausedAt = performance.now();
      }
      signal?.throwIfAborted();
      const { done, value } = await readChunk(reader);
      readBytes += value?.length ?? 0;
      yield { text: decode(decoder, value), readBytes };
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Unlike a timer, a message is not slowed down in a tab that nobody sees. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const end = (): void => {
      port1.close();
      resolve();
    };
    port1.addEventListener('message', end, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
}

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch {
    throw new FileError('unreadable');
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new EncodingError();
  }
}
