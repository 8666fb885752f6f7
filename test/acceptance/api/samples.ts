import { randomBytes } from 'node:crypto';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

export const megabyte = 1024 * 1024;

/** A template with one paragraph for each text. */
export function letter(...texts: readonly string[]): Buffer {
  return buildDocx({ body: texts.map((text) => paragraph(text)).join('') });
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** A valid template of exactly this size, padded with an uncompressed picture. */
export function letterOfSize(sizeBytes: number): Buffer {
  const build = (padding: Uint8Array) =>
    buildDocx({ body: paragraph('Dear {name}'), parts: { 'word/media/noise.png': padding }, compression: 'store' });
  const padding = randomBytes(sizeBytes - build(new Uint8Array()).length);
  pngSignature.copy(padding);
  return build(padding);
}

/** A unique word: wherever it appears, data has leaked. */
export function canary(): string {
  return `kanarienvogel${randomBytes(8).toString('hex')}`;
}

/** An address that no other test uses. */
export function address(name = 'reader'): string {
  return `${name}.${randomBytes(6).toString('hex')}@inbox.example`;
}
