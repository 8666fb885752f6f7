import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { newPrefix, useRedis } from '../../support/services/redis.ts';
import { newTransientStore } from '../../support/services/transient.ts';

async function store() {
  const redis = await useRedis();
  const prefix = newPrefix();
  return { redis, prefix, transient: newTransientStore(redis, prefix) };
}

it('stores bytes unchanged, also from a view of a larger buffer', async () => {
  const { transient } = await store();
  const large = randomBytes(2_000_000);
  await transient.put('result', 'a', large.subarray(1_000, 1_500_000), 60);
  const back = await transient.get('result', 'a');
  expect(back?.equals(large.subarray(1_000, 1_500_000))).toBe(true);
  await transient.put('data', 'empty', new Uint8Array(0), 60);
  expect(await transient.get('data', 'empty')).toEqual(Buffer.alloc(0));
});

it('isolates kinds, ids and prefixes', async () => {
  const { redis, transient } = await store();
  await transient.put('data', 'a', Buffer.from('mine'), 60);
  expect(await transient.get('upload', 'a')).toBeUndefined();
  expect(await transient.get('data', 'b')).toBeUndefined();
  expect(await newTransientStore(redis, newPrefix()).get('data', 'a')).toBeUndefined();
  expect(await transient.has('data', 'a')).toBe(true);
});

it('sets an expiry on every key, and restarts it when the key is written again', async () => {
  const { redis, prefix, transient } = await store();
  await transient.put('data', 'a', Buffer.from('x'), 100);
  const [key = ''] = await redis.keys(`${prefix}*`);
  expect(await redis.ttl(key)).toBeGreaterThan(95);
  await transient.put('data', 'a', Buffer.from('y'), 1_000);
  expect(await redis.ttl(key)).toBeGreaterThan(995);
  await redis.pexpire(key, 0);
  expect(await transient.get('data', 'a')).toBeUndefined();
  expect(await transient.has('data', 'a')).toBe(false);
});

it('removes values, also a second time', async () => {
  const { redis, prefix, transient } = await store();
  await transient.put('data', 'a', Buffer.from('x'), 100);
  await transient.remove('data', 'a');
  await transient.remove('data', 'a');
  expect(await redis.keys(`${prefix}*`)).toEqual([]);
});
