import { extname } from 'node:path';

/** File systems allow 255 bytes; the rest is reserved for the endings of temporary files and for numbers. */
const maxNameBytes = 200;
const maxEndingBytes = 16;

/** Device names on Windows, with any extension. */
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\.|$)/i;
/** Characters that some system cannot store, and invisible ones that could make a name look like another. */
const unsafeCharacter = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff<>:"|?*]/gu;

/**
 * Turns the last part of a name sent by the service into a file name that every system can store: no path, no hidden
 * file, no device name, at most 200 bytes. A valid name is unchanged.
 */
export function toLocalName(name: string): string {
  const last = name.toWellFormed().normalize('NFC').replaceAll('\\', '/').split('/').at(-1) ?? '';
  const clean = last
    .replace(unsafeCharacter, '_')
    .replace(/^[.~ ]+/, '')
    .replace(/[. ]+$/, '');
  const whole = deviceName.test(clean) ? `_${clean}` : clean;
  return whole === '' ? 'document' : shorten(whole);
}

/** Keeps the extension, and never splits a character. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const found = extname(name);
  const ending = Buffer.byteLength(found) <= maxEndingBytes ? found : '';
  let kept = '';
  let bytes = Buffer.byteLength(ending);
  for (const character of name.slice(0, name.length - ending.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxNameBytes) break;
    kept += character;
  }
  return `${kept.replace(/[. ]+$/, '')}${ending}`;
}
