import { parseJson } from './parse-json.ts';

export type ThreadAnswer =
  | { readonly value: unknown; readonly data: Uint8Array | undefined }
  | { readonly problem: string };

/**
 * Parses text in shared memory; runs in a thread. Returns the value without its large `data`, so that little is copied.
 */
export default function parseInThread(text: Uint8Array): ThreadAnswer {
  const parsed = parseJson(Buffer.from(text.buffer, text.byteOffset, text.length));
  return 'problem' in parsed ? parsed : { ...parsed, value: withoutData(parsed.value) };
}

function withoutData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('data' in value)) return value;
  return { ...value, data: emptyLike(value.data) };
}

function emptyLike(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? [] : {};
}
