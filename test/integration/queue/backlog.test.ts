import { describe, expect, it, vi } from 'vitest';
import { createBacklogGate } from '../../../src/api/documents/backlog-gate.ts';
import { createBacklogReader, createThroughputCounter } from '../../../src/shared/queue/backlog.ts';
import { createQueues, type Queues } from '../../../src/shared/queue/queues.ts';
import { outcomeOf, together } from '../../support/domain/accounts.ts';
import { newPrefix, silent, useRedis } from '../../support/services/redis.ts';

const own = 'acc_own';

async function newQueue() {
  const redis = await useRedis();
  const prefix = newPrefix();
  const queues = createQueues(redis, prefix, silent);
  return { redis, prefix, queues, reader: createBacklogReader(redis, prefix, queues) };
}

async function fill(queues: Queues, count: number, accountId = own): Promise<void> {
  await together(count, (index) =>
    queues.add('docx', `${accountId}-${index}`, { documentId: 'doc', accountId, replyTo: null }),
  );
}

describe('the backlog of a queue', () => {
  it('consists of the waiting jobs of all and of the account, the age of its oldest one, and the throughput', async () => {
    const { redis, prefix, queues, reader } = await newQueue();
    const empty = { depth: 0, ownDepth: 0, ownAgeMs: 0, accounts: 0, perSecond: 0 };
    expect(await reader.read('docx', own)).toEqual(empty);
    await fill(queues, 3);
    await fill(queues, 4, 'acc_other');
    const throughput = createThroughputCounter(redis, prefix);
    for (let count = 0; count < 100; count++) throughput.count('docx');
    const backlog = await vi.waitFor(async () => {
      const read = await reader.read('docx', own);
      expect(read.perSecond).toBeGreaterThan(0);
      expect(read.ownAgeMs).toBeGreaterThan(0);
      return read;
    }, 10_000);
    expect(backlog).toMatchObject({ depth: 7, ownDepth: 3, accounts: 2 });
    expect(backlog.ownAgeMs).toBeLessThan(30_000);
    expect(backlog.perSecond).toBeGreaterThan(100 / 15.1);
    expect(backlog.perSecond).toBeLessThanOrEqual(10);
    expect(await reader.read('pdf', own)).toEqual(empty);
  });
});

describe('admission to a queue', () => {
  it('of one account is never refused for the backlog of another, however deep and old it is', async () => {
    const { queues, reader } = await newQueue();
    await fill(queues, 30, 'acc_loud');
    const limits = { depth: 20, accountDepth: 10, accountAgeMs: 1 };
    const gate = createBacklogGate({ reader, waiting: limits, later: limits });
    await expect(gate.admit('docx', 'acc_loud', 'waiting')).rejects.toThrow(/already has 30 documents waiting/);
    expect(await outcomeOf(gate.admit('docx', own, 'waiting'))).toBe('ok');
    expect(await outcomeOf(gate.admit('docx', own, 'later'))).toBe('ok');
  });

  it('accepts requests when Redis is unreachable: later steps report the outage', async () => {
    const { redis, reader } = await newQueue();
    redis.disconnect();
    const limits = { depth: 0, accountDepth: 0, accountAgeMs: 0 };
    const gate = createBacklogGate({ reader, waiting: limits, later: limits });
    expect(await outcomeOf(gate.admit('docx', own, 'waiting'))).toBe('ok');
  });
});
