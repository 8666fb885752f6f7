import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'acc'
  | 'key'
  | 'tpl'
  | 'doc'
  | 'dlv'
  | 'crd'
  | 'alw'
  | 'upl'
  | 'req'
  | 'att'
  | 'api'
  | 'wrk'
  | 'whk'
  | 'evt'
  | 'whd'
  | 'bat'
  | 'ast';

/**
 * A new identifier: prefix, underscore, 26 Crockford base-32 characters (48 bits of Unix milliseconds, then 80 random
 * bits, as a ULID), so that rows made later sort later.
 */
export function newId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  let value = BigInt(`0x${bytes.toString('hex')}`);
  // Added up character by character, a string takes ten times the memory for as long as nobody reads it.
  const text = Buffer.allocUnsafe(prefix.length + 27);
  text.write(`${prefix}_`, 'latin1');
  for (let i = text.length - 1; i > prefix.length; i--) {
    text[i] = alphabet.charCodeAt(Number(value & 31n));
    value >>= 5n;
  }
  return text.toString('latin1');
}

/** Random Crockford base-32 text of the given length (5 bits a character). */
export function randomText(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += alphabet[byte & 31] ?? '';
  return text;
}
