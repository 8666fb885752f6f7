import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { decodedBody } from '../http/decode-body.ts';
import { maxDiscardedBytes } from '../http/read-body.ts';
import { batchLimits } from './batch-limits.ts';
import { malformedStream } from './sources/source-row.ts';

export interface RequestBody {
  /** The body as it arrives, decompressed, with backpressure. Throws when it is cut off, stalls, or is too long. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** SHA-256 of all bytes read, decompressed, hex. */
  checksum(): string;
  /** Reads and discards the rest for up to 10 seconds, so that a client that is still sending can read the response. */
  discard(): Promise<void>;
}

const discardTimeoutMs = 10_000;

export function openRequestBody(c: Context<ApiEnv>): RequestBody {
  const decoded = decodedBody(c);
  const reader = decoded === undefined ? (c.req.raw.body as ReadableStream<Uint8Array> | null)?.getReader() : undefined;
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const next = async (timeoutMs: number): Promise<Uint8Array | undefined> => {
    if (decoded !== undefined) return (await within(timeoutMs, decoded.next())).value ?? undefined;
    if (reader === undefined) return undefined;
    return (await within(timeoutMs, reader.read())).value;
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      let chunk: Uint8Array | undefined;
      try {
        chunk = await next(batchLimits.idleMs);
      } catch (error) {
        if (error instanceof AppError) throw error;
        const problem = error instanceof IdleError ? 'stopped arriving' : 'was cut off';
        const { message, details } = malformedStream(problem, sizeBytes);
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
    async discard() {
      // The rest of a compressed body is discarded undecoded, because its decompressed size may be much larger.
      if (decoded !== undefined) return void decoded.return(undefined);
      const deadline = performance.now() + discardTimeoutMs;
      try {
        for (let discardedBytes = 0; discardedBytes <= maxDiscardedBytes; ) {
          const chunk = await next(Math.max(0, deadline - performance.now()));
          if (chunk === undefined) return;
          discardedBytes += chunk.byteLength;
        }
      } catch {
        // The client has disconnected or is too slow to read the response.
      }
    },
  };
}

class IdleError extends Error {}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new IdleError(`nothing arrived for ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
