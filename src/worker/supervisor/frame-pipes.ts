import { writeSync } from 'node:fs';
import { type OnReadOpts, Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type Frame, FrameReader, sizeOf } from './frame.ts';

/** The file descriptors from which a process reads frames, and to which it writes them. */
const requestsFd = 0;
export const answersFd = 3;
/** The `stdio` option of `spawn` for these pipes. All other output of the process is discarded. */
export const framePipes = ['pipe', 'ignore', 'ignore', 'pipe'] as const;

/** Frames up to this size are copied into one buffer and sent with a single write. */
const smallBytes = 64 * 1024;
const readBytes = 64 * 1024;
const maxRequestBytes = 2 ** 32;

export interface FramePipes {
  readonly requests: Writable;
  readonly answers: Readable;
}

/**
 * The pipes to a process; undefined if it could not be started for lack of file descriptors, in which case its error
 * event follows.
 */
export function framePipesOf({ stdio }: { readonly stdio?: readonly unknown[] }): FramePipes | undefined {
  const [requests, answers] = [stdio?.[requestsFd], stdio?.[answersFd]] as [Writable?, Readable?];
  if (requests === undefined || answers === undefined) return undefined;
  // Ignored, because the exit of the process is reported.
  for (const pipe of [requests, answers]) pipe.on('error', () => undefined);
  return { requests, answers };
}

/** Sends the pieces of a frame to a process. */
export function sendFrame(requests: Writable, pieces: readonly Uint8Array[]): void {
  const size = sizeOf(pieces);
  if (size <= smallBytes) {
    requests.write(Buffer.concat(pieces, size));
    return;
  }
  requests.cork();
  for (const piece of pieces) requests.write(piece);
  requests.uncork();
}

/**
 * In a child process: reads the frames of its parent, and exits when the parent is gone. Frames are copies and may be
 * kept.
 */
export function onFrame(use: (frame: Frame) => void): void {
  const reader = new FrameReader({ maxBytes: maxRequestBytes, keepsChunks: false });
  const read: OnReadOpts['callback'] = (count, buffer) => {
    for (const frame of reader.push(Buffer.from(buffer.buffer, buffer.byteOffset, count))) use(frame);
    return true;
  };
  const pipe = { fd: requestsFd, writable: false, onread: { buffer: Buffer.alloc(readBytes), callback: read } };
  const requests = new Socket(pipe);
  requests.on('error', () => undefined);
  requests.on('close', () => process.exit(0));
}

/** Small answers are copied into this buffer, so that they need only one write. */
const outgoing = Buffer.allocUnsafeSlow(smallBytes);

/**
 * In a child process: writes the pieces of a frame, and blocks until its parent has read them. Exits when the parent is
 * gone.
 */
export function writeFrame(pieces: readonly Uint8Array[]): void {
  try {
    if (sizeOf(pieces) > outgoing.length) {
      for (const piece of pieces) writeWhole(piece);
      return;
    }
    let at = 0;
    for (const piece of pieces) {
      outgoing.set(piece, at);
      at += piece.byteLength;
    }
    writeWhole(outgoing.subarray(0, at));
  } catch {
    process.exit(0);
  }
}

function writeWhole(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; ) at += writeSync(answersFd, bytes, at);
}
