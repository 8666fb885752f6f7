/** True for objects of parsed JSON, and not for lists. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for keys of the object itself, so that `__proto__` and `constructor` name nothing. */
export function hasOwn(value: object, key: string): boolean {
  return Object.hasOwn(value, key);
}
