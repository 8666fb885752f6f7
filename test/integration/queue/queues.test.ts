import { Worker } from 'bullmq';
import { expect, it, onTestFinished } from 'vitest';
import { bullPrefix } from '../../../src/shared/queue/contracts.ts';
import { createQueues, type Queues } from '../../../src/shared/queue/queues.ts';
import { newPrefix, silent, startOwnRedis, useRedis } from '../../support/services/redis.ts';

async function newQueues(port?: number): Promise<{ queues: Queues; prefix: string }> {
  const prefix = newPrefix();
  const queues = createQueues(await useRedis('commands', port), prefix, silent);
  onTestFinished(() => queues.close());
  return { queues, prefix };
}

/** Takes one job of the mail queue and returns its id. */
async function takeJob(prefix: string): Promise<string | undefined> {
  const connection = await useRedis('blocking');
  const worker = new Worker('mail', async () => undefined, { connection, prefix: bullPrefix(prefix, 'mail') });
  try {
    return await new Promise((resolve) => worker.on('completed', (done) => resolve(done.id)));
  } finally {
    await worker.close();
  }
}

const job = (id: string) => ({ documentId: id, accountId: 'acc_1', replyTo: null });

it('a waiting job exists once, however often it is added', async () => {
  const { queues } = await newQueues();
  await Promise.all(Array.from({ length: 10 }, () => queues.add('docx', 'doc_1', job('doc_1'))));
  expect(await queues.has('docx', 'doc_1')).toBe(true);
  expect(await queues.has('pdf', 'doc_1')).toBe(false);
  expect(await queues.countWaiting('docx')).toBe(1);
});

it('a completed job is removed and may be added again', async () => {
  const { queues, prefix } = await newQueues();
  await queues.add('mail', 'dlv_1', { deliveryId: 'dlv_1' });
  expect(await takeJob(prefix)).toBe('dlv_1');
  expect(await queues.has('mail', 'dlv_1')).toBe(false);
  await queues.add('mail', 'dlv_1', { deliveryId: 'dlv_1' });
  expect(await takeJob(prefix)).toBe('dlv_1');
});

it('services with different prefixes are isolated', async () => {
  const [first, second] = [await newQueues(), await newQueues()];
  await first.queues.add('docx', 'doc_1', job('doc_1'));
  expect(await second.queues.has('docx', 'doc_1')).toBe(false);
});

it('looking up a job costs the same however many jobs wait', async () => {
  // A separate server, because it counts the commands of all clients.
  const port = await startOwnRedis();
  const { queues } = await newQueues(port);
  await queues.addMany(
    'mail',
    Array.from({ length: 500 }, (_, index) => ({ jobId: `dlv_${index}`, payload: { deliveryId: `dlv_${index}` } })),
  );
  const redis = await useRedis('commands', port);
  await redis.config('RESETSTAT');
  expect(await queues.has('mail', 'dlv_499')).toBe(true);
  expect(await queues.has('mail', 'dlv_500')).toBe(false);
  const counted = [...(await redis.info('commandstats')).matchAll(/cmdstat_(\w+)\S*:calls=(\d+)/g)];
  const ofConnections = ['client', 'config', 'hello', 'info', 'ping'];
  const calls = counted.map(([, name = '', count]) => [name, Number(count)] as const);
  expect(calls.filter(([name]) => !ofConnections.includes(name))).toEqual([['exists', 2]]);
});

it('many jobs are looked up in one round trip', async () => {
  const { queues } = await newQueues();
  await queues.add('docx', 'doc_1', job('doc_1'));
  // A delayed job counts as live, too.
  await queues.add('mail', 'dlv_1', { deliveryId: 'dlv_1' }, { delay: 60_000 });
  expect([await queues.has('mail', 'dlv_1'), await queues.countWaiting('mail')]).toEqual([true, 0]);
  expect(await queues.findMissing('docx', ['doc_0', 'doc_1', 'doc_2'])).toEqual(['doc_0', 'doc_2']);
  expect(await queues.findMissing('mail', ['dlv_1', 'dlv_2'])).toEqual(['dlv_2']);
  expect(await queues.findMissing('docx', [])).toEqual([]);
});

it('the queue counts arrivals of the last two minutes and forgets older ones', async () => {
  const { queues, prefix } = await newQueues();
  const redis = await useRedis();
  const key = `${bullPrefix(prefix, 'mail')}:arrived`;
  expect(await queues.arrivalsPerMinute('mail')).toBe(0);
  const [seconds] = await redis.time();
  await redis.hset(key, { [Number(seconds) - 121]: 50, [Number(seconds) - 60]: 3 });
  await queues.add('mail', 'dlv_1', { deliveryId: 'dlv_1' });
  expect(await queues.arrivalsPerMinute('mail')).toBe(2);
  expect(await redis.hlen(key)).toBe(2);
  expect(await redis.ttl(key)).toBeGreaterThan(50);
});
