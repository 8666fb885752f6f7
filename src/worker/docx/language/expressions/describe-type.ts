/** What a value is, as a phrase: "is text". */
export function describeType(value: unknown): string {
  if (value === undefined || value === null) return 'is missing';
  if (Array.isArray(value)) return 'is a list';
  if (typeof value === 'object') return 'is an object';
  if (typeof value === 'boolean') return 'is true or false';
  return typeof value === 'number' ? 'is a number' : 'is text';
}
