/** The first request for a picture makes it: more at once would only wait for each other, and keep other previews waiting. */
const maxRunning = 3;
const waiting: (() => void)[] = [];
let running = 0;

/** Runs a request when fewer than `maxRunning` others run. Rejects without a request when the signal aborts before. */
export async function runLimited<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    signal.throwIfAborted();
    return await request();
  } finally {
    // The permit goes to the next request that waits.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
