/** Where a token ends; where it stops being one, when it is not whole. */
export interface Token {
  readonly end: number;
  readonly isWhole: boolean;
}

const backslash = 0x5c;
const quote = 0x22;
const escapes = new Set(Buffer.from('"\\/bfnrt'));
const words = ['true', 'false', 'null'];

/** A string (RFC 8259, 7) that begins at `start`. */
export function readString(bytes: Buffer, start: number): Token {
  for (let at = start + 1; ; at++) {
    const byte = bytes[at];
    if (byte === quote) return { end: at + 1, isWhole: true };
    if (byte === undefined || byte < 0x20) return { end: at, isWhole: false };
    if (byte !== backslash) continue;
    at += 1;
    const escaped = bytes[at];
    if (escaped === 0x75) {
      const end = at + 5;
      for (at += 1; at < end; at++) if (!isHex(bytes[at])) return { end: at, isWhole: false };
      at -= 1;
    } else if (escaped === undefined || !escapes.has(escaped)) return { end: at, isWhole: false };
  }
}

/** A number or one of the three words (RFC 8259, 3 and 6) that begins at `start`. */
export function readScalar(bytes: Buffer, start: number): Token {
  const word = words.find((candidate) => candidate.charCodeAt(0) === bytes[start]);
  return word === undefined ? readNumber(bytes, start) : readWord(bytes, start, word);
}

function readWord(bytes: Buffer, start: number, word: string): Token {
  for (let i = 0; i < word.length; i++) {
    if (bytes[start + i] !== word.charCodeAt(i)) return { end: start + i, isWhole: false };
  }
  return { end: start + word.length, isWhole: true };
}

function readNumber(bytes: Buffer, start: number): Token {
  let at = bytes[start] === 0x2d ? start + 1 : start;
  const digits = (): boolean => {
    const from = at;
    while (isDigit(bytes[at])) at += 1;
    return at > from;
  };
  if (bytes[at] === 0x30) at += 1;
  else if (!digits()) return { end: at, isWhole: false };
  if (bytes[at] === 0x2e) {
    at += 1;
    if (!digits()) return { end: at, isWhole: false };
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at += 1;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at += 1;
    if (!digits()) return { end: at, isWhole: false };
  }
  return { end: at, isWhole: true };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && /[a-fA-F]/.test(String.fromCharCode(byte)));
}
