import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, inject, it, onTestFinished } from 'vitest';
import { randomText } from '../../../src/shared/ids.ts';
import { createObjectStore, type ObjectStore } from '../../../src/shared/storage/objects.ts';
import '../../support/services/provided.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function newStore(): ObjectStore {
  const { endpoint, region, bucket, accessKey, secretKey } = inject('s3');
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
  const store = createObjectStore({ endpoint, region, bucket, ...credentials, timeoutMs: 10_000 });
  onTestFinished(() => store.close());
  return store;
}

const newKey = (name: string) => `test/${randomText(10)}/${name}`;

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) {
    await nextTurn();
    yield bytes.subarray(from, from + size);
  }
}

const mib = 1024 * 1024;

it.each([0, 1, 8 * mib - 1, 8 * mib, 8 * mib + 1, 20 * mib])(
  'a stream of %i bytes is stored completely',
  async (size) => {
    const store = newStore();
    const bytes = randomBytes(size);
    const key = newKey('stream');
    expect(await store.putStream(key, inChunks(bytes, 700_001), 'application/x-ndjson')).toBe(size);
    expect((await store.get(key, sha256(bytes)))?.equals(bytes)).toBe(true);
  },
);

it.each([10, 9 * mib])('nothing is stored of a stream that fails after %i bytes', async (size) => {
  const store = newStore();
  const key = newKey('failed');
  const failure = new Error('the source is broken');
  async function* broken(): AsyncGenerator<Buffer> {
    yield randomBytes(size);
    throw failure;
  }
  await expect(store.putStream(key, broken(), 'application/zip')).rejects.toBe(failure);
  expect(await store.getRange(key, 0, 1)).toBeUndefined();
  expect(await store.getStream(key)).toBeUndefined();
});

it('a source is read only as fast as its bytes are stored', async () => {
  const store = newStore();
  let asked = 0;
  let stored = 0;
  let furthest = 0;
  async function* source(): AsyncGenerator<Buffer> {
    for (; asked < 5; asked++) {
      furthest = Math.max(furthest, asked - stored);
      yield Buffer.alloc(8 * mib, asked);
    }
  }
  const key = newKey('slow');
  const done = store.putStream(key, source(), 'application/zip').then((size) => {
    stored = size / (8 * mib);
  });
  await nextTurn();
  expect(asked).toBeLessThan(3);
  await done;
  expect(stored).toBe(5);
});

it('a range returns exactly its bytes', async () => {
  const store = newStore();
  const bytes = randomBytes(100_000);
  const key = newKey('range');
  await store.put(key, bytes, 'application/zip');
  for (const [offset, size] of [
    [0, 2],
    [0, 100_000],
    [99_999, 1],
    [40_000, 20_000],
    [5, 0],
  ] as const) {
    expect((await store.getRange(key, offset, size))?.equals(bytes.subarray(offset, offset + size))).toBe(true);
  }
  await expect(store.getRange(key, 99_999, 10)).rejects.toMatchObject({ code: 'unavailable' });
});

it.each([0, 1, 4 * mib, 4 * mib + 1, 13_000_000])(
  'an object of %i bytes is streamed, from any offset',
  async (size) => {
    const store = newStore();
    const bytes = randomBytes(size);
    const key = newKey('streamed');
    await store.put(key, bytes, 'application/zip');
    for (const offset of [0, Math.floor(size / 3), size]) {
      const read: Buffer[] = [];
      for await (const chunk of (await store.getStream(key, offset)) ?? []) read.push(chunk);
      expect(Buffer.concat(read).equals(bytes.subarray(offset))).toBe(true);
    }
  },
);
