import { standardEncoding } from './glyph-names.ts';
import type { PostScriptProgram } from './postscript-program.ts';

const [fileKey, charStringKey] = [55_665, 4_330];
const [firstFactor, secondFactor] = [52_845, 22_719];
const [hsbw, escapeByte, sbw, div] = [13, 12, 7, 12];
const maxGlyphs = 20_000;

/** Reads a Type 1 program (Adobe Type 1 Font Format, 1990); undefined if it is damaged. */
export function readType1(bytes: Uint8Array): PostScriptProgram | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = data.indexOf('eexec');
  if (start < 0) return undefined;
  const clear = data.toString('latin1', 0, start);
  const encrypted = skipLineEnds(data, start + 5);
  const isHex = /^[0-9A-Fa-f\s]{8}/.test(encrypted.toString('latin1', 0, 8));
  const binary = isHex ? Buffer.from(encrypted.toString('latin1').replace(/\s/g, ''), 'hex') : encrypted;
  const secret = decrypt(binary, fileKey).subarray(4);
  const text = secret.toString('latin1');
  const seed = Number(/\/lenIV\s+(-?\d+)/.exec(text)?.[1] ?? 4);
  const scale = Number(/\/FontMatrix\s*\[\s*([-+.\deE]+)/.exec(clear)?.[1] ?? 0.001) * 1_000;
  const glyphs = new Map<string, number | undefined>();
  const from = text.indexOf('/CharStrings');
  const entry = /\/(\S+)\s+(\d+)\s+(?:RD|-\||\S+) /g;
  entry.lastIndex = from + '/CharStrings'.length;
  for (let found = entry.exec(text); found !== null && glyphs.size < maxGlyphs; found = entry.exec(text)) {
    const [, name = '', length = '0'] = found;
    const charString = secret.subarray(entry.lastIndex, entry.lastIndex + Number(length));
    const width = widthIn(seed < 0 ? charString : decrypt(charString, charStringKey).subarray(seed));
    glyphs.set(name, width === undefined ? undefined : width * scale);
    entry.lastIndex += Number(length);
  }
  if (from < 0 || glyphs.size === 0) return undefined;
  return { glyphs, encoding: readEncoding(clear) };
}

function skipLineEnds(data: Buffer, from: number): Buffer {
  let at = from;
  while (at < data.length && [9, 10, 13, 32].includes(data[at] ?? 0)) at++;
  return data.subarray(at);
}

function decrypt(data: Buffer, key: number): Buffer {
  const plain = Buffer.alloc(data.length);
  let state = key;
  for (const [index, cipher] of data.entries()) {
    plain[index] = cipher ^ (state >> 8);
    state = ((cipher + state) * firstFactor + secondFactor) & 0xffff;
  }
  return plain;
}

/** The width that a charstring sets at its beginning. */
function widthIn(code: Buffer): number | undefined {
  const stack: number[] = [];
  for (let at = 0; at < code.length; ) {
    const byte = code[at] ?? 0;
    const next = code[at + 1] ?? 0;
    if (byte === hsbw) return stack[1];
    if (byte === escapeByte && next === sbw) return stack[2];
    if (byte === escapeByte && next === div) {
      const [divisor = 1, dividend = 0] = [stack.pop(), stack.pop()];
      stack.push(dividend / divisor);
      at += 2;
    } else if (byte < 32) return undefined;
    else if (byte <= 246) {
      stack.push(byte - 139);
      at += 1;
    } else if (byte < 255) {
      const value = byte <= 250 ? (byte - 247) * 256 + next + 108 : -(byte - 251) * 256 - next - 108;
      stack.push(value);
      at += 2;
    } else {
      if (at + 5 > code.length) return undefined;
      stack.push(code.readInt32BE(at + 1));
      at += 5;
    }
  }
  return undefined;
}

function readEncoding(clear: string): ReadonlyMap<number, string> {
  if (/\/Encoding\s+StandardEncoding/.test(clear)) return standardEncoding;
  return new Map(
    [...clear.matchAll(/dup\s+(\d+)\s*\/(\S+)\s+put/g)].map(([, code = '0', name = '']) => [Number(code), name]),
  );
}
