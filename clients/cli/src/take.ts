/** The first entries of a list, at most `limit`; further pages are not requested. */
export async function take<T>(list: AsyncIterable<T>, limit: number): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const entry of list) {
    taken.push(entry);
    if (taken.length >= limit) break;
  }
  return taken;
}
