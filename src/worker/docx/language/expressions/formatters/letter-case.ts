/** A text whose first character is a capital. */
export function capitalize(text: string, locale: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
}

/** A text whose words have capital first letters. */
export function capitalizeWords(text: string, locale: string): string {
  return text.replace(
    /(^|\s)(\p{L})/gu,
    (_, before: string, letter: string) => before + letter.toLocaleUpperCase(locale),
  );
}
