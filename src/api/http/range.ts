/**
 * Parses a `Range` of one span of bytes (RFC 9110, 14.2). Ignores, as a server may, a range that is malformed, not in bytes,
 * of several spans, or outside the file; the response is then the whole file.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): { readonly start: number; readonly end: number } | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return start <= end && start < sizeBytes ? { start, end } : undefined;
}
