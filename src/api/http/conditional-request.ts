import type { ExpectedState } from '../../shared/domain/templates/change-template.ts';
import { invalidField } from './parse-request.ts';

/** Identifies the state of a template by its current version and the time of its last change. */
export function toEntityTag(state: ExpectedState): string {
  return `"${state.version}-${state.updatedAt.getTime()}"`;
}

/** Parses `If-Match` (RFC 9110, 13.1.1): one entity tag of this service, or `*`, which matches any state. */
export function parseIfMatch(header: string | undefined): ExpectedState | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const match = /^\s*"(\d{1,9})-(\d{1,16})"\s*$/.exec(header);
  if (match === null) throw invalidField('If-Match', 'must be an entity tag from an ETag header of this service, or *');
  return { version: Number(match[1]), updatedAt: new Date(Number(match[2])) };
}

/** Offsets of the first and the last byte, from 0. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The requested range of a file; undefined without one, or when `If-Range` names another version (RFC 9110, 13.1.5).
 */
export function requestedRange(
  request: { header(name: string): string | undefined },
  { etag, sizeBytes }: { readonly etag: string; readonly sizeBytes: number },
): ByteRange | undefined {
  return (request.header('If-Range') ?? etag) === etag ? parseRange(request.header('Range'), sizeBytes) : undefined;
}

/**
 * Parses a single byte range (RFC 9110, 14.2). A range that is malformed, not in bytes, multiple, or outside the file
 * is ignored, as the RFC permits; the response is then the whole file.
 */
function parseRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return start <= end && start < sizeBytes ? { start, end } : undefined;
}
