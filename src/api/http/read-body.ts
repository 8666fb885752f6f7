import type { IncomingMessage } from 'node:http';
import { AppError } from '../../shared/errors.ts';

/** One request's share of what request bodies use: memory, and the time of the event loop. */
export interface BodyLease {
  /** Throws `unavailable` when the process already holds too many bytes of request bodies. */
  take(bytes: number): void;
  /** Calls `resume` in a round of the event loop in which the account may read another part of a large body. */
  schedule(resume: () => void): void;
}

/** Bodies from this size on are read into shared memory, where a thread can parse them without a copy. */
const largeBytes = 256 * 1024;

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
  // The copy is made as chunks arrive, because one of the whole body would delay other requests. No chunk, no memory.
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

/** Memory that is filled with zeros, page by page, only when it is written to. */
const allocate = (sizeBytes: number): Buffer => Buffer.from(new SharedArrayBuffer(sizeBytes));

const cutOff = (): Error => new Error('the connection ended before the body');

function tooLarge(maxBytes: number): AppError {
  return new AppError('invalid_request', `The request body is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
}
