import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again and again until the answer is neither undefined nor false, and returns it. A question that throws counts as
 * not yet; the last error is told when the time is up.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 60_000,
  everyMs = 25,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await look();
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

/** What every row asserts with: the sentence says what should have been. */
export function expect(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new Error(sentence);
}

export function expectEqual<T>(actual: T, wanted: T, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}
