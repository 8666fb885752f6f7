/** SHA-256 of a file, in hexadecimal. */
export const checksum = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
export const createdAt = '2026-11-20T09:30:00.000Z';
export const startedAt = '2026-11-20T09:30:01.000Z';
export const finishedAt = '2026-11-20T09:30:02.000Z';
export const expiresAt = '2026-11-27T09:30:02.000Z';

export type Examples = Readonly<Record<string, unknown>>;

/** Removes undefined fields, as JSON does. */
export function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
