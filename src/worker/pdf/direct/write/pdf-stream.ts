import { deflateSync } from 'node:zlib';

/** An object: text in Latin-1, and the bytes of a stream. */
export type PdfParts = readonly (string | Uint8Array)[];

/** Fonts and pictures are kept deflated; pages are new in each document, and a small part of its file. */
const fastest = 1;

/** A stream that is compressed here. `entries` are those of its dictionary but the length and the filter. */
export function deflatedStream(entries: string, data: Uint8Array): PdfParts {
  return rawStream(`${entries} /Filter /FlateDecode`, deflateSync(data, { level: fastest }));
}

/** A stream as it is. `entries` are those of its dictionary but the length. */
export function rawStream(entries: string, bytes: Uint8Array): PdfParts {
  return [`<<${entries} /Length ${bytes.length}>>\nstream\n`, bytes, '\nendstream'];
}
