/** True for objects of parsed JSON, but not for lists. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for own keys of the object, so that `__proto__` and `constructor` do not match. */
export function hasOwn(value: object, key: string): boolean {
  return Object.hasOwn(value, key);
}
