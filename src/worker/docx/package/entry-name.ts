import { isUtf8 } from 'node:buffer';
import { printable, refusal } from './refusal.ts';

// Direction marks, embeddings, overrides and isolates can disguise a name.
const hidden = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

// Names that are not UTF-8 are in code page 437 (APPNOTE, appendix D).
const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** The name of a zip entry. Throws for a name that could escape a folder, disguise itself, or reach an object prototype. */
export function readEntryName(bytes: Buffer, maxNameBytes: number): string {
  if (bytes.length === 0) throw refusal('The file contains an entry without a name. Save it again as .docx.');
  if (bytes.length > maxNameBytes) {
    throw refusal(
      `The file contains an entry whose name is longer than ${maxNameBytes} bytes. Save it again as .docx.`,
    );
  }
  const name = isUtf8(bytes) ? bytes.toString() : fromCodePage437(bytes);
  const problem = problemOfName(name);
  if (problem !== undefined) {
    throw refusal(
      `The file contains an entry with an unsafe name: it ${problem}. Save it again as .docx.`,
      printable(name),
    );
  }
  return name;
}

function problemOfName(name: string): string | undefined {
  if (hidden.test(name)) return 'contains control or text direction characters';
  if (name.includes('\\')) return 'contains a backslash';
  if (name.startsWith('/')) return 'starts with a slash';
  if (/^[a-z]:/i.test(name)) return 'starts with a drive letter';
  const segments = name.split('/');
  if (segments.includes('..') || segments.includes('.')) return 'contains a "." or ".." segment';
  if (segments.includes('__proto__')) return 'contains "__proto__"';
  return undefined;
}

function fromCodePage437(bytes: Buffer): string {
  return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : codePage437.charAt(byte - 0x80))).join(
    '',
  );
}
