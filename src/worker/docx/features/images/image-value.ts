import type { PictureSource } from '../../core/pictures/image-store.ts';
import { own } from '../../language/parse-path.ts';

/** A picture as described by the data. */
export interface PictureValue {
  readonly source: PictureSource;
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
