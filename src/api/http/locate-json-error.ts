/** The token that may come next. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/** `end` is where a complete token ends, or where an incomplete one becomes invalid. */
interface Token {
  readonly end: number;
  readonly isComplete: boolean;
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const quote = 0x22;
const backslash = 0x5c;
const escapes = new Set(Buffer.from('"\\/bfnrt'));
const literals = ['true', 'false', 'null'];

/**
 * Offset of the first byte that makes a JSON text (RFC 8259) invalid: its length when it is only cut off, undefined
 * when it is valid. JSON.parse reports no position, or one in characters.
 */
export function locateJsonError(bytes: Buffer): number | undefined {
  const stack: number[] = [];
  let expected: Expected = 'value';
  const afterValue = (): Expected => (stack.length === 0 ? 'nothing' : 'comma-or-end');
  for (let at = 0; ; ) {
    while (isSpace(bytes[at])) at += 1;
    const byte = bytes[at];
    if (byte === undefined) return expected === 'nothing' ? undefined : at;
    const open = stack.at(-1);
    // In ASCII `}` is `{` + 2, and `]` is `[` + 2.
    if (open !== undefined && byte === open + 2 && expected.endsWith('-or-end')) {
      stack.pop();
      at += 1;
      expected = afterValue();
    } else if (expected === 'colon' || expected === 'comma-or-end') {
      if (byte !== (expected === 'colon' ? 0x3a : 0x2c)) return at;
      at += 1;
      expected = expected === 'comma-or-end' && open === openBrace ? 'key' : 'value';
    } else if (expected === 'nothing' || (expected.startsWith('key') && byte !== quote)) {
      return at;
    } else if (byte === openBrace || byte === openBracket) {
      stack.push(byte);
      at += 1;
      expected = byte === openBrace ? 'key-or-end' : 'value-or-end';
    } else {
      const token = byte === quote ? readString(bytes, at) : readScalar(bytes, at);
      if (!token.isComplete) return token.end;
      at = token.end;
      expected = expected.startsWith('key') ? 'colon' : afterValue();
    }
  }
}

/** A string (RFC 8259, 7) that begins at `start`. */
function readString(bytes: Buffer, start: number): Token {
  for (let at = start + 1; ; at++) {
    const byte = bytes[at];
    if (byte === quote) return { end: at + 1, isComplete: true };
    if (byte === undefined || byte < 0x20) return { end: at, isComplete: false };
    if (byte !== backslash) continue;
    at += 1;
    const escaped = bytes[at];
    if (escaped === 0x75) {
      const end = at + 5;
      for (at += 1; at < end; at++) if (!isHex(bytes[at])) return { end: at, isComplete: false };
      at -= 1;
    } else if (escaped === undefined || !escapes.has(escaped)) return { end: at, isComplete: false };
  }
}

/** A number, `true`, `false` or `null` (RFC 8259, 3 and 6) that begins at `start`. */
function readScalar(bytes: Buffer, start: number): Token {
  const literal = literals.find((candidate) => candidate.charCodeAt(0) === bytes[start]);
  return literal === undefined ? readNumber(bytes, start) : readLiteral(bytes, start, literal);
}

function readLiteral(bytes: Buffer, start: number, literal: string): Token {
  for (let i = 0; i < literal.length; i++) {
    if (bytes[start + i] !== literal.charCodeAt(i)) return { end: start + i, isComplete: false };
  }
  return { end: start + literal.length, isComplete: true };
}

function readNumber(bytes: Buffer, start: number): Token {
  let at = bytes[start] === 0x2d ? start + 1 : start;
  const skipDigits = (): boolean => {
    const from = at;
    while (isDigit(bytes[at])) at += 1;
    return at > from;
  };
  if (bytes[at] === 0x30) at += 1;
  else if (!skipDigits()) return { end: at, isComplete: false };
  if (bytes[at] === 0x2e) {
    at += 1;
    if (!skipDigits()) return { end: at, isComplete: false };
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at += 1;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at += 1;
    if (!skipDigits()) return { end: at, isComplete: false };
  }
  return { end: at, isComplete: true };
}

/** Whitespace of JSON (RFC 8259, 2). */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && /[a-fA-F]/.test(String.fromCharCode(byte)));
}
