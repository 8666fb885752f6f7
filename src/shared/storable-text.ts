/** A text as PostgreSQL can store it: null characters and half surrogates, which JSON can express, give way to U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
