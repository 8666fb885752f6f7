import { isSymbol, type PrintableCharacters } from './printable-characters.ts';

const highBits = 0x80808080;

/**
 * Whether UTF-8 text contains a character that the fonts cannot print, even inside markup. Skips ASCII four bytes at a
 * time, so a typical document costs less than a tenth of a millisecond.
 */
export function hasUnprintable(bytes: Buffer, printable: PrintableCharacters): boolean {
  const unaligned = (4 - (bytes.byteOffset & 3)) & 3;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + unaligned, Math.max(0, bytes.length - unaligned) >> 2);
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    if (lead >= 0x80) {
      if (!printable.has(decodeAt(bytes, at, lead))) return true;
      at += lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      continue;
    }
    at++;
    if (((at - unaligned) & 3) !== 0 || at < unaligned) continue;
    let word = (at - unaligned) >> 2;
    while (word < words.length && ((words[word] ?? 0) & highBits) === 0) word++;
    at = unaligned + 4 * word;
  }
  return hasUnprintableReference(bytes, printable) || hasUnprintableSymbol(bytes, printable);
}

function decodeAt(bytes: Buffer, at: number, lead: number): number {
  const low = (offset: number) => (bytes[at + offset] ?? 0) & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | low(1);
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (low(1) << 6) | low(2);
  return ((lead & 0x07) << 18) | (low(1) << 12) | (low(2) << 6) | low(3);
}

/** Checks character references such as `&#x4e2d;` and `&#20013;`. */
function hasUnprintableReference(bytes: Buffer, printable: PrintableCharacters): boolean {
  for (let at = bytes.indexOf('&#'); at >= 0; at = bytes.indexOf('&#', at + 2)) {
    const [, hex, decimal] = /^&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/i.exec(bytes.toString('latin1', at, at + 11)) ?? [];
    if (hex === undefined && decimal === undefined) continue;
    const code = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16);
    if (!printable.has(code)) return true;
  }
  return false;
}

const longestSymbol = 300;

/** Checks symbols such as `<w:sym w:font="Wingdings" w:char="F0FC"/>`. */
function hasUnprintableSymbol(bytes: Buffer, printable: PrintableCharacters): boolean {
  for (let at = bytes.indexOf('sym '); at >= 0; at = bytes.indexOf('sym ', at + 4)) {
    const tag = /^[^<>]*/.exec(bytes.toString('utf8', at, at + longestSymbol))?.[0] ?? '';
    const code = Number.parseInt(/char\s*=\s*["']([0-9a-f]+)/i.exec(tag)?.[1] ?? '', 16);
    const font = /font\s*=\s*["']([^"']*)/.exec(tag)?.[1] ?? '';
    if (code <= 0x10ffff && !printable.has(code) && !isSymbol(code, font)) return true;
  }
  return false;
}
