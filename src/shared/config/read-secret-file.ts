import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Large enough for a bundle of certificate authorities. */
const maxBytes = 1024 * 1024;

/**
 * Reads a secret from `path`, without the trailing line ends that editors, `echo` and container engines add. `problem`
 * says why the file cannot be used, worded to follow the path, and never includes its content.
 */
export function readSecretFile(path: string): { readonly value: string } | { readonly problem: string } {
  try {
    const bytes = readBounded(path);
    if (bytes === undefined) return { problem: 'is not a regular file' };
    if (bytes.byteLength > maxBytes) return { problem: `is larger than ${maxBytes} bytes` };
    const text = toText(bytes);
    if (text === undefined) return { problem: 'is not text in UTF-8' };
    const value = text.replace(/[\r\n]+$/, '');
    return value === '' ? { problem: 'is empty' } : { value };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { problem: `cannot be read (${code})` };
  }
}

/**
 * Reads at most one byte more than allowed. Undefined for anything but a regular file, such as a pipe without a writer.
 */
function readBounded(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) return undefined;
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.byteLength; length += read) {
      read = readSync(file, bytes, length, bytes.byteLength - length, null);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

function toText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
