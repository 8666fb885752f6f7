import { newId, randomText } from '../../shared/ids.ts';
import { createLogger } from '../../shared/logger.ts';
import { bullPrefix } from '../../shared/queue/contracts.ts';
import { closeRedis, openRedis, type Redis, type RedisAddress, serversOf } from '../../shared/queue/redis.ts';
import { openReplyChannel, publishReply } from '../../shared/queue/replies.ts';
import { runTrialJob } from '../../shared/queue/run-trial-job.ts';
import { withinMs } from '../../shared/storage/attempts.ts';
import { type Finding, failed, ok, reasonOf, warning } from './finding.ts';

const rights = 'redis rights';
const patienceMs = 5_000;
/** The number of keys to examine: one page of SCAN. */
const sampledKeys = 1_000;

/**
 * Performs each operation of the service once, under temporary names: stores a value, runs a script, receives a
 * message, and takes a job from a queue.
 */
export async function tryRedis(redis: Redis, address: RedisAddress, prefix: string): Promise<Finding> {
  const steps = [
    ['a value cannot be stored', () => storeValue(redis, prefix)],
    ['a script cannot be run', () => runScript(redis, prefix)],
    ['a message does not arrive', () => receiveMessage(redis, address, prefix)],
    ['a job cannot be taken from a queue', () => takeJob(redis, address, prefix)],
  ] as const;
  for (const [problem, step] of steps) {
    try {
      await step();
    } catch (error) {
      return failed(rights, `${problem}: ${reasonOf(error)}`, `Give the user of REDIS_URL ${aclOf(prefix)}`);
    }
  }
  return ok(rights, 'values, scripts, messages and queues work');
}

/** The rights that the service needs, in the words of `ACL SETUSER`. */
export const aclOf = (prefix: string): string =>
  `~{${prefix}-* ~${prefix}:* &${prefix}:* +@all -@admin -@dangerous +info`;

async function storeValue(redis: Redis, prefix: string): Promise<void> {
  const key = `${prefix}:doctor:${randomText(12)}`;
  await redis.set(key, '1', 'PX', patienceMs);
  await redis.del(key);
}

async function runScript(redis: Redis, prefix: string): Promise<void> {
  const key = `${bullPrefix(prefix, 'doctor')}:${randomText(12)}`;
  await redis.eval("redis.call('hset', KEYS[1], 'a', '1') return redis.call('del', KEYS[1])", 1, key);
}

async function receiveMessage(redis: Redis, address: RedisAddress, prefix: string): Promise<void> {
  const logger = createLogger('silent', 'doctor');
  const subscriber = openRedis(address, 'subscriber', logger);
  const name = `${prefix}:replies:${newId('api')}`;
  try {
    const channel = await withinMs(patienceMs, () => openReplyChannel(subscriber, name, logger));
    const arrived = new Promise<void>((resolve) => void channel.expect('doctor', () => resolve()));
    await publishReply(redis, name, { id: 'doctor', ok: true, value: null });
    await withinMs(patienceMs, () => arrived);
    await channel.close();
  } finally {
    await closeRedis(subscriber);
  }
}

async function takeJob(redis: Redis, address: RedisAddress, prefix: string): Promise<void> {
  const connection = openRedis(address, 'blocking', createLogger('silent', 'doctor'));
  try {
    await withinMs(patienceMs, () => runTrialJob(redis, connection, bullPrefix(prefix, `doctor-${randomText(12)}`)));
  } finally {
    await closeRedis(connection);
  }
}

/** Examines some keys: those of other programs use the same memory, and may be flushed together with ours. */
export async function checkOtherKeys(redis: Redis, prefix: string): Promise<Finding> {
  const check = 'redis database';
  const isOurs = (key: string): boolean => key.startsWith(`${prefix}:`) || key.startsWith(`{${prefix}-`);
  const pages = await Promise.all(serversOf(redis).map((server) => server.scan('0', 'COUNT', sampledKeys)));
  const keys = pages.flatMap(([, page]) => page);
  const others = keys.filter((key) => !isOurs(key)).length;
  if (others === 0) return ok(check, 'holds no keys of other programs');
  const message = `${others} of ${keys.length} keys that were looked at belong to other programs, which share its maxmemory`;
  const fix = 'Give the service a Redis of its own, or count the memory of the other programs in maxmemory';
  return warning(check, message, fix);
}
