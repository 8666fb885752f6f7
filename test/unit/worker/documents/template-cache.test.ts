import { expect, it } from 'vitest';
import type { ObjectStore } from '../../../../src/shared/storage/objects.ts';
import { createTemplateCache } from '../../../../src/worker/documents/template-cache.ts';

function storeOf(get: (key: string) => Promise<Buffer | undefined>): { store: ObjectStore; reads: string[] } {
  const reads: string[] = [];
  const store = {
    get: (key: string) => {
      reads.push(key);
      return get(key);
    },
  };
  return { store: store as unknown as ObjectStore, reads };
}

const afterTick = async (bytes: Buffer | undefined): Promise<Buffer | undefined> => {
  await new Promise(setImmediate);
  return bytes;
};

it('concurrent loads of a template read it once', async () => {
  const { store, reads } = storeOf(() => afterTick(Buffer.from('docx')));
  const cache = createTemplateCache(store, 1_000);
  const loaded = await Promise.all([cache.load('a', 'sum'), cache.load('a', 'sum')]);
  expect(loaded.map(String)).toEqual(['docx', 'docx']);
  await cache.load('a', 'sum');
  expect(reads).toEqual(['a']);
  expect(cache.counts()).toEqual({ hits: 1, misses: 2 });
});

it('a load succeeds even if other templates fill the cache before it ends', async () => {
  const { store } = storeOf((key) =>
    key === 'slow' ? afterTick(Buffer.alloc(90)) : Promise.resolve(Buffer.alloc(60)),
  );
  const cache = createTemplateCache(store, 100);
  const slow = cache.load('slow', 'sum');
  for (const key of ['a', 'b', 'c']) await cache.load(key, 'sum');
  expect(await slow).toHaveLength(90);
});

it('a template larger than the cache is loaded each time', async () => {
  const { store, reads } = storeOf(() => Promise.resolve(Buffer.alloc(500)));
  const cache = createTemplateCache(store, 100);
  expect([await cache.load('a', 'sum'), await cache.load('a', 'sum')].map((bytes) => bytes.length)).toEqual([500, 500]);
  expect(reads).toEqual(['a', 'a']);
});

it('a missing file or a failed read is reported and not cached', async () => {
  const answers = [
    () => Promise.reject(new Error('down')),
    () => afterTick(undefined),
    () => afterTick(Buffer.from('docx')),
  ];
  const { store } = storeOf(() => (answers.shift() ?? (() => afterTick(undefined)))());
  const cache = createTemplateCache(store, 1_000);
  await expect(cache.load('a', 'sum')).rejects.toThrow('down');
  await expect(cache.load('a', 'sum')).rejects.toMatchObject({ code: 'internal', retry: false });
  expect(String(await cache.load('a', 'sum'))).toBe('docx');
});
