import { AppError } from '../../../../shared/errors.ts';

/** The tables of a font by their tags (OpenType 1.9, "Font file"). */
export type FontTables = ReadonlyMap<string, Buffer>;

const directoryStart = 12;
const entryBytes = 16;
const maxTables = 64;

/** Formats that are recognised in order to say what to upload instead. */
const otherFormats: readonly (readonly [string, string])[] = [
  ['ttcf', 'is a collection of fonts: upload each font as a .ttf or .otf file of its own'],
  ['wOFF', 'is a WOFF font for web pages: upload the .ttf or .otf file'],
  ['wOF2', 'is a WOFF2 font for web pages: upload the .ttf or .otf file'],
  ['typ1', 'is a Type 1 font: convert it to OpenType'],
  ['%!PS', 'is a Type 1 font: convert it to OpenType'],
  ['PK\x03\x04', 'is a zip archive: upload the .ttf or .otf file inside'],
  ['\x1f\x8b', 'is packed with gzip: send it unpacked'],
];

/** Reads the directory of a TrueType or OpenType font. Throws `invalid_request` for the field `file`. */
export function readFontTables(bytes: Buffer): FontTables {
  const start = bytes.toString('latin1', 0, 4);
  const other = otherFormats.find(([mark]) => start.startsWith(mark));
  if (other !== undefined) throw fontRejected(other[1]);
  if (!['\0\x01\0\0', 'true', 'OTTO'].includes(start)) throw fontRejected('is not a TrueType or OpenType font');
  const count = bytes.length < directoryStart ? 0 : bytes.readUInt16BE(4);
  if (count === 0 || count > maxTables || directoryStart + count * entryBytes > bytes.length) throw damaged();
  const tables = new Map<string, Buffer>();
  for (let i = 0; i < count; i++) {
    const at = directoryStart + i * entryBytes;
    const tag = bytes.toString('latin1', at, at + 4);
    const [offset, length] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
    if (offset + length > bytes.length || tables.has(tag)) throw damaged();
    tables.set(tag, bytes.subarray(offset, offset + length));
  }
  return tables;
}

export function damaged(): AppError {
  return fontRejected('is a damaged font: export or download it again');
}

export function fontRejected(message: string): AppError {
  return new AppError('invalid_request', `file: ${message}`, { details: [{ type: 'Field', path: 'file', message }] });
}
