import type { IncomingMessage } from 'node:http';
import { AppError } from '../../shared/errors.ts';

/** One request's share of the resources for request bodies: memory and event-loop time. */
export interface BodyLease {
  /** Throws `unavailable` when the process already holds too many bytes of request bodies. */
  take(bytes: number): void;
  /** Calls `resume` in a round of the event loop in which the account may read another part of a large body. */
  schedule(resume: () => void): void;
}

/** Bodies of this size or more are read into shared memory, where a thread can parse them without a copy. */
const largeBytes = 256 * 1024;

/**
 * The maximum size of a rejected body that is read and discarded, so that a client that is still sending can read the
 * response.
 */
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
    throw new AppError('invalid_request', 'The request body was cut off. Send the request again.', { cause: error });
  }
}

/**
 * Reads a whole decompressed body of at most `maxBytes`. Throws `invalid_request` for a larger one without reading the
 * rest.
 */
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
  // Chunks are copied as they arrive, because copying the whole body at once would delay other requests. No memory is
  // taken before the first chunk.
  const declaredBytes = Number(incoming.headers['content-length'] ?? 0);
  const isSmall = declaredBytes > 0 && declaredBytes < largeBytes;
  let whole: Buffer | undefined;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const keep = (chunk: Buffer): void => {
    if (declaredBytes < largeBytes) {
      chunks.push(chunk);
      return;
    }
    whole ??= allocate(declaredBytes);
    chunk.copy(whole, sizeBytes - chunk.length);
  };
  return new Promise((resolve, reject) => {
    let isStopped = false;
    const stop = (): void => {
      isStopped = true;
      incoming.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
    };
    const fail = (error: unknown): void => {
      stop();
      incoming.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      sizeBytes += chunk.length;
      if (!isSmall) {
        incoming.pause();
        lease.schedule(() => {
          if (!isStopped) incoming.resume();
        });
      }
      if (sizeBytes > maxDiscardedBytes) fail(tooLarge(maxBytes));
      if (sizeBytes > maxBytes) return;
      try {
        lease.take(chunk.length);
        keep(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      stop();
      if (sizeBytes > maxBytes) reject(tooLarge(maxBytes));
      else resolve(whole ?? join(chunks, sizeBytes));
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
  if (first !== undefined && chunks.length === 1) return first;
  if (sizeBytes < largeBytes) return Buffer.concat(chunks, sizeBytes);
  const whole = allocate(sizeBytes);
  let position = 0;
  for (const chunk of chunks) position += chunk.copy(whole, position);
  return whole;
}

/** Allocates memory whose pages are zeroed only when they are first written. */
const allocate = (sizeBytes: number): Buffer => Buffer.from(new SharedArrayBuffer(sizeBytes));

const cutOff = (): Error => new Error('the connection ended before the body');

function tooLarge(maxBytes: number): AppError {
  return new AppError('invalid_request', `The request body is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
}
