import { setTimeout as delay } from 'node:timers/promises';

interface WaitOptions {
  readonly what: string;
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  /** Rejects when waiting has become pointless, such as when the process has left. */
  readonly abandoned?: Promise<never>;
}

/** Asks again and again until the answer is yes; a check that throws counts as a no. */
export async function waitUntil(check: () => Promise<boolean>, options: WaitOptions): Promise<void> {
  const giveUp = new AbortController();
  const asking = (async () => {
    const deadline = performance.now() + options.timeoutMs;
    while (!giveUp.signal.aborted) {
      if (await check().catch(() => false)) return;
      if (performance.now() > deadline)
        throw new Error(`${options.what} did not happen within ${options.timeoutMs} ms`);
      await delay(options.intervalMs ?? 50);
    }
  })();
  try {
    await (options.abandoned === undefined ? asking : Promise.race([asking, options.abandoned]));
  } finally {
    giveUp.abort();
    asking.catch(() => undefined);
  }
}
