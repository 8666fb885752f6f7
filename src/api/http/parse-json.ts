import { isUtf8 } from 'node:buffer';
import { locateJsonError } from './locate-json-error.ts';
import { scanJson } from './scan-json.ts';

export const maxJsonDepth = 64;

export type ParsedJson =
  /** `data` is the text of this member of the outermost object, byte for byte as it was sent. */
  | { readonly value: unknown; readonly data: Buffer | undefined }
  /** The problem with the text, as a predicate: "is not valid JSON (at byte 12)". */
  | { readonly problem: string };

/** Parses JSON in UTF-8 that nests at most 64 levels, with or without a byte order mark. */
export function parseJson(text: Buffer): ParsedJson {
  const bytes = withoutBom(text);
  if (!isUtf8(bytes)) return { problem: encodingProblem(bytes) };
  const { depth, members } = scanJson(bytes, maxJsonDepth);
  if (depth > maxJsonDepth) return { problem: `nests deeper than ${maxJsonDepth} levels` };
  try {
    return { value: JSON.parse(bytes.toString('utf8')), data: members.get('data') };
  } catch {
    if (text.length === 0) return { problem: 'is empty' };
    const errorAt = locateJsonError(bytes);
    const where = errorAt === undefined ? '' : ` (at byte ${errorAt + text.length - bytes.length})`;
    return { problem: `is not valid JSON${where}` };
  }
}

/** The problem of text that is not UTF-8. */
export function encodingProblem(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? 'is compressed. Send it with Content-Encoding: gzip' : 'is not valid UTF-8';
}

/** Senders must not add a byte order mark, receivers may ignore it (RFC 8259, 8.1). */
export function withoutBom(text: Buffer): Buffer {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? text.subarray(3) : text;
}
