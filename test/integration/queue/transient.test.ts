import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Redis } from '../../../src/shared/queue/redis.ts';
import type { ByteLimits } from '../../../src/shared/storage/byte-ledger.ts';
import { newPrefix, startOwnRedis, useRedis } from '../../support/services/redis.ts';
import { newTransientStore } from '../../support/services/transient.ts';

const kilobyte = 1024;
const limits = { accountBytes: 100 * kilobyte, totalBytes: 1_000 * kilobyte };
const forever = Number.POSITIVE_INFINITY;
const noGrace = { untilMs: forever, graceMs: -1 };

async function scene(changes: Partial<ByteLimits> = {}, redis?: Redis) {
  const prefix = newPrefix();
  const connection = redis ?? (await useRedis());
  const transient = newTransientStore(connection, prefix, { ...limits, ...changes });
  const keys = () => connection.keys(`*${prefix}*`);
  return { redis: connection, prefix, transient, keys };
}

const bytes = (count: number): Buffer => Buffer.alloc(count * kilobyte, 'x');
const outcome = (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'stored',
    ({ code }) => String(code),
  );

it('data beyond the limit of an account is refused with advice, and none of it is stored', async () => {
  const { transient } = await scene();
  const own = transient.of('a');
  await own.put('data', 'one', bytes(60), 60);
  await expect(own.put('upload', 'two', bytes(60), 60)).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/cancel jobs that wait, or send less data/),
    retryAfterSeconds: expect.any(Number),
  });
  expect(await transient.has('upload', 'two')).toBe(false);
  await own.put('upload', 'two', bytes(40), 60);
  expect(await transient.readTotalBytes()).toBe(100 * kilobyte);
  await transient.of('b').put('data', 'three', bytes(60), 60);
});

it('exactly as much data as fits is accepted when many processes store at the same time', async () => {
  const { prefix, transient } = await scene();
  const stores = await Promise.all(
    [1, 2, 3, 4].map(async () => newTransientStore(await useRedis(), prefix, limits).of('a')),
  );
  const outcomes = await Promise.all(
    stores.flatMap((store, process) =>
      Array.from({ length: 25 }, (_, index) => outcome(store.put('data', `${process}.${index}`, bytes(10), 60))),
    ),
  );
  expect(outcomes.filter((result) => result === 'stored')).toHaveLength(10);
  expect(outcomes.filter((result) => result === 'rate_limited')).toHaveLength(90);
  expect(await transient.readTotalBytes()).toBe(100 * kilobyte);
});

it('memory is left for the next account, however many have filled it', async () => {
  const { transient } = await scene({ accountBytes: 1_000 * kilobyte });
  const fill = async (account: string): Promise<number> => {
    for (let count = 0; ; count++)
      if ((await outcome(transient.of(account).put('data', `${account}.${count}`, bytes(10), 60))) !== 'stored')
        return count;
  };
  const filled: number[] = [];
  for (const account of ['a', 'b', 'c', 'd', 'e']) filled.push(await fill(account));
  expect(filled).toEqual([50, 25, 13, 6, 3]);
  await expect(transient.of('a').put('data', 'more', bytes(10), 60)).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: expect.any(Number),
  });
  expect(await outcome(transient.of('f').put('data', 'first', bytes(10), 60))).toBe('stored');
});

it('an item that is stored again counts once, with its last size', async () => {
  const { transient } = await scene();
  await transient.of('a').put('data', 'one', bytes(60), 60);
  await transient.of('a').put('data', 'one', bytes(80), 60);
  expect(await transient.readTotalBytes()).toBe(80 * kilobyte);
  await transient.of('a').put('data', 'one', bytes(20), 60);
  expect(await transient.readTotalBytes()).toBe(20 * kilobyte);
});

it('removed data is subtracted once and leaves no key behind', async () => {
  const { transient, keys } = await scene();
  const own = transient.of('a');
  await own.put('data', 'one', bytes(50), 60);
  await own.put('result', 'two', bytes(90), 60).catch(() => undefined);
  await own.put('upload', 'three', bytes(50), 60);
  await own.remove('data', 'one');
  await own.remove('data', 'one');
  expect(await transient.readTotalBytes()).toBe(50 * kilobyte);
  own.forget('upload', 'three');
  own.forget('upload', 'three', 50 * kilobyte);
  await expect.poll(keys).toEqual([]);
});

it('small data and small results do not count and need no further command', async () => {
  const { transient, keys } = await scene({ accountBytes: 0 });
  const own = transient.of('a');
  await own.put('data', 'one', bytes(4), 60);
  expect(await own.tryReserve('result', 'two', 64 * kilobyte)).toBe(true);
  own.forget('data', 'one', 4 * kilobyte);
  await expect.poll(keys).toEqual([]);
  expect(await own.tryReserve('result', 'three', 64 * kilobyte + 1)).toBe(false);
});

