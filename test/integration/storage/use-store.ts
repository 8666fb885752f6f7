import { inject, onTestFinished } from 'vitest';
import { createObjectStore, type ObjectStore, type ObjectStoreOptions } from '../../../src/shared/storage/objects.ts';
import '../../support/services/provided.ts';

/** A client of the suite's file store that is closed after the test. */
export function useStore(changes: Partial<ObjectStoreOptions> = {}): ObjectStore {
  const { endpoint, region, bucket, accessKey, secretKey } = inject('s3');
  const keys = { accessKeyId: accessKey, secretAccessKey: secretKey };
  const store = createObjectStore({ endpoint, region, bucket, ...keys, timeoutMs: 60_000, ...changes });
  onTestFinished(() => store.close());
  return store;
}

/** The sorted keys of all objects with this prefix. */
export async function keysIn(store: ObjectStore, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of store.list(prefix)) keys.push(...page.map(({ key }) => key));
  return keys.sort();
}
