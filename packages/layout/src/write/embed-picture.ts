import { deflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { PNG } from 'pngjs';
import { UnknownFeature } from '../unknown-feature.ts';
import type { PdfObjects } from './pdf-objects.ts';

const mostPixels = 40_000_000;
const jpegStart = 0xffd8;
const pngSignature = '89504e470d0a1a0a';

/** A picture as stored in a PDF, with compressed streams. */
interface EncodedPicture {
  /** Entries of the image dictionary. */
  readonly entries: string;
  /** Includes the filter of the stream. */
  readonly colorSpace: string;
  readonly data: Buffer;
  /** The alpha channel, unless the picture is opaque. */
  readonly mask: Buffer | undefined;
}

/** Every document of a template has the same logo, and decoding and compressing it takes longer than the layout. */
const encoded = new LRUCache<string, EncodedPicture>({
  max: 200,
  maxSize: 48 * 1024 * 1024,
  sizeCalculation: ({ data, mask }) => data.length + (mask?.length ?? 0),
});

/**
 * Embeds a PNG or JPEG as an image (ISO 32000-1, 8.9.5). `digest` identifies its bytes. Returns its object number. Throws
 * UnknownFeature for other pictures.
 */
export function embedPicture(objects: PdfObjects, bytes: Buffer, digest: string): number {
  const picture = encoded.get(digest) ?? encodePicture(bytes);
  encoded.set(digest, picture);
  const { entries, colorSpace, data, mask } = picture;
  const shared = `/Type /XObject /Subtype /Image ${entries}`;
  const opacity =
    mask && ` /SMask ${objects.addStream(`${shared} /ColorSpace /DeviceGray /Filter /FlateDecode`, mask, true)} 0 R`;
  return objects.addStream(`${shared} /ColorSpace /${colorSpace}${opacity ?? ''}`, data, true);
}

/** The size of a PNG or JPEG in pixels. Throws UnknownFeature for other pictures. */
export function pictureSize(bytes: Buffer): { width: number; height: number } {
  if (bytes.length > 24 && bytes.toString('hex', 0, 8) === pngSignature)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return jpegFrame(bytes);
}

function encodePicture(bytes: Buffer): EncodedPicture {
  if (bytes.length > 24 && bytes.readUInt16BE(0) === jpegStart) return encodeJpeg(bytes);
  if (bytes.length > 24 && bytes.toString('hex', 0, 8) === pngSignature) return encodePng(bytes);
  throw new UnknownFeature('a picture that is not a PNG or JPEG');
}

function encodePng(bytes: Buffer): EncodedPicture {
  if (bytes.readUInt32BE(16) * bytes.readUInt32BE(20) > mostPixels) throw new UnknownFeature('a very large picture');
  const { width, height, data } = readPng(bytes);
  const colors = Buffer.alloc(width * height * 3);
  const alpha = Buffer.alloc(width * height);
  let isOpaque = true;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    data.copy(colors, pixel * 3, pixel * 4, pixel * 4 + 3);
    const opacity = data[pixel * 4 + 3] ?? 0;
    alpha[pixel] = opacity;
    isOpaque &&= opacity === 0xff;
  }
  return {
    entries: `/Width ${width} /Height ${height} /BitsPerComponent 8`,
    colorSpace: 'DeviceRGB /Filter /FlateDecode',
    data: deflateSync(colors),
    mask: isOpaque ? undefined : deflateSync(alpha),
  };
}

function readPng(bytes: Buffer): PNG {
  try {
    return PNG.sync.read(bytes);
  } catch {
    throw new UnknownFeature('a PNG that is damaged');
  }
}

/** Embeds a JPEG with eight bits per component, in grey or three colours, unchanged. */
function encodeJpeg(bytes: Buffer): EncodedPicture {
  const { width, height, space } = jpegFrame(bytes);
  const entries = `/Width ${width} /Height ${height} /BitsPerComponent 8`;
  return { entries, colorSpace: `${space} /Filter /DCTDecode`, data: Buffer.from(bytes), mask: undefined };
}

function jpegFrame(bytes: Buffer): { width: number; height: number; space: string } {
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) break;
    // Start of frame (ITU-T T.81, table B.1), except for the markers in this range with another meaning.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [bits, height, width] = [bytes[at + 4], bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      const space = bytes[at + 9] === 3 ? 'DeviceRGB' : bytes[at + 9] === 1 ? 'DeviceGray' : undefined;
      if (bits !== 8 || space === undefined || width * height === 0) break;
      return { width, height, space };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  throw new UnknownFeature('a JPEG of another kind');
}