it('expired data and reservations of a dead process are subtracted by the next sweep', async () => {
  const { redis, prefix, transient, keys } = await scene();
  const own = transient.of('a');
  await own.put('data', 'expired', bytes(40), 60);
  await own.put('data', 'waiting', bytes(20), 60);
  await own.reserve('data', 'died', 40 * kilobyte);
  expect(await outcome(own.put('data', 'more', bytes(10), 60))).toBe('rate_limited');
  await redis.pexpire(`${prefix}:data:expired`, 0);
  await transient.reconcile({ untilMs: forever, graceMs: 60_000 });
  expect(await transient.readTotalBytes()).toBe(100 * kilobyte);
  await transient.reconcile(noGrace);
  expect(await transient.readTotalBytes()).toBe(20 * kilobyte);
  expect(await outcome(own.put('data', 'more', bytes(80), 60))).toBe('stored');
  await own.remove('data', 'more');
  await redis.unlink(`${prefix}:data:waiting`);
  await transient.reconcile(noGrace);
  expect(await keys()).toEqual([]);
});

it('accounts with thousands of items are reconciled', async () => {
  const { redis, prefix, transient } = await scene({ accountBytes: 1e9, totalBytes: 2e9 });
  const own = transient.of('a');
  const ids = Array.from({ length: 2_000 }, (_, index) => String(index));
  await Promise.all(ids.map((id) => own.put('data', id, bytes(5), 60)));
  await redis.unlink(...ids.slice(500).map((id) => `${prefix}:data:${id}`));
  await transient.reconcile(noGrace);
  expect(await transient.readTotalBytes()).toBe(500 * 5 * kilobyte);
});

it('counts start at zero after Redis was emptied', async () => {
  const { redis, prefix, transient } = await scene();
  await transient.of('a').put('data', 'one', bytes(100), 60);
  await redis.del(...(await redis.keys(`*${prefix}*`)));
  expect(await outcome(transient.of('a').put('data', 'two', bytes(100), 60))).toBe('stored');
  await transient.of('a').remove('data', 'one');
  expect(await transient.readTotalBytes()).toBe(100 * kilobyte);
});

it('an account is forgotten when its keys were removed', async () => {
  const { redis, prefix, transient, keys } = await scene();
  await transient.of('acc_deleted').put('data', 'one', bytes(100), 60);
  await transient.of('acc_other').put('data', 'two', bytes(50), 60);
  await redis.unlink(`${prefix}:data:one`, ...(await redis.keys(`*${prefix}*acc_deleted*`)));
  await transient.reconcile({ untilMs: forever, graceMs: 60_000 });
  expect(await transient.readTotalBytes()).toBe(50 * kilobyte);
  await transient.of('acc_other').remove('data', 'two');
  expect(await keys()).toEqual([]);
});

it('data is removed and subtracted while Redis is full', async () => {
  const own = await useRedis('commands', await startOwnRedis());
  const { transient, keys } = await scene({}, own);
  await transient.of('a').put('data', 'one', bytes(100), 60);
  await own.config('SET', 'maxmemory', '1');
  expect(await outcome(transient.of('b').put('data', 'two', bytes(50), 60))).toBe('unavailable');
  await transient.of('a').remove('data', 'one');
  await own.config('SET', 'maxmemory', '0');
  expect(await keys()).toEqual([]);
});

it('bytes are stored unchanged, also from a view of a larger buffer', async () => {
  const { transient } = await scene();
  const large = randomBytes(2_000_000);
  await transient.put('result', 'a', large.subarray(1_000, 1_500_000), 60);
  const back = await transient.get('result', 'a');
  expect(back?.equals(large.subarray(1_000, 1_500_000))).toBe(true);
  await transient.put('data', 'empty', new Uint8Array(0), 60);
  expect(await transient.get('data', 'empty')).toEqual(Buffer.alloc(0));
});

it('kinds, ids and prefixes are isolated', async () => {
  const { redis, transient } = await scene();
  await transient.put('data', 'a', Buffer.from('mine'), 60);
  expect(await transient.get('upload', 'a')).toBeUndefined();
  expect(await transient.get('data', 'b')).toBeUndefined();
  expect(await newTransientStore(redis, newPrefix()).get('data', 'a')).toBeUndefined();
  expect(await transient.has('data', 'a')).toBe(true);
});

it('every key expires, and its time starts again when it is written', async () => {
  const { redis, prefix, transient } = await scene();
  await transient.put('data', 'a', Buffer.from('x'), 100);
  const [key = ''] = await redis.keys(`${prefix}*`);
  expect(await redis.ttl(key)).toBeGreaterThan(50);
  await transient.put('data', 'a', Buffer.from('y'), 1_000);
  expect(await redis.ttl(key)).toBeGreaterThan(500);
  await redis.pexpire(key, 0);
  expect(await transient.get('data', 'a')).toBeUndefined();
  expect(await transient.has('data', 'a')).toBe(false);
});
