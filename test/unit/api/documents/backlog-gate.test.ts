import { expect, test } from 'vitest';
import { createBacklogGate } from '../../../../src/api/documents/backlog-gate.ts';
import type { Backlog } from '../../../../src/shared/queue/backlog.ts';
import { outcomeOf, tally, together } from '../../../support/domain/accounts.ts';

const later = { depth: 1_000, accountDepth: 20, accountAgeMs: 60_000 };
const waiting = { depth: 1_000, accountDepth: 5, accountAgeMs: 30_000 };
const empty: Backlog = { depth: 0, ownDepth: 0, ownAgeMs: 0, accounts: 0, perSecond: 0 };

/** A gate to a queue with this backlog, and how often it was read. */
function gateTo(backlog: Partial<Backlog>, limits: Partial<typeof waiting> = {}) {
  const reads: string[] = [];
  const reader = {
    async read(queue: string): Promise<Backlog> {
      reads.push(queue);
      return { ...empty, ...backlog };
    },
  };
  const gate = createBacklogGate({ reader, waiting: { ...waiting, ...limits }, later });
  return { reads, admit: (kind: 'waiting' | 'later' = 'waiting') => gate.admit('docx', 'acc_own', kind) };
}

test('waiting requests of an account are admitted up to one depth, asynchronous ones up to another', async () => {
  const { admit } = gateTo({ depth: 3, ownDepth: 3, accounts: 1 });
  const outcomes = await together(30, (index) => outcomeOf(admit(index < 10 ? 'waiting' : 'later')));
  expect(tally(outcomes.slice(0, 10))).toEqual({ ok: 2, unavailable: 8 });
  expect(tally(outcomes.slice(10))).toEqual({ ok: 15, unavailable: 5 });
});

test('waiting requests are refused when the oldest document of the account has waited too long, which names it', async () => {
  const { admit } = gateTo({ depth: 1, ownDepth: 1, ownAgeMs: 30_001, accounts: 1 });
  await expect(admit()).rejects.toThrow(/oldest document of this account/);
  expect(await outcomeOf(admit('later'))).toBe('ok');
  expect(await outcomeOf(gateTo({ depth: 1, ownDepth: 1, ownAgeMs: 29_000, accounts: 1 }).admit())).toBe('ok');
});

test('a full queue is left to accounts below their share of it', async () => {
  const outcomeAt = (ownDepth: number) =>
    outcomeOf(gateTo({ depth: 2_000, ownDepth, accounts: 10, perSecond: 5 }, { accountDepth: 500 }).admit());
  expect([await outcomeAt(99), await outcomeAt(100)]).toEqual(['ok', 'unavailable']);
});

test.each([
  ['a hundred documents at twelve a second', 100, 12, 1, 9],
  ['a hundred documents of one of three accounts', 100, 12, 3, 25],
  ['nothing that moves', 100, 0, 1, 60],
  ['more than five minutes', 100_000, 1, 1, 300],
  ['less than a second', 5, 500, 1, 1],
])('the time to wait is estimated: %s', async (_, ownDepth, perSecond, accounts, retryAfterSeconds) => {
  const { admit } = gateTo({ depth: ownDepth, ownDepth, accounts, perSecond });
  await expect(admit()).rejects.toMatchObject({ retryAfterSeconds });
});

test('the queue is read once for any number of callers', async () => {
  const { reads, admit } = gateTo({}, { depth: 5_000, accountDepth: 5_000 });
  await together(1_000, () => admit());
  expect(reads).toEqual(['docx']);
});
