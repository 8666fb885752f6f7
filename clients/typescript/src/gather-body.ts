import { DocmillError } from './errors.ts';

// The service accepts no longer body of a batch.
const maxBodyBytes = 1_073_741_824;
const flushedChars = 1_000_000;

/** Whether a body must be complete before it is sent: browsers refuse streams, or take them for text. */
export function needsWholeBody(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
}

/**
 * Rows as lines of JSON in a Blob, which browsers keep outside of the memory of the page. Throws DocmillError beyond `maxBytes`, the
 * reason of `signal`, and what `rows` throws.
 */
export async function gatherRows(
  rows: Iterable<object> | AsyncIterable<object>,
  signal?: AbortSignal,
  maxBytes = maxBodyBytes,
): Promise<Blob> {
  const parts = createParts(maxBytes);
  let text = '';
  for await (const row of rows) {
    signal?.throwIfAborted();
    text += `${JSON.stringify(row)}\n`;
    if (text.length < flushedChars) continue;
    parts.add(text);
    text = '';
  }
  parts.add(text);
  return new Blob(parts.all);
}

/** The bytes of a stream in a Blob; throws as `gatherRows`. */
export async function gatherStream(
  stream: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
  maxBytes = maxBodyBytes,
): Promise<Blob> {
  const parts = createParts(maxBytes);
  // Not every browser iterates streams.
  const reader = stream.getReader();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return new Blob(parts.all);
      parts.add(new Uint8Array(value));
    }
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

function createParts(maxBytes: number) {
  const all: Blob[] = [];
  let sizeBytes = 0;
  return {
    all,
    add(part: string | Uint8Array<ArrayBuffer>): void {
      const blob = new Blob([part]);
      sizeBytes += blob.size;
      if (sizeBytes > maxBytes) throw new DocmillError(`The rows are longer than ${maxBytes} bytes: split the batch`);
      all.push(blob);
    },
  };
}
