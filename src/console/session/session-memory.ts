import { session } from './session.ts';

/** Values by their keys. */
export interface SessionMemory<T> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
  readonly delete: (key: string) => void;
}

/**
 * Remembers values in this tab until the session ends, because the next key must not see what the previous one read.
 * Above `max` values, the oldest is forgotten.
 */
export function createSessionMemory<T>(max: number): SessionMemory<T> {
  const values = new Map<string, T>();
  session.subscribe(() => values.clear());
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > max && oldest !== undefined) values.delete(oldest);
    },
    delete: (key) => {
      values.delete(key);
    },
  };
}
