/** The family name inside a stored font. Each document replaces it with an alias of the same length. */
export const familyPlaceholder = 'docmill'.padEnd(39, '0');

const placeholderBytes = toUtf16(familyPlaceholder);

/** A copy of a stored font with the alias as its family name, which LibreOffice later reads from the font. */
export function withFamilyName(font: Uint8Array, alias: string): Buffer {
  const copy = Buffer.from(font);
  const name = toUtf16(alias);
  if (name.length !== placeholderBytes.length) throw new Error('the alias and the placeholder differ in length');
  for (let at = copy.indexOf(placeholderBytes); at >= 0; at = copy.indexOf(placeholderBytes, at + name.length))
    name.copy(copy, at);
  return copy;
}

/** Text as the name table stores it for Windows: UTF-16, big-endian. */
export function toUtf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}
