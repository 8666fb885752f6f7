import { DocmillError } from './errors.ts';

// The service's limit for the body of a batch.
const maxBodyBytes = 1_073_741_824;
const flushedChars = 1_000_000;

/** Whether a body must be complete before it is sent: browsers refuse streams, or send them as text. */
export function needsWholeBody(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
}

/**
 * Collects rows as lines of JSON in a Blob, which browsers keep outside the page's memory. Throws DocmillError above
 * `maxBytes`, the reason of `signal`, and errors of `rows`.
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

/** Collects a stream in a Blob; throws like `gatherRows`. */
export async function gatherStream(
  stream: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
  maxBytes = maxBodyBytes,
): Promise<Blob> {
  const parts = createParts(maxBytes);
  // Not every browser supports iterating streams.
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
