import { own } from '../../language/parse-path.ts';
import { pictureLimits } from './picture-limits.ts';

/** A picture as described by the data. */
export interface PictureValue {
  readonly source:
    | { readonly kind: 'bytes'; readonly text: string }
    | { readonly kind: 'asset'; readonly name: string };
  /** The key of the object that holds the picture; empty when the value itself does. */
  readonly key: string;
  readonly width?: unknown;
  readonly height?: unknown;
  readonly fit?: unknown;
  readonly alt?: unknown;
}

type PictureValueReading = PictureValue | 'nothing' | { readonly problem: string; readonly key?: string };

const holders = ['data', 'base64', 'dataUrl'] as const;
const shape = 'must be a picture: base64, a data URL, or an object with "data" or "asset"';
const maxNameLength = 255;

/** Reads `"iVBOR…"`, `"data:image/png;base64,…"`, `{data, width, height, fit, alt}` or `{asset, …}`. */
export function readPictureValue(value: unknown): PictureValueReading {
  if (value === null || value === undefined || value === '' || value === false) return 'nothing';
  if (typeof value === 'string') return { source: { kind: 'bytes', text: value }, key: '' };
  if (typeof value !== 'object' || Array.isArray(value)) return { problem: shape };
  const options = {
    width: own(value, 'width'),
    height: own(value, 'height'),
    fit: own(value, 'fit'),
    alt: own(value, 'alt'),
  };
  const asset = own(value, 'asset') ?? null;
  if (asset !== null) {
    if (typeof asset !== 'string' || asset === '' || asset.length > maxNameLength)
      return { problem: 'must be the id or the name of an asset', key: 'asset' };
    return { source: { kind: 'asset', name: asset }, key: 'asset', ...options };
  }
  const key = holders.find((holder) => (own(value, holder) ?? null) !== null);
  if (key === undefined) return holders.some((holder) => own(value, holder) === null) ? 'nothing' : { problem: shape };
  const text = own(value, key);
  if (text === '') return 'nothing';
  if (typeof text !== 'string') return { problem: 'must be base64 or a data URL', key };
  return { source: { kind: 'bytes', text }, key, ...options };
}

type Decoding = { readonly bytes: Buffer } | { readonly problem: string };

const address = /^\s*(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\/\/|file:|cid:|blob:|www\.)/i;
const dataUrl = /^\s*data:([^,]{0,200}),/i;
const maxChars = Math.ceil((pictureLimits.bytes * 4) / 3) * 1.1;

/** Decodes base64 or base64url (RFC 4648) or a data URL (RFC 2397). Other URLs are never fetched. */
export function decodeBase64(text: string): Decoding {
  if (address.test(text)) {
    return {
      problem: 'is an address; pictures are never fetched: send the picture itself as base64, or name an asset',
    };
  }
  if (text.length > maxChars) return { problem: `is a picture of more than ${pictureLimits.bytes / 1024 / 1024} MB` };
  const url = dataUrl.exec(text);
  if (url === null && /^\s*data:/i.test(text)) return { problem: 'is a data URL without data' };
  const content = url === null ? text : text.slice(url[0].length);
  if (url !== null && !/;\s*base64\s*$/i.test(url[1] ?? '')) return decodePercent(content);
  const packed = /\s/.test(content) ? content.replace(/\s+/g, '') : content;
  const bytes = Buffer.from(packed, 'base64');
  const padding = packed.endsWith('==') ? 2 : packed.endsWith('=') ? 1 : 0;
  const isWhole = bytes.length === Math.floor(((packed.length - padding) * 3) / 4);
  return isWhole && bytes.length > 0 ? { bytes } : { problem: 'is not valid base64' };
}

function decodePercent(content: string): Decoding {
  try {
    return { bytes: Buffer.from(decodeURIComponent(content)) };
  } catch {
    return { problem: 'is a data URL that cannot be read' };
  }
}
