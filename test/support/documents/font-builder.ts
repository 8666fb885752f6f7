/** A font made for a test: each character is a solid box, so that its pixels cannot be mistaken for another font's. */
export interface FontInput {
  readonly family?: string;
  readonly style?: 'Regular' | 'Bold' | 'Italic' | 'Bold Italic';
  /** Default: A to Z, a to z, digits and a space. */
  readonly characters?: string;
  /** OS/2 `fsType`. Default: 0, installable. */
  readonly embedding?: number;
  readonly os2Version?: number;
  /** More tables, or replacements of generated ones; null leaves a generated table out. */
  readonly tables?: Readonly<Record<string, Buffer | null>>;
  /** Family names by Windows language id. Default: the family in English (0x409). */
  readonly familyNames?: Readonly<Record<number, string>>;
  /** Width of each character; of 1000 units. Default: 800. */
  readonly advance?: number;
}

const usual = ' ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const italicBit = 1;
const boldBit = 0x20;
const regularBit = 0x40;

/** A TrueType font (OpenType 1.9). */
export function buildFont(input: FontInput = {}): Buffer {
  const { style = 'Regular', characters = usual, advance = 800 } = input;
  const codes = [...new Set(Array.from(characters, (character) => character.codePointAt(0) ?? 0))].sort(
    (a, b) => a - b,
  );
  const glyphs = [box(advance), ...codes.map((code) => (code === 0x20 ? Buffer.alloc(0) : box(advance)))];
  const isBold = style.includes('Bold');
  const isItalic = style.includes('Italic');
  const selection = (isBold ? boldBit : 0) | (isItalic ? italicBit : 0) || regularBit;
  const offsets: number[] = [0];
  for (const glyph of glyphs) offsets.push((offsets.at(-1) ?? 0) + glyph.length);
  const tables: Record<string, Buffer | null> = {
    'OS/2': os2(input.os2Version ?? 4, isBold ? 700 : 400, input.embedding ?? 0, selection, codes),
    cmap: cmap(codes),
    glyf: Buffer.concat(glyphs),
    head: head((isBold ? 1 : 0) | (isItalic ? 2 : 0)),
    hhea: numbers([1, 0, 800, -200, 0, advance, 0, 0, advance, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length]),
    hmtx: numbers(glyphs.flatMap(() => [advance, 0])),
    loca: Buffer.from(
      new Uint8Array(offsets.flatMap((offset) => [offset >>> 24, offset >>> 16, offset >>> 8, offset])),
    ),
    maxp: numbers([1, 0, glyphs.length, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]),
    name: names(input.family ?? 'Test Boxes', style, input.familyNames),
    post: numbers([3, 0, 0, 0, -100, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ...input.tables,
  };
  return writeFont(tables);
}

/** A font file with these tables. */
export function writeFont(tables: Readonly<Record<string, Buffer | null>>, version = 0x00010000): Buffer {
  const entries = Object.entries(tables).flatMap(([tag, data]) => (data === null ? [] : [{ tag, data }]));
  entries.sort((a, b) => (a.tag < b.tag ? -1 : 1));
  const directory = Buffer.alloc(12 + 16 * entries.length);
  directory.writeUInt32BE(version, 0);
  directory.writeUInt16BE(entries.length, 4);
  const pieces: Buffer[] = [directory];
  let offset = directory.length;
  for (const [i, { tag, data }] of entries.entries()) {
    const at = 12 + 16 * i;
    directory.write(tag.padEnd(4), at, 'latin1');
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(data.length, at + 12);
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    pieces.push(padded);
    offset += padded.length;
  }
  return Buffer.concat(pieces);
}

/** A box from the baseline to 700 units; words of 16 bits, so its length is a multiple of 4. */
function box(width: number): Buffer {
  const right = width - 50;
  const flags = Buffer.from([1, 1, 1, 1]);
  const outline = numbers([1, 50, 0, right, 700, 3, 0]);
  const coordinates = numbers([50, 0, right - 50, 0, 0, 700, 0, -700]);
  const glyph = Buffer.concat([outline, flags, coordinates]);
  return Buffer.concat([glyph, Buffer.alloc((4 - (glyph.length % 4)) % 4)]);
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, i * 2);
  return bytes;
}

function head(macStyle: number): Buffer {
  const bytes = Buffer.alloc(54);
  bytes.writeUInt32BE(0x00010000, 0);
  bytes.writeUInt32BE(0x00010000, 4);
  bytes.writeUInt32BE(0x5f0f3cf5, 12);
  bytes.writeUInt16BE(1000, 18);
  bytes.writeInt16BE(750, 40);
  bytes.writeInt16BE(700, 42);
  bytes.writeUInt16BE(macStyle, 44);
  bytes.writeUInt16BE(8, 46);
  bytes.writeInt16BE(2, 48);
  bytes.writeInt16BE(1, 50);
  return bytes;
}

function os2(version: number, weight: number, embedding: number, selection: number, codes: readonly number[]): Buffer {
  const bytes = Buffer.alloc(version >= 2 ? 96 : version === 1 ? 86 : 78);
  bytes.writeUInt16BE(version, 0);
  bytes.writeInt16BE(800, 2);
  bytes.writeUInt16BE(weight, 4);
  bytes.writeUInt16BE(5, 6);
  bytes.writeUInt16BE(embedding, 8);
  bytes.write('TEST', 58, 'latin1');
  bytes.writeUInt16BE(selection, 62);
  bytes.writeUInt16BE(Math.min(codes[0] ?? 0, 0xffff), 64);
  bytes.writeUInt16BE(Math.min(codes.at(-1) ?? 0, 0xffff), 66);
  bytes.writeInt16BE(800, 68);
  bytes.writeInt16BE(-200, 70);
  bytes.writeUInt16BE(800, 74);
  bytes.writeUInt16BE(200, 76);
  return bytes;
}

/** Format 12: one group for each character. */
function cmap(codes: readonly number[]): Buffer {
  const bytes = Buffer.alloc(12 + 16 + 12 * codes.length);
  bytes.writeUInt16BE(1, 2);
  bytes.writeUInt16BE(3, 4);
  bytes.writeUInt16BE(10, 6);
  bytes.writeUInt32BE(12, 8);
  bytes.writeUInt16BE(12, 12);
  bytes.writeUInt32BE(16 + 12 * codes.length, 16);
  bytes.writeUInt32BE(codes.length, 24);
  for (const [i, code] of codes.entries()) {
    bytes.writeUInt32BE(code, 28 + 12 * i);
    bytes.writeUInt32BE(code, 32 + 12 * i);
    bytes.writeUInt32BE(i + 1, 36 + 12 * i);
  }
  return bytes;
}

function names(family: string, style: string, families: Readonly<Record<number, string>> = { 1033: family }): Buffer {
  const full = style === 'Regular' ? family : `${family} ${style}`;
  const records: { readonly id: number; readonly language: number; readonly text: string }[] = [
    ...Object.entries(families).map(([language, text]) => ({ id: 1, language: Number(language), text })),
    { id: 2, language: 0x409, text: style },
    { id: 3, language: 0x409, text: `${full} unique` },
    { id: 4, language: 0x409, text: full },
    { id: 5, language: 0x409, text: 'Version 1.000' },
    { id: 6, language: 0x409, text: full.replaceAll(' ', '') },
  ].sort((a, b) => a.language - b.language || a.id - b.id);
  const head = Buffer.alloc(6 + 12 * records.length);
  head.writeUInt16BE(records.length, 2);
  head.writeUInt16BE(head.length, 4);
  const texts: Buffer[] = [];
  let offset = 0;
  for (const [i, { id, language, text }] of records.entries()) {
    const data = Buffer.from(text, 'utf16le').swap16();
    for (const [j, value] of [3, 1, language, id, data.length, offset].entries())
      head.writeUInt16BE(value, 6 + 12 * i + 2 * j);
    texts.push(data);
    offset += data.length;
  }
  return Buffer.concat([head, ...texts]);
}
