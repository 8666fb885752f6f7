import { gunzipSync } from 'node:zlib';
import { refusal } from './refusal.ts';

const headBytes = 64;

/** Access to a part. All of it is read only if the first bytes may be an SVG. */
export interface PartSource {
  readonly name: string;
  readonly head: Buffer;
  readonly readAll: () => Buffer;
}

/**
 * The unpacked SVG in a part, regardless of its name: readers trust content, so an SVG may be named .png and be gzipped.
 * Undefined for other content.
 */
export function svgContent(part: PartSource, maxBytes: number): Buffer | undefined {
  const isGzip = part.head[0] === 0x1f && part.head[1] === 0x8b;
  if (!isGzip && !startsLikeXml(part.head)) return undefined;
  const content = isGzip ? gunzip(part, maxBytes) : part.readAll();
  if (content === undefined || !startsLikeXml(content.subarray(0, headBytes))) return undefined;
  return /s\0?v\0?g/i.test(content.toString('latin1')) ? content : undefined;
}

/** The standard document type that drawing programs write. It declares no entity and is never fetched. */
export function isPlainSvgDoctype(doctype: string): boolean {
  return /^\s*svg\s+PUBLIC\s+["']-\/\/W3C\/\/DTD SVG [\w .]{1,30}\/\/EN["']\s+["']https?:\/\/www\.w3\.org\/[\w./-]{1,80}["']\s*$/.test(
    doctype,
  );
}

// White space and byte order marks may precede the first tag; in UTF-16 every other byte is zero.
function startsLikeXml(head: Buffer): boolean {
  for (const byte of head) {
    if (byte === 0x3c) return true;
    if (byte > 0x20 && ![0xef, 0xbb, 0xbf, 0xff, 0xfe].includes(byte)) return false;
  }
  return head.length >= headBytes;
}

function gunzip(part: PartSource, maxBytes: number): Buffer | undefined {
  try {
    return gunzipSync(part.readAll(), { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw refusal('The picture unpacks to more than a part may hold.', part.name);
    return undefined;
  }
}
