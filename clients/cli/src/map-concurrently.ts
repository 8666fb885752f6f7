/**
 * Runs `task` for each item, at most `limit` at a time; results keep the order of the items. The first error is thrown
 * once the running tasks have ended.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const queue = items.entries();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results.set(index, await task(item));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
