/**
 * The text of a string, a number, true or false; undefined for anything else. The only conversion of values to text:
 * `String` throws for an object whose `toString` comes from the data.
 */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
