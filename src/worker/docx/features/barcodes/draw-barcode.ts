import { createRequire } from 'node:module';
import type * as BwipJs from 'bwip-js/node';
import { encodeQR } from 'qr';
import { emuPer } from '../../core/pictures/length.ts';
import type { PictureOpening } from '../../core/pictures/picture.ts';
import { type DrawnPixels, drawSvg } from '../../core/pictures/svg-engine.ts';
import type { BarcodeKind } from './barcode-kinds.ts';
import { writeBarcodePng } from './barcode-png.ts';

const maxQrChars = 6_000;
const maxBarcodeChars = 5_000;
const qrQuietModules = 4;
const qrPixelsPerModule = 12;
const qrSideEmu = 3 * emuPer.cm;
/** 308 pixels per inch for bars of nominal width. */
const barPixelsPerModule = 4;
const maxBarPixelsPerModule = 12;
/** The nominal width of a bar of EAN and UPC (ISO/IEC 15420); a square module is twice as many pixels wide. */
const barEmu = 0.33 * emuPer.mm;
const halfGrey = 128;
const squareEmu = 0.25 * emuPer.mm;

/** Draws a QR code (ISO/IEC 18004) with error correction M and a quiet zone of four modules. */
export function drawQr(text: string): PictureOpening {
  try {
    if (text.length > maxQrChars) return { problem: 'is too long for a QR code' };
    const modules = encodeQR(text, 'raw', { ecc: 'medium', border: qrQuietModules });
    const side = modules.length * qrPixelsPerModule;
    const isBlack = (x: number, y: number) =>
      modules[(y / qrPixelsPerModule) | 0]?.[(x / qrPixelsPerModule) | 0] === true;
    const png = writeBarcodePng({ width: side, height: side, edge: qrPixelsPerModule, isBlack });
    return { natural: { width: qrSideEmu, height: qrSideEmu }, bitmap: () => ({ bytes: png, type: 'png' }) };
  } catch (error) {
    if (error instanceof Error && /overflow|capacity/i.test(error.message))
      return { problem: 'is too long for a QR code' };
    throw error;
  }
}

let generator: typeof BwipJs | undefined;

/** Draws a barcode with the quiet zones of its standard and, unless it is a matrix code, its text. */
export function drawBarcode(text: string, kind: BarcodeKind): PictureOpening {
  const { name, isMatrix = false } = kind;
  if (text.length > maxBarcodeChars) return { problem: `is too long for the barcode ${name}` };
  // Loaded on first use: two megabytes of code that most documents never need.
  generator ??= createRequire(import.meta.url)('bwip-js/node') as typeof BwipJs;
  const first = encodeBarcode(generator, text, kind, barPixelsPerModule);
  if ('reason' in first) return { problem: `cannot be the barcode ${name}: ${first.reason}` };
  const emuPerPixel = (isMatrix ? squareEmu : barEmu) / barPixelsPerModule;
  const natural = { width: Math.round(first.width * emuPerPixel), height: Math.round(first.height * emuPerPixel) };
  const png = writePixels(first, barPixelsPerModule);
  const bytes = (widthEmu: number) => enlarged(text, kind, widthEmu / natural.width) ?? png;
  return { natural, bitmap: (widthEmu) => ({ bytes: bytes(widthEmu), type: 'png' }) };
}

/** The barcode with more pixels, if it is shown larger than its natural size. */
function enlarged(text: string, kind: BarcodeKind, ratio: number): Uint8Array | undefined {
  const pixelsPerModule = Math.min(maxBarPixelsPerModule, Math.ceil(barPixelsPerModule * ratio));
  if (generator === undefined || pixelsPerModule <= barPixelsPerModule) return undefined;
  const drawn = encodeBarcode(generator, text, kind, pixelsPerModule);
  return 'reason' in drawn ? undefined : writePixels(drawn, pixelsPerModule);
}

/** The outermost module becomes the transparent edge. Above and below bars, the quiet zone needs less than that. */
function writePixels({ width, height, rgba }: DrawnPixels, edge: number): Uint8Array {
  const isBlack = (x: number, y: number) => (rgba[4 * (y * width + x)] ?? 255) < halfGrey;
  return writeBarcodePng({ width, height, edge, isBlack });
}

function encodeBarcode(
  { toSVG }: typeof BwipJs,
  text: string,
  { encoder: bcid, quietModules, isMatrix = false }: BarcodeKind,
  pixelsPerModule: number,
): DrawnPixels | { readonly reason: string } {
  let svg: string;
  try {
    svg = toSVG({
      bcid,
      text,
      scale: pixelsPerModule,
      includetext: !isMatrix,
      paddingwidth: quietModules,
      paddingheight: isMatrix ? quietModules : 1,
      backgroundcolor: 'FFFFFF',
      // Readers require the two check characters of Code 93, which the generator omits by default.
      ...(bcid === 'code93' ? { includecheck: true } : {}),
    });
  } catch (error) {
    // The generator encodes text as UTF-8, in which half of a surrogate pair cannot be written.
    if (error instanceof URIError) return { reason: 'it has a character that is only half of a pair' };
    const message = error instanceof Error ? error.message : String(error);
    const reason = /^bwipp\.\w+#\d+:\s*(.*)$/s.exec(message)?.[1];
    if (reason === undefined && !message.startsWith('bwip')) throw error;
    return { reason: (reason ?? 'it cannot be encoded').replace(/\.$/, '').slice(0, 200) };
  }
  return drawSvg(Buffer.from(svg));
}
