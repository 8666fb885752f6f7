import { describe, expect, it, vi } from 'vitest';
import { createBacklogGate } from '../../../src/api/generation/backlog-gate.ts';
import { type Backlog, createBacklogReader, createThroughputCounter } from '../../../src/shared/queue/backlog.ts';
import { createQueues, type Queues } from '../../../src/shared/queue/queues.ts';
import { outcomeOf, tally, together } from '../../support/domain/accounts.ts';
import { newPrefix, silent, useRedis } from '../../support/services/redis.ts';

const later = { depth: 20, ageMs: 60_000 };
const waiting = { depth: 5, ageMs: 30_000 };

async function newQueue() {
  const redis = await useRedis();
  const prefix = newPrefix();
  const queues = createQueues(redis, prefix, silent);
  return { redis, prefix, queues, reader: createBacklogReader(redis, prefix, queues) };
}

async function fill(queues: Queues, count: number, timestamp = Date.now()): Promise<void> {
  await together(count, (index) =>
    queues.add(
      'docx',
      `doc-${timestamp}-${index}`,
      { generationId: 'doc', accountId: 'acc_1', replyTo: null },
      { timestamp },
    ),
  );
}

describe('the backlog of a queue', () => {
  it('consists of the number of waiting jobs, the age of the oldest one, and the throughput', async () => {
    const { redis, prefix, queues, reader } = await newQueue();
    expect(await reader.read('docx')).toEqual({ depth: 0, ageMs: 0, perSecond: 0 });
    await fill(queues, 1, Date.now() - 4_000);
    await fill(queues, 2);
    const throughput = createThroughputCounter(redis, prefix);
    for (let count = 0; count < 100; count++) throughput.count('docx');
    const backlog = await vi.waitFor(async () => {
      const look = await reader.read('docx');
      expect(look.perSecond).toBeGreaterThan(0);
      return look;
    }, 10_000);
    expect(backlog.depth).toBe(3);
    expect(backlog.ageMs).toBeGreaterThanOrEqual(4_000);
    expect(backlog.ageMs).toBeLessThan(30_000);
    expect(backlog.perSecond).toBeGreaterThan(100 / 15.1);
    expect(backlog.perSecond).toBeLessThanOrEqual(10);
    expect(await reader.read('pdf')).toEqual({ depth: 0, ageMs: 0, perSecond: 0 });
  });
});

describe('admission to a queue', () => {
  it('accepts waiting requests up to one depth, asynchronous ones up to another', async () => {
    const { queues, reader } = await newQueue();
    await fill(queues, 3);
    const gate = createBacklogGate({ reader, waiting, later });
    const outcomes = await together(30, (index) => outcomeOf(gate.admit('docx', index < 10 ? 'waiting' : 'later')));
    expect(tally(outcomes.slice(0, 10))).toEqual({ ok: 2, unavailable: 8 });
    expect(tally(outcomes.slice(10))).toEqual({ ok: 15, unavailable: 5 });
    expect(await outcomeOf(gate.admit('pdf', 'waiting'))).toBe('ok');
  });

  it('rejects waiting requests when the oldest job has waited too long', async () => {
    const { queues, reader } = await newQueue();
    await fill(queues, 1, Date.now() - 40_000);
    const gate = createBacklogGate({ reader, waiting, later });
    expect(await outcomeOf(gate.admit('docx', 'waiting'))).toBe('unavailable');
    expect(await outcomeOf(gate.admit('docx', 'later'))).toBe('ok');
  });

  it('estimates how long the backlog will take, or a minute when nothing moves', async () => {
    const refusal = async (backlog: Backlog): Promise<unknown> => {
      const gate = createBacklogGate({ reader: { read: async () => backlog }, waiting, later });
      return gate.admit('docx', 'waiting').catch((error: unknown) => error);
    };
    expect(await refusal({ depth: 100, ageMs: 0, perSecond: 12 })).toMatchObject({ retryAfterSeconds: 9 });
    expect(await refusal({ depth: 100, ageMs: 0, perSecond: 0 })).toMatchObject({ retryAfterSeconds: 60 });
    expect(await refusal({ depth: 100_000, ageMs: 0, perSecond: 1 })).toMatchObject({ retryAfterSeconds: 300 });
    expect(await refusal({ depth: 5, ageMs: 0, perSecond: 500 })).toMatchObject({ retryAfterSeconds: 1 });
  });

  it('reads the queue once for any number of callers', async () => {
    const { reader } = await newQueue();
    let looks = 0;
    const counting = {
      read: (queue: 'docx' | 'pdf') => {
        looks += 1;
        return reader.read(queue);
      },
    };
    const gate = createBacklogGate({ reader: counting, waiting: { ...waiting, depth: 5_000 }, later });
    await together(1_000, () => gate.admit('docx', 'waiting'));
    expect(looks).toBe(1);
  });

  it('accepts requests when Redis is unreachable: later steps report the outage', async () => {
    const { redis, reader } = await newQueue();
    redis.disconnect();
    const gate = createBacklogGate({ reader, waiting, later });
    expect(await outcomeOf(gate.admit('docx', 'waiting'))).toBe('ok');
  });
});
