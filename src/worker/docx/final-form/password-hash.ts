import { hash } from 'node:crypto';

/** The number of iterations that Word writes. */
export const spinCount = 100_000;
const maxPasswordChars = 15;

/**
 * The hash that Word checks when a user turns off the protection: iterated SHA-512 of the salt and the password's key
 * (ECMA-376 part 4, 2.15.1.28; MS-OE376, 2.1.409). Takes about 0.15 s of CPU time.
 */
export function hashPassword(password: string, salt: Buffer): Buffer {
  return spin(Buffer.concat([salt, Buffer.from(keyOf(password), 'utf16le')]));
}

/** The same for strict documents, which hash the password itself (ISO/IEC 29500-1, 17.15.1.29). */
export function hashIsoPassword(password: string, salt: Buffer): Buffer {
  return spin(Buffer.concat([salt, Buffer.from(password, 'utf16le')]));
}

/** Hashes `content`, and then `spinCount` times the previous hash with an appended counter. */
function spin(content: Buffer): Buffer {
  let spun = hash('sha512', content, 'buffer');
  const round = Buffer.alloc(spun.length + 4);
  for (let i = 0; i < spinCount; i++) {
    spun.copy(round);
    round.writeUInt32LE(i, spun.length);
    spun = hash('sha512', round, 'buffer');
  }
  return spun;
}

/**
 * The key that Word hashes instead of the password: 32 bits as hexadecimal digits, least significant byte first. Only
 * the first 15 characters count, and of each only one byte.
 */
function keyOf(password: string): string {
  const bytes = Array.from(password.slice(0, maxPasswordChars).split(''), (char) => {
    const code = char.charCodeAt(0);
    return code & 0xff || code >> 8;
  });
  const key = Buffer.alloc(4);
  key.writeUInt16LE(lowWord(bytes), 0);
  key.writeUInt16LE(highWord(bytes), 2);
  return key.toString('hex').toUpperCase();
}

function lowWord(bytes: readonly number[]): number {
  const rotate = (word: number): number => ((word >> 14) & 1) | ((word << 1) & 0x7fff);
  const word = bytes.reduceRight((result, byte) => rotate(result) ^ byte, 0);
  return rotate(word) ^ bytes.length ^ 0xce4b;
}

/** The tables of the standard are those of CRC-16/CCITT over the lower seven bits of each byte. */
function highWord(bytes: readonly number[]): number {
  let word = 0xffff;
  for (const byte of bytes) {
    word ^= (byte & 0x7f) << 8;
    for (let bit = 0; bit < 8; bit++) word = word & 0x8000 ? ((word << 1) ^ 0x1021) & 0xffff : word << 1;
  }
  return word;
}
