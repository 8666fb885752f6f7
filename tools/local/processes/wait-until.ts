import { setTimeout as delay } from 'node:timers/promises';

interface WaitOptions {
  /** The subject of the error message, such as "the exit of api". */
  readonly what: string;
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  /** Called each time that another `remindEveryMs` have passed, 30 seconds by default, with the seconds so far. */
  readonly remind?: ((waitedSeconds: number) => void) | undefined;
  readonly remindEveryMs?: number;
  /** Rejects when waiting is pointless, for example because the process exited. */
  readonly abandoned?: Promise<never>;
}

/** Repeats a check until it returns true; a check that throws counts as false. */
export async function waitUntil(check: () => Promise<boolean>, options: WaitOptions): Promise<void> {
  const giveUp = new AbortController();
  const { remind, remindEveryMs = 30_000 } = options;
  const startedAtMs = performance.now();
  const waitedSeconds = (): number => Math.round((performance.now() - startedAtMs) / 1_000);
  const reminder = remind === undefined ? undefined : setInterval(() => remind(waitedSeconds()), remindEveryMs);
  const polling = (async () => {
    const deadline = startedAtMs + options.timeoutMs;
    while (!giveUp.signal.aborted) {
      if (await check().catch(() => false)) return;
      if (performance.now() > deadline)
        throw new Error(`${options.what} took longer than ${options.timeoutMs / 1_000} seconds`);
      await delay(options.intervalMs ?? 50);
    }
  })();
  try {
    await (options.abandoned === undefined ? polling : Promise.race([polling, options.abandoned]));
  } finally {
    clearInterval(reminder);
    giveUp.abort();
    polling.catch(() => undefined);
  }
}
