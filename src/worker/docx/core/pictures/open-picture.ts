import { gunzipSync } from 'node:zlib';
import { svgExpansionProblem } from '../../package/svg-expansion.ts';
import { validateSvg } from '../../package/validate-svg.ts';
import { decodeXml } from '../../package/xml-text.ts';
import { withoutOrientation } from './formats/orientation.ts';
import { readPicture } from './formats/read-picture.ts';
import { emuPer } from './length.ts';
import type { PictureOpening } from './picture.ts';
import { pictureLimits } from './picture-limits.ts';
import { rotationOf, sizeAfter } from './rotation.ts';
import { openSvg, SvgEngineNeeded } from './svg-engine.ts';

const defaultDpi = 96;
const svgDpi = 300;
const maxSvgPixels = 4_000;
const maxSvgRatio = 100;
/** Size of a trial drawing that detects broken SVGs. */
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
  const rotation = rotationOf(orientation.value);
  const neutral = withoutOrientation(bytes, orientation);
  return { natural: sizeAfter(rotation, natural), rotation, bitmap: () => ({ bytes: neutral, type }) };
}

function openDrawing(bytes: Buffer): PictureOpening {
  const svg = safeSvg(bytes);
  if (typeof svg === 'string') return { problem: svg };
  try {
    const drawing = openSvg(svg);
    const { widthPx, heightPx } = drawing;
    const ratio = widthPx / heightPx;
    if (!(widthPx > 0 && heightPx > 0 && ratio < maxSvgRatio && ratio > 1 / maxSvgRatio))
      return { problem: 'is an SVG without a usable size' };
    drawing.toPng(probePixels);
    const natural = { width: widthPx * emuPer.px, height: heightPx * emuPer.px };
    const maxPixels = Math.min(maxSvgPixels, maxSvgPixels * ratio);
    return {
      natural,
      missing: drawing.missing,
      bitmap: (widthEmu) => {
        const neededPixels = Math.ceil((widthEmu / emuPer.in) * svgDpi);
        return { bytes: drawing.toPng(Math.max(1, Math.min(maxPixels, neededPixels))), type: 'png' };
      },
    };
  } catch (error) {
    if (error instanceof SvgEngineNeeded) throw error;
    return { problem: 'is an SVG that cannot be drawn' };
  }
}

/** The SVG if it is well-formed and has no scripts or external references, otherwise the problem. */
function safeSvg(bytes: Buffer): Buffer | string {
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const svg = isPacked ? gunzipSync(bytes, { maxOutputLength: pictureLimits.bytes }) : bytes;
    const problem = svgExpansionProblem(decodeXml(svg, 'picture'));
    if (problem !== undefined) return `is an SVG that ${problem}`;
    const verdict = validateSvg(svg, 'picture');
    if (verdict === 'unsafe') return 'is an SVG that refers to something outside of it, or holds scripts';
    return verdict === 'safe' ? svg : Buffer.from(verdict.text);
  } catch {
    return 'is an SVG that is not well-formed';
  }
}
