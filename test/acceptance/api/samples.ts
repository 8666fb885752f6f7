import { randomBytes } from 'node:crypto';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

export const megabyte = 1024 * 1024;

/** A template with one paragraph for each text. */
export function letter(...texts: readonly string[]): Buffer {
  return buildDocx({ body: texts.map((text) => paragraph(text)).join('') });
}

/** A valid template of exactly this size: the rest is a picture that is stored as it is. */
export function letterOfSize(sizeBytes: number): Buffer {
  const build = (padding: Uint8Array) =>
    buildDocx({ body: paragraph('Dear {name}'), parts: { 'word/media/noise.png': padding }, compression: 'store' });
  return build(randomBytes(sizeBytes - build(new Uint8Array()).length));
}

/** A word that occurs nowhere else: where it shows up is where it leaked to. */
export function canary(): string {
  return `kanarienvogel${randomBytes(8).toString('hex')}`;
}

/** An address that nobody else gets mail at. */
export function address(name = 'reader'): string {
  return `${name}.${randomBytes(6).toString('hex')}@inbox.example`;
}
