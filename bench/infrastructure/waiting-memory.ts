import { newId } from '../../src/shared/ids.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { createQueues } from '../../src/shared/queue/queues.ts';
import { openRedis, redisReady } from '../../src/shared/queue/redis.ts';
import { createTransientStore } from '../../src/shared/storage/transient.ts';
import { letterBody } from './measure-point.ts';
import { openRedisMeter } from './redis-meter.ts';
import type { Fabric } from './stack.ts';

/** Bytes of Redis that a document takes while it waits, beyond its data itself. */
export async function measureWaiting(fabric: Fabric, documents: number): Promise<number> {
  const silent = createLogger('silent', 'bench');
  const { redisUrl } = fabric.redis;
  const redis = openRedis({ REDIS_URL: redisUrl, REDIS_CLUSTER: false }, 'commands', silent);
  const meter = openRedisMeter(redisUrl);
  try {
    await redisReady(redis, 10_000);
    const prefix = 'fabric-waiting';
    const [queues, transient] = [createQueues(redis, prefix, silent), createTransientStore(redis, prefix)];
    const data = Buffer.from(letterBody('docx'));
    const before = await meter.memoryBytes();
    for (let index = 0; index < documents; index++) {
      const id = newId('doc');
      await transient.put('data', id, data, 3_600);
      await queues.add('docx', id, { generationId: id, replyTo: null });
    }
    const bytes = (await meter.memoryBytes()) - before;
    await queues.close();
    return Math.round(bytes / documents) - data.length;
  } finally {
    meter.close();
    redis.disconnect();
  }
}
