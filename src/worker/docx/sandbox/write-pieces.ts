import { writeSync } from 'node:fs';

const together = Buffer.allocUnsafeSlow(64 * 1024);

/** Writes one after the other, in a single call where they are small, and waits until the other side has room for them. */
export function writePieces(fd: number, pieces: readonly Uint8Array[]): void {
  const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (size > together.length) {
    for (const piece of pieces) writeWhole(fd, piece);
    return;
  }
  let at = 0;
  for (const piece of pieces) {
    together.set(piece, at);
    at += piece.byteLength;
  }
  writeWhole(fd, together.subarray(0, size));
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
}
