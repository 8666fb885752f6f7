/** The first request for a thumbnail renders it. More at once would only queue up, and delay other previews. */
const maxRunning = 3;
const waiting: (() => void)[] = [];
let running = 0;

/**
 * Runs a request when fewer than `maxRunning` others are running. Rejects without sending it if the signal aborts
 * first.
 */
export async function runLimited<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    signal.throwIfAborted();
    return await request();
  } finally {
    // The permit passes to the next waiting request.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
