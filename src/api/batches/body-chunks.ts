import { createHash } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import { maxRefusedBytes } from '../http/read-body.ts';
import { batchLimits } from './batch-limits.ts';
import { malformedStream } from './malformed-stream.ts';

export interface BatchBody {
  /** The body as it arrives, asked for only as fast as it is taken. Throws when it is cut off, stops, or is too long. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** SHA-256 of all that was read, hex. */
  checksum(): string;
  /** Reads on and drops for a while: a client that is cut off while it sends does not see the answer. */
  drop(): Promise<void>;
}

const patienceMs = 10_000;

export function openBody(request: Request): BatchBody {
  const reader = (request.body as ReadableStream<Uint8Array> | null)?.getReader();
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const next = async (timeoutMs: number): Promise<Uint8Array | undefined> => {
    if (reader === undefined) return undefined;
    return (await within(timeoutMs, reader.read())).value;
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      let chunk: Uint8Array | undefined;
      try {
        chunk = await next(batchLimits.silenceMs);
      } catch (error) {
        const what = error instanceof Silence ? 'stopped arriving' : 'was cut off';
        const { message, details } = malformedStream(what, sizeBytes);
        throw new AppError('invalid_request', message, { details, cause: error });
      }
      if (chunk === undefined) return;
      sizeBytes += chunk.byteLength;
      if (sizeBytes > batchLimits.bytes) throw malformedStream('is larger than 1 GB', batchLimits.bytes);
      hash.update(chunk);
      yield chunk;
    }
  }
  return {
    chunks: chunks(),
    checksum: () => hash.copy().digest('hex'),
    async drop() {
      const endMs = performance.now() + patienceMs;
      try {
        for (let dropped = 0; dropped <= maxRefusedBytes; ) {
          const chunk = await next(Math.max(0, endMs - performance.now()));
          if (chunk === undefined) return;
          dropped += chunk.byteLength;
        }
      } catch {
        // Who is gone, or too slow, does not see the answer.
      }
    },
  };
}

class Silence extends Error {}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Silence(`nothing arrived for ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
