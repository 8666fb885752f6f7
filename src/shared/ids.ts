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
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = (alphabet[Number(value & 31n)] ?? '') + text;
    value >>= 5n;
  }
  return `${prefix}_${text}`;
}

/** Random Crockford base-32 text of the given length (5 bits a character). */
export function randomText(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += alphabet[byte & 31] ?? '';
  return text;
}
