/** Makes a string storable in PostgreSQL: null characters and lone surrogates, which JSON allows, become U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
