import { expect, onTestFinished, test, vi } from 'vitest';
import { type ClientKind, createBacklogGate } from '../../../../src/api/documents/backlog-gate.ts';
import type { FairBacklog, FairQueue } from '../../../../src/shared/queue/fair/fair-queue.ts';
import { outcomeOf, tally, together } from '../../../support/domain/accounts.ts';

const limits = { depth: 1_000, accountDepth: 20, accountAgeMs: { waiting: 30_000, later: 60_000 } };
const empty: FairBacklog = { depth: 0, ageMs: 0, ownDepth: 0, ownAgeMs: 0, accounts: 0, assigned: 0 };

/** Creates a gate to a queue with this backlog, and counts how often the backlog is read. */
function gateTo(backlog: Partial<FairBacklog>, changes: Partial<typeof limits> = {}) {
  const reads: string[] = [];
  const queue: Pick<FairQueue, 'backlog'> = {
    async backlog(accountId) {
      reads.push(accountId);
      return { ...empty, ageMs: backlog.ownAgeMs ?? 0, ...backlog };
    },
  };
  const gate = createBacklogGate({ fair: () => queue as FairQueue }, { ...limits, ...changes });
  const admit = (kind: ClientKind = 'waiting', accountId = 'acc_own') => gate.admit('docx', accountId, kind);
  return { reads, admit };
}

test("an account's requests are admitted up to the same depth, whether clients wait or not", async () => {
  const { admit } = gateTo({ depth: 3, ownDepth: 3, accounts: 1 });
  const outcomes = await together(30, (index) => outcomeOf(admit(index < 10 ? 'waiting' : 'later')));
  expect(tally(outcomes.slice(0, 10))).toEqual({ ok: 10 });
  expect(tally(outcomes.slice(10))).toEqual({ ok: 7, unavailable: 13 });
});

test("synchronous requests are refused when the account's oldest document has waited too long, and the error names its age", async () => {
  const { admit } = gateTo({ depth: 1, ownDepth: 1, ownAgeMs: 30_001, accounts: 1 });
  await expect(admit()).rejects.toThrow(/oldest document of this account/);
  expect(await outcomeOf(admit('later'))).toBe('ok');
  expect(await outcomeOf(gateTo({ depth: 1, ownDepth: 1, ownAgeMs: 29_000, accounts: 1 }).admit())).toBe('ok');
  expect(await outcomeOf(gateTo({ ownDepth: 1, ownAgeMs: 60_001 }).admit('later'))).toBe('unavailable');
});

test('a full queue admits only accounts below their share', async () => {
  const outcomeAt = (ownDepth: number) =>
    outcomeOf(gateTo({ depth: 2_000, ownDepth, accounts: 10 }, { accountDepth: 500 }).admit());
  expect([await outcomeAt(99), await outcomeAt(100)]).toEqual(['ok', 'unavailable']);
});

test.each([
  [0, 1],
  [12_300, 13],
  [3_600_000, 300],
])("the suggested wait is the age of the account's oldest document: %i ms", async (ownAgeMs, retryAfterSeconds) => {
  const { admit } = gateTo({ depth: 20, ownDepth: 20, ownAgeMs, accounts: 1 });
  await expect(admit()).rejects.toMatchObject({ retryAfterSeconds });
});

test('the backlog is read once for any number of callers', async () => {
  const { reads, admit } = gateTo({}, { depth: 5_000, accountDepth: 5_000 });
  await together(1_000, () => admit());
  expect(reads).toEqual(['acc_own']);
});

test('one reading serves all accounts while no single account could exceed a limit, and each has its own otherwise', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const calm = gateTo({ depth: 3 });
  await calm.admit();
  for (let index = 0; index < 16; index++) await calm.admit('waiting', `acc_${index}`);
  expect(calm.reads).toEqual(['acc_own']);
  // With the three that waited, the queue may now have as many as one account may have. The next reading shows three.
  for (const accountId of ['acc_0', 'acc_own', 'acc_1']) await calm.admit('waiting', accountId);
  expect(calm.reads).toEqual(['acc_own', 'acc_0']);
  vi.advanceTimersByTime(1_001);
  await calm.admit('waiting', 'acc_1');
  expect(calm.reads).toEqual(['acc_own', 'acc_0', 'acc_1']);

  for (const busy of [{ depth: 20 }, { depth: 1, ageMs: 29_500 }]) {
    const { reads, admit } = gateTo({ ...busy, accounts: 2 });
    for (const accountId of ['acc_0', 'acc_1', 'acc_0']) await admit('waiting', accountId);
    expect(reads).toEqual(['acc_0', 'acc_1']);
  }
});
