/**
 * A list that ends when the next entry takes too long. The service scans an account's entries page by page, so
 * searching for a text that does not occur would read all of them. Calls `onStop` if older entries were not searched.
 */
export async function* searchWithin<T>(
  list: (signal: AbortSignal) => AsyncIterable<T>,
  { signal, limitMs, onStop }: { readonly signal: AbortSignal; readonly limitMs: number; readonly onStop: () => void },
): AsyncGenerator<T> {
  const limit = new AbortController();
  const iterator = list(AbortSignal.any([signal, limit.signal]))[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => limit.abort(), limitMs);
    let entry: IteratorResult<T>;
    try {
      entry = await iterator.next();
    } catch (error) {
      if (!limit.signal.aborted || signal.aborted) throw error;
      onStop();
      return;
    } finally {
      clearTimeout(timer);
    }
    if (entry.done === true) return;
    yield entry.value;
  }
}
