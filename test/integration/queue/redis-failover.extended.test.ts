import { Worker } from 'bullmq';
import { stdSerializers } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { bullPrefix } from '../../../src/shared/queue/contracts.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import { startFaultProxy } from '../../support/faults/fault-proxy.ts';
import { newPrefix, silent, startOwnRedis, useRedis } from '../../support/services/redis.ts';
import { newTransientStore } from '../../support/services/transient.ts';

const bytes = Buffer.from('x');

it('a connection to a demoted primary reconnects to the new primary', async () => {
  const [oldPort, newPort] = [await startOwnRedis(), await startOwnRedis()];
  const address = { port: oldPort };
  const proxy = await startFaultProxy(address);
  onTestFinished(() => proxy.close());
  const [commands, blocking] = [await useRedis('commands', proxy.port), await useRedis('blocking', proxy.port)];
  const prefix = newPrefix();
  const [transient, queues] = [newTransientStore(commands, prefix), createQueues(commands, prefix, silent)];
  await transient.put('data', 'a', bytes, 60);
  const done: (string | undefined)[] = [];
  const worker = new Worker('mail', async ({ id }) => void done.push(id), {
    connection: blocking,
    prefix: bullPrefix(prefix, 'mail'),
  });
  worker.on('error', () => undefined);
  onTestFinished(() => worker.close(true));
  await worker.waitUntilReady();

  address.port = newPort;
  const old = await useRedisAt(oldPort);
  await old.replicaof('127.0.0.1', newPort);
  await expect(transient.put('data', 'b', bytes, 60)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(blocking.set('c', 'x')).rejects.toThrow('READONLY');
  await expect.poll(() => transient.put('data', 'b', bytes, 60).then(() => 'stored', String)).toBe('stored');
  await queues.add('mail', 'dlv_1', { deliveryId: 'dlv_1' });
  await expect.poll(() => blocking.set('c', 'x').catch(String)).toBe('OK');
  await expect.poll(() => done).toEqual(['dlv_1']);
  await queues.close();
});

it('a primary without enough replicas is reported as an outage', async () => {
  const redis = await useRedisAt(await startOwnRedis());
  const transient = newTransientStore(redis, newPrefix());
  await redis.config('SET', 'min-replicas-to-write', '1');
  await expect(transient.put('data', 'a', bytes, 60)).rejects.toMatchObject({ code: 'unavailable' });
  await redis.config('SET', 'min-replicas-to-write', '0');
  await transient.put('data', 'a', bytes, 60);
});

it('a server that is blocked by a script is reported as an outage', async () => {
  const port = await startOwnRedis();
  const [redis, other] = [await useRedisAt(port), await useRedisAt(port)];
  await redis.config('SET', 'busy-reply-threshold', '1');
  const held = other.eval('while true do end', 0).catch(() => undefined);
  const transient = newTransientStore(redis, newPrefix());
  // The script may run after the first write.
  const put = () =>
    transient.put('data', 'a', bytes, 60).then(
      () => undefined,
      (error: unknown) => error,
    );
  await expect.poll(put).toMatchObject({ code: 'unavailable' });
  await redis.script('KILL');
  await held;
  await transient.put('data', 'a', bytes, 60);
});

it('an error that is not an outage contains no client data', async () => {
  const redis = await useRedisAt(await startOwnRedis());
  const prefix = newPrefix();
  await redis.call('ACL', 'SETUSER', 'default', '-set');
  const error = await newTransientStore(redis, prefix)
    .put('data', 'a', Buffer.from('canary'), 60)
    .catch((failure: unknown) => failure);
  expect(String(error)).toContain('NOPERM');
  expect(JSON.stringify(stdSerializers.err(error as Error))).not.toMatch(/canary|99,97,110/);
});

const useRedisAt = (port: number) => useRedis('commands', port);
