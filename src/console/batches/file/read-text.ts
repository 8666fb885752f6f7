import { EncodingError, FileError } from './file-error.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'windows-1250' | 'macintosh';

/** Encodings other than Unicode. Nothing in a file identifies them, so the user chooses. */
export const askedEncodings = ['windows-1252', 'windows-1250', 'macintosh'] as const satisfies readonly Encoding[];

const headBytes = 1_000_000;
/** A page that works for longer than this without a pause visibly drops frames. */
const longestWorkMs = 30;
const contextLength = 24;

/** Detects the encoding by a byte order mark, or by valid UTF-8. Undefined if the user must choose. */
export async function detectEncoding(file: Blob): Promise<Encoding | undefined> {
  const head = await readHead(file);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  try {
    // The last character of the head may be incomplete.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return undefined;
  }
}

/** The first words of a file that contain letters outside ASCII, decoded for the user to compare. */
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
  /** The number of bytes read so far. */
  readonly readBytes: number;
}

/**
 * Reads the text of a file in chunks, without a byte order mark. The page stays responsive between chunks, whatever the
 * caller does with them; browsers read files ahead, and would otherwise deliver all chunks in one task.
 *
 * @throws EncodingError for bytes that are invalid in the encoding, FileError when the file changes or disappears
 * meanwhile
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

/** Unlike timers, messages are not throttled in a background tab. */
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
