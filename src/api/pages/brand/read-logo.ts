import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { PNG } from 'pngjs';
import { SaxesParser } from 'saxes';
import { ConfigError } from '../../../shared/config/load-config.ts';

export interface Logo {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: 'image/svg+xml' | 'image/png';
  /** Changes with the bytes. */
  readonly hash: string;
}

const maxBytes = 256 * 1024;
const maxPixels = 1_024;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Reads and checks the file of a logo.
 *
 * @throws ConfigError if it is missing, too large, or neither an SVG nor a PNG that browsers can show
 */
export function readLogo(path: string): Logo {
  const bytes = readBytes(path);
  const isPng = bytes.subarray(0, pngSignature.length).equals(pngSignature);
  const problem = isPng ? problemOfPng(bytes) : problemOfSvg(bytes);
  if (problem !== undefined) throw new ConfigError(`BRAND_LOGO: ${path} ${problem}`);
  return {
    bytes: Uint8Array.from(bytes),
    contentType: isPng ? 'image/png' : 'image/svg+xml',
    hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 16),
  };
}

function readBytes(path: string): Buffer {
  let size: number;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new ConfigError(`BRAND_LOGO: ${path} is not a file`);
    size = found.size;
    if (size <= maxBytes) return readFileSync(path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`BRAND_LOGO: ${path} cannot be read (${codeOf(error)})`);
  }
  throw new ConfigError(`BRAND_LOGO: ${path} has ${size} bytes; at most ${maxBytes} are allowed`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

function problemOfPng(bytes: Buffer): string | undefined {
  // The header (IHDR) is always first. A small file can claim a size that would need gigabytes of memory.
  const [width, height] = bytes.length < 24 ? [0, 0] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width > maxPixels || height > maxPixels)
    return `has ${width} × ${height} pixels; at most ${maxPixels} × ${maxPixels} are allowed`;
  try {
    PNG.sync.read(bytes);
    return undefined;
  } catch {
    return 'is a damaged PNG: save it again';
  }
}

function problemOfSvg(bytes: Buffer): string | undefined {
  let root: string | undefined;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('document type');
  });
  parser.on('opentag', ({ local, uri }) => {
    root ??= `${uri} ${local}`;
  });
  try {
    parser.write(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).close();
  } catch {
    return 'must be a PNG, or an SVG that is well-formed XML in UTF-8 without a document type (<!DOCTYPE>)';
  }
  return root === 'http://www.w3.org/2000/svg svg'
    ? undefined
    : 'must be a PNG or an SVG; the first element of an SVG is <svg xmlns="http://www.w3.org/2000/svg">';
}
