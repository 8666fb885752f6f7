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

/** Follows a JSON string through the chunks in which it arrives. */
export class ChunkedString {
  #isOpen = false;
  #isFirstEscaped = false;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Call this at the opening quote. */
  open(): void {
    this.#isOpen = true;
  }

  /** The index of the closing quote, or the length of a chunk in which the string does not end. */
  skip(chunk: Buffer, from: number): number {
    const start = this.#isFirstEscaped ? from + 1 : from;
    const end = endOfString(chunk, start);
    this.#isOpen = end < 0;
    this.#isFirstEscaped = end < 0 && isEscaped(chunk, chunk.length, start);
    return end < 0 ? chunk.length : end;
  }
}

/** Whether an odd number of backslashes precedes the byte at `at` within the string that begins at `start`. */
function isEscaped(bytes: Buffer, at: number, start: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes >= start && bytes[at - 1 - backslashes] === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}
