import type { ObjectStore } from '../../../src/shared/storage/objects.ts';

/** The keys of the objects in a bucket, sorted. */
export async function storedKeys(objects: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of objects.list(prefix)) keys.push(...page.map(({ key }) => key));
  return keys.sort();
}
