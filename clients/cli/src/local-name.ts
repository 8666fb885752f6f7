import { extname } from 'node:path';

/** File systems allow 255 bytes; the rest is for the endings of temporary files and for numbers. */
const maxNameBytes = 200;
const maxEndingBytes = 16;

/** Names of devices on Windows, with any ending. */
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\.|$)/i;
/** What some system cannot store, and characters without a shape, which could make a name look like another one. */
const unsafeCharacter = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff<>:"|?*]/gu;

/**
 * The last part of a name that a service sent, as every system can store it in a folder: no path, no hidden file, no device, at most
 * 200 bytes. A name that is fine stays as it is.
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

/** Keeps the ending; cuts no character in two. */
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
