import { readScalar, readString } from './json-tokens.ts';

/** What may come next. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

const openBrace = 0x7b;
const openBracket = 0x5b;
const quote = 0x22;

/**
 * The first byte at which a text stops being the beginning of a JSON text (RFC 8259): its length when it is only cut off,
 * undefined when it is whole. JSON.parse does not say where it gave up, or counts characters.
 */
export function locateJsonFault(bytes: Buffer): number | undefined {
  const stack: number[] = [];
  let expected: Expected = 'value';
  const afterValue = (): Expected => (stack.length === 0 ? 'nothing' : 'comma-or-end');
  for (let at = 0; ; ) {
    while (isSpace(bytes[at])) at += 1;
    const byte = bytes[at];
    if (byte === undefined) return expected === 'nothing' ? undefined : at;
    const open = stack.at(-1);
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
      if (!token.isWhole) return token.end;
      at = token.end;
      expected = expected.startsWith('key') ? 'colon' : afterValue();
    }
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
