import { UnknownFeature } from '../unknown-feature.ts';
import type { FontFace } from './font-face.ts';

/** A table of a font file (OpenType). Throws UnknownFeature if it is missing or shorter than `leastBytes`. */
export function requiredTable(face: FontFace, tag: string, leastBytes: number): DataView {
  const table = face.table(tag);
  if (table === undefined || table.byteLength < leastBytes) throw new UnknownFeature(`a font without the table ${tag}`);
  return table;
}

const names = new WeakMap<FontFace, string>();
const postScriptNameId = 6;
const windowsPlatform = 3;

/** The PostScript name of a font (OpenType, `name`). Throws UnknownFeature for a font without one. */
export function postScriptName(face: FontFace): string {
  const known = names.get(face);
  if (known !== undefined) return known;
  const table = requiredTable(face, 'name', 6);
  const strings = table.getUint16(4);
  for (let at = 6; at + 12 <= Math.min(strings, table.byteLength); at += 12) {
    if (table.getUint16(at) !== windowsPlatform || table.getUint16(at + 6) !== postScriptNameId) continue;
    const start = strings + table.getUint16(at + 10);
    const codes = Array.from({ length: table.getUint16(at + 8) / 2 }, (_, i) => table.getUint16(start + i * 2));
    const name = String.fromCharCode(...codes);
    if (!/^[\w-]{1,63}$/.test(name)) break;
    names.set(face, name);
    return name;
  }
  throw new UnknownFeature('a font without a PostScript name');
}
