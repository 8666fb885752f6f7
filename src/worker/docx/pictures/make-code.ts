import { createRequire } from 'node:module';
import type * as BwipJs from 'bwip-js/node';
import { encodeQR } from 'qr';
import type { Symbology } from '../language/symbologies.ts';
import { writeBilevelPng } from './bilevel-png.ts';
import type { Size } from './fit-picture.ts';
import { emuPer } from './length.ts';
import { drawSvg } from './svg-engine.ts';

export interface MadeCode {
  readonly png: Uint8Array;
  readonly natural: Size;
}

export type CodeMaking = MadeCode | { readonly problem: string };

const mostQrChars = 6_000;
const mostBarcodeChars = 5_000;
const qrQuietModules = 4;
const qrPixelsPerModule = 12;
const qrSideEmu = 3 * emuPer.cm;
const barPixelsPerModule = 8;
/** The nominal width of a bar of EAN and UPC (ISO/IEC 15420); a square module is twice as many pixels wide. */
const barEmu = 0.33 * emuPer.mm;
const halfGrey = 128;
const squareEmu = 0.25 * emuPer.mm;

/** A QR code (ISO/IEC 18004) with the quiet zone of four modules, error correction M. */
export function makeQr(text: string): CodeMaking {
  try {
    if (text.length > mostQrChars) return { problem: 'is too long for a QR code' };
    const modules = encodeQR(text, 'raw', { ecc: 'medium', border: qrQuietModules });
    const side = modules.length * qrPixelsPerModule;
    const isBlack = (x: number, y: number) =>
      modules[(y / qrPixelsPerModule) | 0]?.[(x / qrPixelsPerModule) | 0] === true;
    return { png: writeBilevelPng(side, side, isBlack), natural: { width: qrSideEmu, height: qrSideEmu } };
  } catch (error) {
    if (error instanceof Error && /overflow|capacity/i.test(error.message))
      return { problem: 'is too long for a QR code' };
    throw error;
  }
}

let generator: typeof BwipJs | undefined;

/** A barcode with its text, where its kind has one, and the quiet zones of its standard. */
export function makeBarcode(text: string, { name, encoder, quietModules, isMatrix = false }: Symbology): CodeMaking {
  if (text.length > mostBarcodeChars) return { problem: `is too long for the barcode ${name}` };
  // Two megabytes of code that most documents never need.
  generator ??= createRequire(import.meta.url)('bwip-js/node') as typeof BwipJs;
  const svg = drawBarcode(generator, text, encoder, quietModules, isMatrix);
  if (typeof svg !== 'string') return { problem: `cannot be the barcode ${name}: ${svg.reason}` };
  const { width, height, rgba } = drawSvg(Buffer.from(svg));
  const emuPerPixel = (isMatrix ? squareEmu : barEmu) / barPixelsPerModule;
  const natural = { width: Math.round(width * emuPerPixel), height: Math.round(height * emuPerPixel) };
  return { png: writeBilevelPng(width, height, (x, y) => (rgba[4 * (y * width + x)] ?? 255) < halfGrey), natural };
}

function drawBarcode(
  { toSVG }: typeof BwipJs,
  text: string,
  bcid: string,
  quiet: number,
  isMatrix: boolean,
): string | { readonly reason: string } {
  try {
    return toSVG({
      bcid,
      text,
      scale: barPixelsPerModule,
      includetext: !isMatrix,
      paddingwidth: quiet,
      paddingheight: isMatrix ? quiet : 1,
      backgroundcolor: 'FFFFFF',
      // Code 93 is read with its two check characters only; the generator leaves them out unless it is told.
      ...(bcid === 'code93' ? { includecheck: true } : {}),
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = /^bwipp\.\w+#\d+:\s*(.*)$/s.exec(message)?.[1];
    if (reason === undefined && !message.startsWith('bwip')) throw error;
    return { reason: (reason ?? 'it cannot be encoded').replace(/\.$/, '').slice(0, 200) };
  }
}
