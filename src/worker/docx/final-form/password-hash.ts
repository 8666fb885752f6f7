import { hash } from 'node:crypto';

/** What Word writes. */
export const spinCount = 100_000;
const maxPasswordChars = 15;

/**
 * The hash of a password that Word compares when somebody turns off a protection: SHA-512 of the salt and the password's
 * key (ECMA-376 part 4, 2.15.1.28; MS-OE376, 2.1.409), spun. Takes about 0.15 s of processor time.
 */
export function hashPassword(password: string, salt: Buffer): Buffer {
  return spin(Buffer.concat([salt, Buffer.from(keyOf(password), 'utf16le')]));
}

/** The same for documents of the strict form, which hash the password itself (ISO/IEC 29500-1, 17.15.1.29). */
export function hashIsoPassword(password: string, salt: Buffer): Buffer {
  return spin(Buffer.concat([salt, Buffer.from(password, 'utf16le')]));
}

/** The hash of `content`, hashed again `spinCount` times with a counter after it. */
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
 * The key that Word hashes instead of the password: 32 bits as hexadecimal digits, least significant byte first. It
 * covers the first 15 characters, and one byte of each.
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
