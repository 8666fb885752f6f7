import { createHash, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, inject, it, onTestFinished } from 'vitest';
import { randomText } from '../../../src/shared/ids.ts';
import { createObjectStore, type ObjectStore } from '../../../src/shared/storage/objects.ts';
import '../../support/services/provided.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function newStore(bucket = inject('s3').bucket): ObjectStore {
  const { endpoint, region, accessKey, secretKey } = inject('s3');
  const store = createObjectStore({
    endpoint,
    region,
    bucket,
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    timeoutMs: 10_000,
  });
  onTestFinished(() => store.close());
  return store;
}

const newKey = (name: string) => `test/${randomText(10)}/${name}`;

it.each([0, 1, 1_000, 6_000_000])('%i bytes are read back unchanged', async (size) => {
  const store = newStore();
  const bytes = randomBytes(size);
  const key = newKey('file.docx');
  await store.put(key, bytes, 'application/pdf');
  expect((await store.get(key, sha256(bytes)))?.equals(bytes)).toBe(true);
});

it('a view of a larger buffer is stored as that view', async () => {
  const store = newStore();
  const large = randomBytes(50_000);
  const part = large.subarray(10_000, 20_000);
  const key = newKey('part');
  await store.put(key, part, 'application/pdf');
  expect((await store.get(key, sha256(part)))?.equals(part)).toBe(true);
});

it('a key may contain every character of file names', async () => {
  const store = newStore();
  const bytes = randomBytes(100);
  const key = newKey('Grüße & 100 % + "x" (1).docx');
  await store.put(key, bytes, 'application/pdf');
  expect((await store.get(key, sha256(bytes)))?.equals(bytes)).toBe(true);
});

it('bytes with a wrong checksum are never returned', async () => {
  const store = newStore();
  const key = newKey('file');
  await store.put(key, randomBytes(100), 'application/pdf');
  await expect(store.get(key, sha256(randomBytes(100)))).rejects.toMatchObject({ code: 'unavailable' });
});

it('a removed object is not found, and may be removed again', async () => {
  const store = newStore();
  const bytes = randomBytes(100);
  const keys = [newKey('a'), newKey('b')];
  for (const key of keys) await store.put(key, bytes, 'application/pdf');
  await store.remove(keys);
  await store.remove([...keys, newKey('never was')]);
  for (const key of keys) expect(await store.get(key, sha256(bytes))).toBeUndefined();
});

it('a listing returns every object under a prefix once, with its age', async () => {
  const store = newStore();
  const folder = `test/${randomText(10)}/`;
  const keys = Array.from({ length: 12 }, (_, index) => `${folder}${index % 3}/${index}`).sort();
  await Promise.all(keys.map((key) => store.put(key, randomBytes(10), 'application/pdf')));
  const listed = [];
  for await (const page of store.list(folder)) listed.push(...page);
  expect(listed.map((object) => object.key).sort()).toEqual(keys);
  for (const { modifiedAt } of listed) expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
});

it('a listing continues after the thousand objects of one response, and the bucket stays reachable', async () => {
  const store = newStore(`test-${randomText(10)}`);
  await store.prepare();
  const keys = Array.from({ length: 1_010 }, (_, index) => `results/${index}`).sort();
  for (let from = 0; from < keys.length; from += 50) {
    await Promise.all(keys.slice(from, from + 50).map((key) => store.put(key, randomBytes(1), 'application/pdf')));
  }
  const listed: string[] = [];
  for await (const page of store.list('results/')) listed.push(...page.map(({ key }) => key));
  expect(listed.sort()).toEqual(keys);
  expect(await store.isReachable()).toBe(true);
});

it('a missing bucket is created, even by several processes at once', async () => {
  const stores = Array.from(
    { length: 4 },
    (
      (bucket) => () =>
        newStore(bucket)
    )(`test-${randomText(10)}`),
  );
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
    const { endpoint, region, bucket, accessKey, secretKey } = inject('s3');
    const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
    const lines: string[] = [];
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const store = createObjectStore({ endpoint, region, bucket, ...credentials, timeoutMs: 60_000, logger, ...wrong });
    onTestFinished(() => store.close());
    const key = newKey('file');
    const list = async () => {
      for await (const _page of store.list('test/'));
    };
    for (const call of [
      () => store.put(key, randomBytes(10), 'application/pdf'),
      () => store.get(key, sha256(randomBytes(10))),
      () => store.getRange(key, 0, 10),
      () => store.getStream(key),
      list,
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    }
    expect(await store.isReachable()).toBe(false);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual({
      level: 50,
      time: expect.any(Number) as number,
      code,
      msg: `the file store refuses requests: check ${variable}`,
    });
    expect(lines.filter((line) => line.includes(`"${code}"`))).toHaveLength(1);
    expect(lines.join('')).not.toContain('wrong');
  },
);

it('a missing object in an existing bucket is not an outage', async () => {
  expect(await newStore().getStream(newKey('none'))).toBeUndefined();
});
