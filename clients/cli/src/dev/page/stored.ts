/** Keeps a value in this tab across reloads. A browser without storage is not an error. */
export function keep(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or disabled.
  }
}

/** The kept value; undefined if there is none. */
export function recall(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
