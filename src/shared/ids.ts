import { randomBytes, randomFillSync } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeCharacters = 10;
const randomBytesEach = 10;

const pool = Buffer.alloc(512 * randomBytesEach);
let used = pool.length;
// A string built character by character takes ten times the memory until it is flattened.
const text = Buffer.alloc(64);

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
  | 'ast'
  | 'fnt'
  | 'dic'
  | 'aud'
  | 'prv'
  | 'ins'
  | 'opk'
  | 'ers';

/**
 * A new identifier: the prefix, an underscore and 26 Crockford base-32 characters (48 bits of Unix milliseconds, then
 * 80 random bits, as in a ULID), so that ids sort by creation time.
 */
export function newId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  const start = text.write(`${prefix}_`, 'latin1');
  let remaining = nowMs;
  for (let i = start + timeCharacters - 1; i >= start; i--) {
    text[i] = alphabet.charCodeAt(remaining % 32);
    remaining = Math.floor(remaining / 32);
  }
  const from = nextRandom();
  let bits = 0;
  let held = 0;
  let end = start + timeCharacters;
  for (let i = from; i < from + randomBytesEach; i++) {
    held = (held << 8) | (pool[i] ?? 0);
    for (bits += 8; bits >= 5; bits -= 5) text[end++] = alphabet.charCodeAt((held >> (bits - 5)) & 31);
    held &= 31;
  }
  return text.toString('latin1', 0, end);
}

/** The start of the ids of a millisecond. It sorts before them and after all earlier ids. */
export const lowestId = (prefix: IdPrefix, ms: number): string =>
  newId(prefix, ms).slice(0, prefix.length + 1 + timeCharacters);

/** The offset of the next unused bytes of the pool, which avoids a costly request for random bytes per id. */
function nextRandom(): number {
  const isSpent = used + randomBytesEach > pool.length;
  if (isSpent) randomFillSync(pool);
  const from = isSpent ? 0 : used;
  used = from + randomBytesEach;
  return from;
}

/** A random Crockford base-32 string of the given length (5 bits a character). */
export function randomText(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += alphabet[byte & 31] ?? '';
  return text;
}
