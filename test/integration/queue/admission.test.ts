import { describe, expect, it } from 'vitest';
import { createBacklogGate } from '../../../src/api/documents/backlog-gate.ts';
import { createQueues, type Queues } from '../../../src/shared/queue/queues.ts';
import { outcomeOf, together } from '../../support/domain/accounts.ts';
import { newPrefix, silent, useRedis } from '../../support/services/redis.ts';

const own = 'acc_own';

async function newQueue() {
  const redis = await useRedis();
  return { redis, queues: createQueues(redis, newPrefix(), silent) };
}

async function fill(queues: Queues, count: number, accountId = own): Promise<void> {
  await together(count, (index) =>
    queues.add('docx', `${accountId}-${index}`, { documentId: 'doc', accountId, replyTo: null }),
  );
}

describe('admission to a queue', () => {
  it('is never refused to one account for the backlog of another, however deep and old it is', async () => {
    const { queues } = await newQueue();
    await fill(queues, 30, 'acc_loud');
    const limits = { depth: 20, accountDepth: 10, accountAgeMs: { waiting: 1, later: 1 } };
    const gate = createBacklogGate(queues, limits);
    await expect(gate.admit('docx', 'acc_loud', 'waiting')).rejects.toThrow(/already has 30 documents waiting/);
    expect(await outcomeOf(gate.admit('docx', own, 'waiting'))).toBe('ok');
    expect(await outcomeOf(gate.admit('docx', own, 'later'))).toBe('ok');
  });

  it('is granted when Redis is unreachable, because later steps report the outage', async () => {
    const { redis, queues } = await newQueue();
    redis.disconnect();
    const limits = { depth: 0, accountDepth: 0, accountAgeMs: { waiting: 0, later: 0 } };
    const gate = createBacklogGate(queues, limits);
    expect(await outcomeOf(gate.admit('docx', own, 'waiting'))).toBe('ok');
  });
});
