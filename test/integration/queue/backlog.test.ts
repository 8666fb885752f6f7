import { describe, expect, it, vi } from 'vitest';
import { createBacklogGate } from '../../../src/api/generation/backlog-gate.ts';
import { type Backlog, createBacklogReader, createThroughputCounter } from '../../../src/shared/queue/backlog.ts';
import { createQueues, type Queues } from '../../../src/shared/queue/queues.ts';
import { outcomeOf, tally, together } from '../../support/domain/accounts.ts';
import { newPrefix, silent, useRedis } from '../../support/services/redis.ts';

const later = { depth: 1_000, accountDepth: 20, accountAgeMs: 60_000 };
const waiting = { depth: 1_000, accountDepth: 5, accountAgeMs: 30_000 };
const own = 'acc_own';

async function newQueue() {
  const redis = await useRedis();
  const prefix = newPrefix();
  const queues = createQueues(redis, prefix, silent);
  return { redis, prefix, queues, reader: createBacklogReader(redis, prefix, queues) };
}

async function fill(queues: Queues, count: number, accountId = own): Promise<void> {
  await together(count, (index) =>
    queues.add('docx', `${accountId}-${index}`, { generationId: 'doc', accountId, replyTo: null }),
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
  it('accepts waiting requests of an account up to one depth, asynchronous ones up to another', async () => {
    const { queues, reader } = await newQueue();
    await fill(queues, 3);
    const gate = createBacklogGate({ reader, waiting, later });
    const outcomes = await together(30, (index) =>
      outcomeOf(gate.admit('docx', own, index < 10 ? 'waiting' : 'later')),
    );
    expect(tally(outcomes.slice(0, 10))).toEqual({ ok: 2, unavailable: 8 });
    expect(tally(outcomes.slice(10))).toEqual({ ok: 15, unavailable: 5 });
    expect(await outcomeOf(gate.admit('pdf', own, 'waiting'))).toBe('ok');
  });

  it('rejects waiting requests when the oldest job of the account has waited too long, and names it', async () => {
    const { queues, reader } = await newQueue();
    await fill(queues, 1);
    await vi.waitFor(async () => expect((await reader.read('docx', own)).ownAgeMs).toBeGreaterThan(100));
    const gate = createBacklogGate({ reader, waiting: { ...waiting, accountAgeMs: 100 }, later });
    await expect(gate.admit('docx', own, 'waiting')).rejects.toThrow(/oldest document of this account/);
    expect(await outcomeOf(gate.admit('docx', own, 'later'))).toBe('ok');
  });

  it('of one account is never refused for the backlog of another, however deep and old it is', async () => {
    const { queues, reader } = await newQueue();
    await fill(queues, 30, 'acc_loud');
    const limits = { depth: 20, accountDepth: 10, accountAgeMs: 1 };
    const gate = createBacklogGate({ reader, waiting: limits, later: limits });
    await expect(gate.admit('docx', 'acc_loud', 'waiting')).rejects.toThrow(/already has 30 documents waiting/);
    expect(await outcomeOf(gate.admit('docx', own, 'waiting'))).toBe('ok');
    expect(await outcomeOf(gate.admit('docx', own, 'later'))).toBe('ok');
  });

  it('to a full queue is left to accounts below their share of it', async () => {
    const admit = (ownDepth: number): Promise<string> => {
      const backlog = { depth: 2_000, ownDepth, ownAgeMs: 0, accounts: 10, perSecond: 5 };
      const limits = { ...waiting, accountDepth: 500 };
      return outcomeOf(
        createBacklogGate({ reader: { read: async () => backlog }, waiting: limits, later }).admit(
          'docx',
          own,
          'waiting',
        ),
      );
    };
    expect([await admit(99), await admit(100)]).toEqual(['ok', 'unavailable']);
  });

  it('estimates how long the backlog will take, or a minute when nothing moves', async () => {
    const refusal = async (ownDepth: number, perSecond: number, accounts = 1): Promise<unknown> => {
      const backlog: Backlog = { depth: ownDepth, ownDepth, ownAgeMs: 0, accounts, perSecond };
      const gate = createBacklogGate({ reader: { read: async () => backlog }, waiting, later });
      return gate.admit('docx', own, 'waiting').catch((error: unknown) => error);
    };
    expect(await refusal(100, 12)).toMatchObject({ retryAfterSeconds: 9 });
    expect(await refusal(100, 12, 3)).toMatchObject({ retryAfterSeconds: 25 });
    expect(await refusal(100, 0)).toMatchObject({ retryAfterSeconds: 60 });
    expect(await refusal(100_000, 1)).toMatchObject({ retryAfterSeconds: 300 });
    expect(await refusal(5, 500)).toMatchObject({ retryAfterSeconds: 1 });
  });

  it('reads the queue once for any number of callers', async () => {
    const { reader } = await newQueue();
    let looks = 0;
    const counting = {
      read: (queue: 'docx' | 'pdf', accountId: string) => {
        looks += 1;
        return reader.read(queue, accountId);
      },
    };
    const gate = createBacklogGate({
      reader: counting,
      waiting: { ...waiting, depth: 5_000, accountDepth: 5_000 },
      later,
    });
    await together(1_000, () => gate.admit('docx', own, 'waiting'));
    expect(looks).toBe(1);
  });

  it('accepts requests when Redis is unreachable: later steps report the outage', async () => {
    const { redis, reader } = await newQueue();
    redis.disconnect();
    const gate = createBacklogGate({ reader, waiting, later });
    expect(await outcomeOf(gate.admit('docx', own, 'waiting'))).toBe('ok');
  });
});
