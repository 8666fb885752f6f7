import type { IncomingMessage } from 'node:http';
import { AppError } from '../../shared/errors.ts';

/** One request's share of the memory for request bodies. */
export interface BodyLease {
  /** Throws `unavailable` when the process already holds too many bytes of request bodies. */
  take(bytes: number): void;
}

/** How much of a rejected body is read and discarded, so that a client that is still sending can read the response. */
export const maxDiscardedBytes = 64 * 1024 * 1024;

/**
 * Reads a whole body of at most `maxBytes`. Throws `invalid_request` for a larger one, and when the client disconnects
 * before its end. Uses Node's stream events, because a `Request` with a web stream would double the CPU time of a small
 * request.
 */
export async function readBody(incoming: IncomingMessage, maxBytes: number, lease: BodyLease): Promise<Buffer> {
  const contentLength = Number(incoming.headers['content-length'] ?? 0);
  if (contentLength > maxBytes) throw tooLarge(maxBytes);
  try {
    return incoming.destroyed ? readRest(incoming, maxBytes, lease) : await collect(incoming, maxBytes, lease);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_request', 'The request body was cut off', { cause: error });
  }
}

/** Reads a whole decompressed body of at most `maxBytes`. Throws `invalid_request` for a larger one, at once. */
export async function readDecoded(chunks: AsyncIterable<Buffer>, maxBytes: number, lease: BodyLease): Promise<Buffer> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    lease.take(chunk.length);
    parts.push(chunk);
  }
  return join(parts, sizeBytes);
}

function collect(incoming: IncomingMessage, maxBytes: number, lease: BodyLease): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
    };
    const fail = (error: unknown): void => {
      stop();
      incoming.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      sizeBytes += chunk.length;
      if (sizeBytes > maxDiscardedBytes) fail(tooLarge(maxBytes));
      if (sizeBytes > maxBytes) return;
      try {
        lease.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      stop();
      if (sizeBytes > maxBytes) reject(tooLarge(maxBytes));
      else resolve(join(chunks, sizeBytes));
    };
    const onCut = (error?: Error): void => {
      stop();
      reject(error ?? cutOff());
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

/** A body that was complete before the client disconnected is still buffered, but emits no events. */
function readRest(incoming: IncomingMessage, maxBytes: number, lease: BodyLease): Buffer {
  if (!incoming.complete) throw incoming.errored ?? cutOff();
  const rest: Buffer = incoming.read() ?? Buffer.alloc(0);
  if (rest.length > maxBytes) throw tooLarge(maxBytes);
  lease.take(rest.length);
  return rest;
}

function join(chunks: readonly Buffer[], sizeBytes: number): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, sizeBytes);
}

const cutOff = (): Error => new Error('the connection ended before the body');

function tooLarge(maxBytes: number): AppError {
  return new AppError('invalid_request', `The request body is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
}
