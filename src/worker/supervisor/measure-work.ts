/** Counts the milliseconds for which an account used an engine. */
export type AddWorkMs = (ms: number) => void;

/** Runs `work` in a slot and counts its time, even when it fails. */
export async function measureWork<T>(addWorkMs: AddWorkMs | undefined, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    addWorkMs?.(performance.now() - startedAt);
  }
}
