import { newId } from '../../src/shared/ids.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { createQueues } from '../../src/shared/queue/queues.ts';
import { openRedis, redisReady } from '../../src/shared/queue/redis.ts';
import { createTransientStore } from '../../src/shared/storage/transient.ts';
import { startContender } from '../harness/contender-process.ts';
import { median, rounded } from '../harness/statistics.ts';
import { letterBody, type Tenant } from './measure-point.ts';
import { recordCommands } from './record-commands.ts';
import { openRedisMeter, type RedisUse, redisUse } from './redis-meter.ts';
import { replayCommands } from './replay-commands.ts';
import type { Infrastructure } from './stack.ts';

export interface RedisAlone {
  readonly documents: number;
  /** Commands sent by clients, without calls from scripts. */
  readonly requestsPerDocument: number;
  readonly requestBytesPerDocument: number;
  /** Documents per second in each round. */
  readonly perSecond: readonly number[];
  readonly medianPerSecond: number;
  /** Measured in the last round. */
  readonly use: RedisUse;
  /**
   * Error replies of all rounds, by kind. Many would mean that the replayed commands did less work than the recorded
   * ones.
   */
  readonly errors: Readonly<Record<string, number>>;
}

/** Records the commands of real documents, then replays them as fast as Redis accepts them. */
export async function measureRedisAlone(
  infrastructure: Infrastructure,
  tenants: readonly Tenant[],
  documents: number,
  rounds: number,
): Promise<RedisAlone> {
  const { redisUrl, port } = infrastructure.redis;
  const fleet = await infrastructure.startFleet(1, 16);
  const load = await startContender(new URL('./load-process.ts', import.meta.url), {
    urls: fleet.urls,
    tenants,
    body: letterBody('docx'),
  });
  let recording: Awaited<ReturnType<typeof recordCommands>>;
  let produced = 0;
  try {
    await load.run({ forMs: 1_000, minDocuments: 32, concurrency: 32 });
    recording = await recordCommands(port, async () => {
      produced = (await load.run({ forMs: 0, minDocuments: documents, concurrency: 32 })).documents;
    });
  } finally {
    await load.close();
    await fleet.stop();
  }
  const meter = openRedisMeter(redisUrl);
  try {
    const perSecond: number[] = [];
    let use: RedisUse | undefined;
    const errorsBefore = await meter.errors();
    for (let round = 0; round < rounds; round++) {
      const before = await meter.count();
      const seconds = await replayCommands(redisUrl, recording);
      use = redisUse(before, await meter.count(), produced);
      perSecond.push(rounded(produced / seconds, 0));
    }
    if (use === undefined) throw new Error('no round was replayed');
    return {
      documents: produced,
      perSecond,
      medianPerSecond: median(perSecond),
      use,
      requestsPerDocument: rounded(recording.commands.length / produced, 1),
      requestBytesPerDocument: rounded(recording.commands.reduce((sum, { length }) => sum + length, 0) / produced, 0),
      errors: increase(errorsBefore, await meter.errors()),
    };
  } finally {
    meter.close();
  }
}

function increase(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) {
  const kinds = Object.entries(after).map(([kind, count]): [string, number] => [kind, count - (before[kind] ?? 0)]);
  return Object.fromEntries(kinds.filter(([, count]) => count > 0));
}

/** The Redis memory of a waiting document in bytes, without the size of its data. */
export async function measureWaitingMemory(infrastructure: Infrastructure, documents: number): Promise<number> {
  const silent = createLogger('silent', 'bench');
  const { redisUrl } = infrastructure.redis;
  const redis = openRedis({ REDIS_URL: redisUrl, REDIS_CLUSTER: false }, 'commands', silent);
  const meter = openRedisMeter(redisUrl);
  try {
    await redisReady(redis, 10_000);
    const prefix = 'bench-waiting';
    const queues = createQueues(redis, prefix, silent);
    const limits = { accountBytes: Number.MAX_SAFE_INTEGER, totalBytes: Number.MAX_SAFE_INTEGER };
    const transient = createTransientStore(redis, prefix, limits);
    const data = Buffer.from(letterBody('docx'));
    const before = await meter.memoryBytes();
    for (let index = 0; index < documents; index++) {
      const id = newId('doc');
      await transient.put('data', id, data, 3_600);
      await queues.add('docx', id, { documentId: id, accountId: 'acc_bench', replyTo: null });
    }
    const bytes = (await meter.memoryBytes()) - before;
    await queues.close();
    return Math.round(bytes / documents) - data.length;
  } finally {
    meter.close();
    redis.disconnect();
  }
}
