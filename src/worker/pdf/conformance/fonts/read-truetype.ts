/** The glyph data of a TrueType or OpenType program. */
export interface GlyphProgram {
  readonly glyphCount: number;
  /** Advance width in thousandths of an em; undefined if unknown. */
  widthOf(glyph: number): number | undefined;
  /** The glyph of a character code, by the encoding tables that PDF uses for simple fonts; 0 if there is none. */
  glyphOf(code: number): number;
  /** Platform and encoding of each encoding table, such as `3,1`. */
  readonly encodings: readonly string[];
}

const maxTables = 64;
const maxEncodings = 32;

/** Reads a TrueType program (ISO 14496-22); undefined if it is damaged. */
export function readTrueType(bytes: Uint8Array): GlyphProgram | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return read(data);
  } catch (error) {
    // A table is truncated.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function read(data: Buffer): GlyphProgram | undefined {
  const tables = readTables(data);
  const [head, maxp, hhea, hmtx] = ['head', 'maxp', 'hhea', 'hmtx'].map((name) => tables.get(name));
  if (head === undefined || maxp === undefined || hhea === undefined || hmtx === undefined) return undefined;
  const unitsPerEm = head.readUInt16BE(18);
  const glyphCount = maxp.readUInt16BE(4);
  const metrics = hhea.readUInt16BE(34);
  if (unitsPerEm === 0 || metrics === 0 || metrics * 4 > hmtx.length) return undefined;
  const { encodings, glyphOf } = readEncodings(tables.get('cmap'));
  return {
    glyphCount,
    encodings,
    glyphOf,
    widthOf(glyph) {
      if (glyph >= glyphCount) return undefined;
      return (hmtx.readUInt16BE(Math.min(glyph, metrics - 1) * 4) * 1_000) / unitsPerEm;
    },
  };
}

function readTables(data: Buffer): ReadonlyMap<string, Buffer> {
  const tables = new Map<string, Buffer>();
  const count = Math.min(data.readUInt16BE(4), maxTables);
  for (let index = 0; index < count; index++) {
    const at = 12 + index * 16;
    const [offset, length] = [data.readUInt32BE(at + 8), data.readUInt32BE(at + 12)];
    tables.set(data.toString('latin1', at, at + 4), data.subarray(offset, offset + length));
  }
  return tables;
}

function readEncodings(cmap: Buffer | undefined): Pick<GlyphProgram, 'encodings' | 'glyphOf'> {
  const subtables = new Map<string, Buffer>();
  const count = cmap === undefined ? 0 : Math.min(cmap.readUInt16BE(2), maxEncodings);
  for (let index = 0; index < count; index++) {
    const at = 4 + index * 8;
    const name = `${cmap?.readUInt16BE(at)},${cmap?.readUInt16BE(at + 2)}`;
    subtables.set(name, cmap?.subarray(cmap.readUInt32BE(at + 4)) ?? Buffer.alloc(0));
  }
  const symbol = subtables.get('3,0');
  const mac = subtables.get('1,0');
  const only = subtables.values().next().value;
  return {
    encodings: [...subtables.keys()],
    glyphOf(code) {
      // ISO 32000-1, 9.6.6.4: a symbolic font maps codes at F000 in (3,0), or in (1,0).
      const high =
        symbol === undefined || symbol.length < 2 ? 0 : lookUp(symbol, 0xf000 + code) || lookUp(symbol, code);
      return high || (mac === undefined ? 0 : lookUp(mac, code)) || (only === undefined ? 0 : lookUp(only, code));
    },
  };
}

/** Formats 0, 4 and 6 of the `cmap` table. */
function lookUp(table: Buffer, code: number): number {
  const format = table.readUInt16BE(0);
  if (format === 0) return code < 256 ? (table[6 + code] ?? 0) : 0;
  if (format === 6) {
    const index = code - table.readUInt16BE(6);
    return index >= 0 && index < table.readUInt16BE(8) ? table.readUInt16BE(10 + index * 2) : 0;
  }
  if (format !== 4) return 0;
  const segments = table.readUInt16BE(6);
  for (let at = 0; at < segments; at += 2) {
    const end = table.readUInt16BE(14 + at);
    if (code > end) continue;
    const start = table.readUInt16BE(16 + segments + at);
    if (code < start) return 0;
    const delta = table.readUInt16BE(16 + segments * 2 + at);
    const rangeAt = 16 + segments * 3 + at;
    const range = table.readUInt16BE(rangeAt);
    if (range === 0) return (code + delta) & 0xffff;
    const glyph = table.readUInt16BE(rangeAt + range + (code - start) * 2);
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
  return 0;
}
