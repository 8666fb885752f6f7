const quote = 0x22;
const backslash = 0x5c;

/**
 * The closing quote of a JSON string whose content begins at `start`, or -1 if the bytes end first. Uses the native search,
 * because strings are most of a body.
 */
export function endOfString(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(quote, start);
  while (at >= 0 && isEscaped(bytes, at, start)) at = bytes.indexOf(quote, at + 1);
  return at;
}

/** Whether an odd number of backslashes precedes the byte at `at` within the string that begins at `start`. */
export function isEscaped(bytes: Buffer, at: number, start: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes >= start && bytes[at - 1 - backslashes] === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}
