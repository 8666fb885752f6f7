import { deflateSync } from 'node:zlib';

/** The parts of an object: Latin-1 text, and the bytes of a stream. */
export type PdfParts = readonly (string | Uint8Array)[];

/**
 * The fastest level of zlib. Fonts and pictures are compressed once and cached, and pages are only a small part of a
 * file, so a better compression of them would hardly be noticed.
 */
const fastest = 1;

/** Compresses a stream. `entries` are those of its dictionary, without the length and the filter. */
export function deflatedStream(entries: string, data: Uint8Array): PdfParts {
  return rawStream(`${entries} /Filter /FlateDecode`, deflateSync(data, { level: fastest }));
}

/** An unchanged stream. `entries` are those of its dictionary, without the length. */
export function rawStream(entries: string, bytes: Uint8Array): PdfParts {
  return [`<<${entries} /Length ${bytes.length}>>\nstream\n`, bytes, '\nendstream'];
}
