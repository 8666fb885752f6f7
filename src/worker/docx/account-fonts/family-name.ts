/** The family name inside a stored font, in whose place each document has an alias of the same length. */
export const familyPlaceholder = 'docmill'.padEnd(39, '0');

const placeholderBytes = toUtf16(familyPlaceholder);

/** A copy of a stored font with the alias as its family name: LibreOffice reads the name from the font again later. */
export function withFamilyName(font: Uint8Array, alias: string): Buffer {
  const copy = Buffer.from(font);
  const name = toUtf16(alias);
  if (name.length !== placeholderBytes.length) throw new Error('an alias of another length than the placeholder');
  for (let at = copy.indexOf(placeholderBytes); at >= 0; at = copy.indexOf(placeholderBytes, at + name.length))
    name.copy(copy, at);
  return copy;
}

/** Text as the name table stores it for Windows: UTF-16, big-endian. */
export function toUtf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}
