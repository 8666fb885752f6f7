import { isObject } from '../json-editor/is-object.ts';

/** What a picture in the data is: bytes in base64, the name or id of a stored picture, or neither. */
export interface PictureValue {
  readonly base64?: string;
  readonly asset?: string;
}

export function readPicture(value: unknown): PictureValue {
  if (typeof value === 'string') return value === '' ? {} : { base64: value };
  if (!isObject(value)) return {};
  const { asset, data } = value;
  if (typeof asset === 'string' && asset !== '') return { asset };
  return typeof data === 'string' && data !== '' ? { base64: data } : {};
}

/** The value with another picture. Its size, fit and alternative text stay. */
export function withPicture(value: unknown, { base64, asset }: PictureValue): unknown {
  const { asset: _, data: __, ...rest } = isObject(value) ? value : {};
  if (asset !== undefined) return { ...rest, asset };
  const data = base64 ?? '';
  return Object.keys(rest).length === 0 ? data : { ...rest, data };
}

/** How the base64 of a file begins, by the bytes that name its type. */
const beginnings: readonly (readonly [begin: string, mediaType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lG', 'image/gif'],
];

/** An address at which the browser shows the picture. */
export function pictureUrl(base64: string): string {
  if (base64.startsWith('data:')) return base64;
  const [, mediaType = 'image/svg+xml'] = beginnings.find(([begin]) => base64.startsWith(begin)) ?? [];
  return `data:${mediaType};base64,${base64}`;
}

/** The size in bytes of a file in base64, which has four characters for three bytes. */
export function sizeOfBase64(base64: string): number {
  const text = base64.slice(base64.indexOf(',') + 1).replace(/=+$/, '');
  return Math.floor((text.length * 3) / 4);
}

/** The bytes of a file as base64. */
export async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // A function has too few parameters for all bytes of a large file.
  let binary = '';
  for (let from = 0; from < bytes.length; from += chunk)
    binary += String.fromCharCode(...bytes.subarray(from, from + chunk));
  return btoa(binary);
}

const chunk = 0x8000;
