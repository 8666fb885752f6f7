import { standardEncoding, standardStringCount, standardStrings } from './glyph-names.ts';
import type { PostScriptProgram } from './postscript-program.ts';

const maxSubroutineDepth = 10;
const maxStack = 513;
const [latinGlyphs, escapeByte] = [229, 12];

/** Reads a CFF program with glyphs by name (Adobe Technical Note 5176); undefined if it is damaged or has CIDs. */
export function readCff(bytes: Uint8Array): PostScriptProgram | undefined {
  try {
    return read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    // A table is truncated.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Dict = ReadonlyMap<number, readonly number[]>;
const operators = { charset: 15, encoding: 16, charStrings: 17, private: 18, subrs: 19, defaultWidth: 20, nominal: 21 };
const ros = escapeByte * 256 + 30;
const fontMatrix = escapeByte * 256 + 7;

function read(data: Buffer): PostScriptProgram | undefined {
  const names = readIndex(data, data.readUInt8(2));
  const tops = readIndex(data, names.end);
  const strings = readIndex(data, tops.end);
  const globals = readIndex(data, strings.end);
  const top = readDict(tops.items[0] ?? Buffer.alloc(0));
  const charStringsAt = top.get(operators.charStrings)?.[0];
  if (top.has(ros) || charStringsAt === undefined) return undefined;
  const charStrings = readIndex(data, charStringsAt).items;
  const nameOf = (sid: number): string =>
    sid < standardStringCount
      ? (standardStrings[sid] ?? `sid${sid}`)
      : (strings.items[sid - standardStringCount]?.toString('latin1') ?? `sid${sid}`);
  const glyphNames = readCharset(data, top.get(operators.charset)?.[0] ?? 0, charStrings.length).map(nameOf);
  const [size = 0, at = 0] = top.get(operators.private) ?? [];
  const own = readDict(data.subarray(at, at + size));
  const localAt = own.get(operators.subrs)?.[0];
  const locals = localAt === undefined ? [] : readIndex(data, at + localAt).items;
  const scale = (top.get(fontMatrix)?.[0] ?? 0.001) * 1_000;
  const nominal = own.get(operators.nominal)?.[0] ?? 0;
  const usual = own.get(operators.defaultWidth)?.[0] ?? 0;
  const glyphs = new Map(
    glyphNames.map((name, glyph) => {
      const difference = widthIn(charStrings[glyph] ?? Buffer.alloc(0), locals, globals.items);
      const width = difference === 'unknown' ? undefined : difference === undefined ? usual : nominal + difference;
      return [name, width === undefined ? undefined : width * scale] as const;
    }),
  );
  return { glyphs, encoding: readEncoding(data, top.get(operators.encoding)?.[0] ?? 0, glyphNames) };
}

function readIndex(data: Buffer, at: number): { readonly items: readonly Buffer[]; readonly end: number } {
  const count = data.readUInt16BE(at);
  if (count === 0) return { items: [], end: at + 2 };
  const size = data.readUInt8(at + 2);
  const offsetAt = (index: number): number => data.readUIntBE(at + 3 + index * size, size);
  const base = at + 2 + (count + 1) * size;
  const items = Array.from({ length: count }, (_, index) =>
    data.subarray(base + offsetAt(index), base + offsetAt(index + 1)),
  );
  return { items, end: base + offsetAt(count) };
}

function readDict(data: Buffer): Dict {
  const entries = new Map<number, readonly number[]>();
  let operands: number[] = [];
  for (let at = 0; at < data.length; ) {
    const byte = data.readUInt8(at);
    if (byte <= 21) {
      const isLong = byte === escapeByte;
      entries.set(isLong ? escapeByte * 256 + data.readUInt8(at + 1) : byte, operands);
      operands = [];
      at += isLong ? 2 : 1;
    } else if (byte === 30) {
      const { value, next } = readReal(data, at + 1);
      operands.push(value);
      at = next;
    } else {
      const { value, next } = readInteger(data, at, 29);
      operands.push(value);
      at = next;
    }
  }
  return entries;
}

function readInteger(data: Buffer, at: number, longPrefix: number): { value: number; next: number } {
  const byte = data.readUInt8(at);
  if (byte === 28) return { value: data.readInt16BE(at + 1), next: at + 3 };
  if (byte === longPrefix) return { value: data.readInt32BE(at + 1), next: at + 5 };
  if (byte <= 246) return { value: byte - 139, next: at + 1 };
  if (byte <= 250) return { value: (byte - 247) * 256 + data.readUInt8(at + 1) + 108, next: at + 2 };
  return { value: -(byte - 251) * 256 - data.readUInt8(at + 1) - 108, next: at + 2 };
}

/** A decimal number in nibbles. */
function readReal(data: Buffer, from: number): { readonly value: number; readonly next: number } {
  const signs = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'E', 'E-', '', '-'];
  let text = '';
  for (let at = from; ; at++) {
    const byte = data.readUInt8(at);
    for (const nibble of [byte >> 4, byte & 15]) {
      if (nibble === 15) return { value: Number(text), next: at + 1 };
      text += signs[nibble] ?? '';
    }
  }
}

/** The string identifier of each glyph. */
function readCharset(data: Buffer, at: number, count: number): readonly number[] {
  // The three predefined charsets; only the first has Latin glyphs.
  if (at <= 2) return Array.from({ length: count }, (_, glyph) => (at === 0 && glyph < latinGlyphs ? glyph : 0));
  const format = data.readUInt8(at);
  const sids = [0];
  let next = at + 1;
  while (sids.length < count) {
    const first = data.readUInt16BE(next);
    const left = format === 0 ? 0 : format === 1 ? data.readUInt8(next + 2) : data.readUInt16BE(next + 2);
    next += 2 + format;
    for (let sid = first; sid <= first + left && sids.length < count; sid++) sids.push(sid);
  }
  return sids;
}

function readEncoding(data: Buffer, at: number, glyphNames: readonly string[]): ReadonlyMap<number, string> {
  if (at === 0) return standardEncoding;
  if (at === 1) return new Map();
  const format = data.readUInt8(at) & 0x7f;
  const count = data.readUInt8(at + 1);
  const codes = new Map<number, string>();
  let glyph = 1;
  for (let index = 0; index < count; index++) {
    const first = data.readUInt8(at + 2 + index * (format + 1));
    const left = format === 0 ? 0 : data.readUInt8(at + 3 + index * 2);
    for (let code = first; code <= first + left; code++) codes.set(code, glyphNames[glyph++] ?? '.notdef');
  }
  return codes;
}

/**
 * What a charstring adds to the nominal width (Adobe Technical Note 5177, 3.1): an operand before the first operator
 * that exceeds those that it takes; undefined if there is none.
 */
function widthIn(
  charString: Buffer,
  locals: readonly Buffer[],
  globals: readonly Buffer[],
): number | undefined | 'unknown' {
  const stack: number[] = [];
  const bias = (subroutines: readonly Buffer[]): number =>
    subroutines.length < 1_240 ? 107 : subroutines.length < 33_900 ? 1_131 : 32_768;
  /** Returns undefined if the charstring ends without an operator that decides. */
  const run = (code: Buffer, depth: number): { readonly width: number | undefined } | 'unknown' | undefined => {
    for (let at = 0; at < code.length && stack.length < maxStack; ) {
      const byte = code.readUInt8(at);
      if (byte >= 32 || byte === 28) {
        const { value, next } =
          byte === 255 ? { value: code.readInt32BE(at + 1) / 65_536, next: at + 5 } : readInteger(code, at, 255);
        stack.push(value);
        at = next;
        continue;
      }
      if (byte === 10 || byte === 29) {
        const subroutines = byte === 10 ? locals : globals;
        const called = subroutines[(stack.pop() ?? 0) + bias(subroutines)];
        if (called === undefined || depth >= maxSubroutineDepth) return 'unknown';
        const result = run(called, depth + 1);
        if (result !== undefined) return result;
        at += 1;
        continue;
      }
      if (byte === 11) return undefined;
      const taken = { 21: 2, 22: 1, 4: 1 }[byte];
      const isStem = [1, 3, 18, 23, 19, 20].includes(byte);
      const hasWidth = isStem
        ? stack.length % 2 === 1
        : byte === 14
          ? stack.length === 1 || stack.length === 5
          : taken === undefined
            ? undefined
            : stack.length > taken;
      if (hasWidth === undefined) return 'unknown';
      return { width: hasWidth ? stack[0] : undefined };
    }
    return undefined;
  };
  const result = run(charString, 0);
  return result === undefined || result === 'unknown' ? 'unknown' : result.width;
}
