import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `read` returns neither undefined nor false, and returns its value. A read that throws is repeated; the
 * timeout error contains the last error.
 */
export async function until<T>(
  what: string,
  read: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 120_000,
  everyMs = 25,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await read();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) {
      const reason = last instanceof Error ? ` (${last.message})` : '';
      throw new Error(`${what}: not within ${timeoutMs} ms${reason}`);
    }
    await delay(everyMs);
  }
}

/** The assertion of the rows; `sentence` describes the violation. */
export function expect(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new Error(sentence);
}

export function expectEqual<T>(actual: T, expected: T, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}
