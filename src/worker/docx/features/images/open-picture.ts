import { gunzipSync } from 'node:zlib';
import { emuPer } from '../../core/pictures/length.ts';
import { openSvg, SvgEngineNeeded } from '../../core/pictures/svg-engine.ts';
import { validateSvg } from '../../package/validate-svg.ts';
import type { Size } from './fit-picture.ts';
import type { PictureInfo } from './picture-info.ts';
import { pictureLimits } from './picture-limits.ts';
import { withoutOrientation } from './read-exif.ts';
import { readPicture } from './read-picture.ts';
import { sizeAfter, type Turn, turnOf } from './rotation.ts';

export interface Bitmap {
  readonly bytes: Uint8Array;
  readonly type: PictureInfo['type'];
}

/** A picture that was read and found good. */
export interface OpenedPicture {
  /** Of the upright picture. */
  readonly natural: Size;
  /** How the document must turn it; undefined for a picture that is upright. */
  readonly turn?: Turn | undefined;
  /** The bytes to put into the document, for the width it is shown in. */
  bitmap(widthEmu: number): Bitmap;
}

export type PictureOpening = OpenedPicture | { readonly problem: string };

const defaultDpi = 96;
const svgDpi = 300;
const mostSvgPixels = 4_000;
const largestSvgRatio = 100;
/** What cannot be drawn small cannot be drawn at all. */
const probePixels = 8;

/** Opens a picture by its bytes. The problem completes "the value …". Throws SvgEngineNeeded. */
export function openPicture(bytes: Buffer): PictureOpening {
  const info = readPicture(bytes);
  if ('problem' in info) return info;
  if (info.type === 'svg') return openDrawing(bytes);
  const emuPerPixel = emuPer.in / (info.dpi ?? defaultDpi);
  const natural = { width: info.widthPx * emuPerPixel, height: info.heightPx * emuPerPixel };
  const { type, orientation } = info;
  if (orientation === undefined) return { natural, bitmap: () => ({ bytes, type }) };
  const turn = turnOf(orientation.value);
  const neutral = withoutOrientation(bytes, orientation);
  return { natural: sizeAfter(turn, natural), turn, bitmap: () => ({ bytes: neutral, type }) };
}

function openDrawing(bytes: Buffer): PictureOpening {
  const svg = safeSvg(bytes);
  if (typeof svg === 'string') return { problem: svg };
  try {
    const drawing = openSvg(svg);
    const { widthPx, heightPx } = drawing;
    const ratio = widthPx / heightPx;
    if (!(widthPx > 0 && heightPx > 0 && ratio < largestSvgRatio && ratio > 1 / largestSvgRatio))
      return { problem: 'is an SVG without a usable size' };
    drawing.toPng(probePixels);
    const natural = { width: widthPx * emuPer.px, height: heightPx * emuPer.px };
    const most = Math.min(mostSvgPixels, mostSvgPixels * ratio);
    return {
      natural,
      bitmap: (widthEmu) => {
        const wanted = Math.ceil((widthEmu / emuPer.in) * svgDpi);
        return { bytes: drawing.toPng(Math.max(1, Math.min(most, wanted))), type: 'png' };
      },
    };
  } catch (error) {
    if (error instanceof SvgEngineNeeded) throw error;
    return { problem: 'is an SVG that cannot be drawn' };
  }
}

/** The SVG if it refers to nothing outside and does nothing, else what is wrong with it. */
function safeSvg(bytes: Buffer): Buffer | string {
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const svg = isPacked ? gunzipSync(bytes, { maxOutputLength: pictureLimits.bytes }) : bytes;
    const verdict = validateSvg(svg, 'picture');
    if (verdict === 'unsafe') return 'is an SVG that refers to something outside of it, or holds scripts';
    return verdict === 'safe' ? svg : Buffer.from(verdict.text);
  } catch {
    return 'is an SVG that is not well-formed';
  }
}
