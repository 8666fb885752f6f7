import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { randomText } from '../../../src/shared/ids.ts';
import { keysIn, useStore } from './use-store.ts';

const mib = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const newKey = (name: string) => `test/${randomText(10)}/${name}`;

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) {
    await nextTurn();
    yield bytes.subarray(from, from + size);
  }
}

it.each([
  ['nothing', newKey('empty'), Buffer.alloc(0)],
  ['one byte', newKey('byte'), randomBytes(1)],
  ['six megabytes', newKey('large'), randomBytes(6_000_000)],
  ['a view of a larger buffer', newKey('part'), randomBytes(50_000).subarray(10_000, 20_000)],
  ['a key with every character of file names', newKey('Grüße & 100 % + "x" (1).docx'), randomBytes(100)],
])('%s is read back unchanged', async (_, key, bytes) => {
  const store = useStore();
  await store.put(key, bytes, 'application/pdf');
  expect((await store.get(key, sha256(bytes)))?.equals(bytes)).toBe(true);
});

it('bytes with a wrong checksum are never returned', async () => {
  const store = useStore();
  const key = newKey('file');
  await store.put(key, randomBytes(100), 'application/pdf');
  await expect(store.get(key, sha256(randomBytes(100)))).rejects.toMatchObject({ code: 'unavailable' });
});

it('a removed object is not found, and may be removed again', async () => {
  const store = useStore();
  const bytes = randomBytes(100);
  const keys = [newKey('a'), newKey('b')];
  for (const key of keys) await store.put(key, bytes, 'application/pdf');
  await store.remove(keys);
  await store.remove([...keys, newKey('never was')]);
  for (const key of keys) expect(await store.get(key, sha256(bytes))).toBeUndefined();
  // A missing object is no outage.
  for (const key of keys) expect(await store.getStream(key)).toBeUndefined();
});

it('a listing returns every object under a prefix once, with its age, beyond the thousand of one response', async () => {
  const store = useStore({ bucket: `test-${randomText(10)}` });
  await store.prepare();
  const keys = Array.from({ length: 1_010 }, (_, index) => `results/${index % 3}/${index}`).sort();
  for (let from = 0; from < keys.length; from += 50) {
    await Promise.all(keys.slice(from, from + 50).map((key) => store.put(key, randomBytes(1), 'application/pdf')));
  }
  await store.put('other/1', randomBytes(1), 'application/pdf');
  expect(await keysIn(store, 'results/')).toEqual(keys);
  for await (const page of store.list('other/'))
    for (const { modifiedAt } of page) expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
  expect(await store.isReachable()).toBe(true);
});

it('a missing bucket is created, even by several processes at once', async () => {
  const bucket = `test-${randomText(10)}`;
  const stores = Array.from({ length: 4 }, () => useStore({ bucket }));
  const [first] = stores;
  expect(await first?.isReachable()).toBe(false);
  await Promise.all(stores.map((store) => store.prepare()));
  expect(await first?.isReachable()).toBe(true);
  await first?.prepare();
});

it.each([
  ['a missing bucket', { bucket: `test-${randomText(10)}` }, 'NoSuchBucket', 'S3_BUCKET'],
  ['a wrong secret', { secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch', 'S3_SECRET_ACCESS_KEY'],
  ['an unknown access key', { accessKeyId: 'nobody' }, 'InvalidAccessKeyId', 'S3_ACCESS_KEY_ID'],
])(
  '%s is an outage for the caller at once, and one error in the log for the operator',
  async (_, wrong, code, variable) => {
    const lines: string[] = [];
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const store = useStore({ logger, ...wrong });
    const key = newKey('file');
    for (const call of [
      () => store.put(key, randomBytes(10), 'application/pdf'),
      () => store.get(key, sha256(randomBytes(10))),
      () => store.getRange(key, 0, 10),
      () => store.getStream(key),
      () => keysIn(store, 'test/'),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    }
    expect(await store.isReachable()).toBe(false);
    const msg = `the file store refuses requests: check ${variable}`;
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual({
      level: 50,
      time: expect.any(Number),
      code,
      msg,
    });
    expect(lines.filter((line) => line.includes(`"${code}"`))).toHaveLength(1);
    expect(lines.join('')).not.toContain('wrong');
  },
);

it.each([0, 1, 8 * mib - 1, 8 * mib, 8 * mib + 1, 20 * mib])(
  'a stream of %i bytes is stored completely',
  async (size) => {
    const store = useStore();
    const bytes = randomBytes(size);
    const key = newKey('stream');
    expect(await store.putStream(key, inChunks(bytes, 700_001), 'application/x-ndjson')).toBe(size);
    expect((await store.get(key, sha256(bytes)))?.equals(bytes)).toBe(true);
  },
);

it.each([10, 9 * mib])('nothing is stored of a stream that fails after %i bytes', async (size) => {
  const store = useStore();
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
  const store = useStore();
  let asked = 0;
  async function* source(): AsyncGenerator<Buffer> {
    for (; asked < 5; asked++) yield Buffer.alloc(8 * mib, asked);
  }
  const stored = store.putStream(newKey('slow'), source(), 'application/zip');
  await nextTurn();
  expect(asked).toBeLessThan(3);
  expect(await stored).toBe(5 * 8 * mib);
});

it('a range returns exactly its bytes', async () => {
  const store = useStore();
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
    const store = useStore();
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
