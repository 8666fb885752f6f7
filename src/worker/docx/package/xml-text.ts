import { isUtf8 } from 'node:buffer';
import { refusal } from './refusal.ts';

const declaration = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']{1,40})["']/;

/** Decodes an XML part to text without byte order mark. The declared encoding is changed to UTF-8. */
export function decodeXml(bytes: Buffer, part: string): string {
  const encoding = encodingOf(bytes);
  if (encoding !== 'utf-8') return declaringUtf8(decodeAs(bytes, encoding, part));
  if (!isUtf8(bytes)) throw refusal('The part is not valid UTF-8. Open the file in Word and save it again.', part);
  return declaringUtf8(bytes.toString('utf8'));
}

function declaringUtf8(marked: string): string {
  const text = marked.charCodeAt(0) === 0xfeff ? marked.slice(1) : marked;
  const declared = declaration.exec(text)?.[1] ?? 'utf-8';
  return /^utf-8$/i.test(declared) ? text : text.replace(declaration, (head) => head.replace(declared, 'UTF-8'));
}

/** The encoding by byte order mark, by the shape of the first characters, or by the XML declaration (XML 1.0, appendix F). */
export function encodingOf(bytes: Buffer): string {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  const mark = a === 0xef && b === 0xbb ? 3 : 0;
  const declared = declaration.exec(bytes.toString('latin1', mark, mark + 256))?.[1]?.toLowerCase() ?? 'utf-8';
  // Some programs convert a part to a single-byte encoding and leave the UTF-16 declaration.
  return /^(?:utf-?8|us-ascii|ascii|utf-?16(?:le|be)?|ucs-2|unicode)$/.test(declared) ? 'utf-8' : declared;
}

// Bytes 0x80 to 0x9f in Windows-1252, which the decoder of some Node.js versions treats as Latin-1.
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decodeAs(bytes: Buffer, encoding: string, part: string): string {
  if (/^iso-?8859-1$|^latin-?1$/.test(encoding)) return bytes.toString('latin1');
  if (encoding === 'windows-1252') {
    return bytes
      .toString('latin1')
      .replace(/[\u0080-\u009f]/g, (char) => windows1252.charAt(char.charCodeAt(0) - 0x80));
  }
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(`The part cannot be read as ${encoding}. Open the file in Word and save it again.`, part);
  }
}
