import type { FontStyle } from '../../account-fonts/account-family.ts';
import { familyPlaceholder, toUtf16 } from '../../account-fonts/family-name.ts';
import { damaged } from './font-tables.ts';

const directoryStart = 12;
const entryBytes = 16;
const recordBytes = 12;
const windows = { platform: 3, encoding: 1, language: 0x409 };
const nameIds = { family: 1, style: 2, full: 4, postScript: 6 };
const maxPostScriptChars = 63;

const styleNames: Readonly<Record<FontStyle, string>> = {
  regular: 'Regular',
  bold: 'Bold',
  italic: 'Italic',
  boldItalic: 'Bold Italic',
};

/**
 * Gives the font a new name table (OpenType 1.9, "name"). The family is a placeholder for `withFamilyName`; the only
 * name that PDFs show is the PostScript name.
 */
export function replaceNames(font: Buffer, style: FontStyle, postScriptName: string): Buffer {
  const at = findEntry(font, 'name');
  const table = writeNames([
    [nameIds.family, familyPlaceholder],
    [nameIds.style, styleNames[style]],
    [nameIds.full, familyPlaceholder],
    [nameIds.postScript, toPostScriptName(postScriptName)],
  ]);
  const padding = Buffer.alloc((4 - (font.length % 4)) % 4);
  const file = Buffer.concat([font, padding, table]);
  file.writeUInt32BE(font.length + padding.length, at + 8);
  file.writeUInt32BE(table.length, at + 12);
  return file;
}

function findEntry(font: Buffer, tag: string): number {
  const count = font.readUInt16BE(4);
  for (let i = 0; i < count; i++) {
    const at = directoryStart + i * entryBytes;
    if (font.toString('latin1', at, at + 4) === tag) return at;
  }
  throw damaged();
}

function writeNames(names: readonly (readonly [number, string])[]): Buffer {
  const head = Buffer.alloc(6 + recordBytes * names.length);
  head.writeUInt16BE(names.length, 2);
  head.writeUInt16BE(head.length, 4);
  const texts: Buffer[] = [];
  let offset = 0;
  for (const [i, [id, text]] of names.entries()) {
    const data = toUtf16(text);
    const fields = [windows.platform, windows.encoding, windows.language, id, data.length, offset];
    for (const [j, value] of fields.entries()) head.writeUInt16BE(value, 6 + i * recordBytes + j * 2);
    texts.push(data);
    offset += data.length;
  }
  return Buffer.concat([head, ...texts]);
}

/** Printable ASCII without the delimiters of PostScript (OpenType 1.9, name id 6). */
function toPostScriptName(name: string): string {
  return name.replace(/[^!-~]|[[\](){}<>/%]/g, '').slice(0, maxPostScriptChars) || 'Font';
}
