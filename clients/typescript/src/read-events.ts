import { ConnectionError } from './errors.ts';

// The service sends a comment every 15 seconds.
const silenceMs = 60_000;
const maxEventLength = 4_000_000;

/** The data of server-sent events. Throws ConnectionError when the stream breaks or is silent for a minute. */
export async function* readEvents(response: Response, signal?: AbortSignal): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, silenceMs);
      if (done) return;
      text += decoder.decode(value, { stream: true }).replaceAll('\r', '');
      if (text.length > maxEventLength) throw new ConnectionError('An event of the service is too long');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const lines = block.split('\n').filter((line) => line.startsWith('data:'));
        if (lines.length > 0) yield lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n');
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ConnectionError) throw error;
    throw new ConnectionError('The stream of events broke off', { cause: error });
  } finally {
    // A failed stream rejects this, too.
    await reader.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, timeoutMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError('The stream of events was silent for a minute')), timeoutMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
