import { describe, expect, it } from 'vitest';
import { beginDeletion } from '../../../../src/shared/domain/accounts/delete-account.ts';
import { setKeyBudget } from '../../../../src/shared/domain/api-keys/budget.ts';
import { createKey } from '../../../../src/shared/domain/api-keys/create-key.ts';
import { createAcceptor } from '../../../../src/shared/domain/documents/accept-document.ts';
import { createOnceAcceptor } from '../../../../src/shared/domain/documents/accept-once.ts';
import type { ClaimedDocument } from '../../../../src/shared/domain/documents/document-record.ts';
import { reserveDocuments } from '../../../../src/shared/domain/documents/reserve-documents.ts';
import { settleDocuments } from '../../../../src/shared/domain/documents/settle-documents.ts';
import { createSettler } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { newId } from '../../../../src/shared/ids.ts';
import {
  claimed,
  documentRequest,
  finishedDocument,
  type NewAccount,
  newAccount,
  outcomeOf,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { holdAllowances } from '../../../support/faults/held-rows.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
keepRules(pool);
const other = useDatabase({ poolSize: 10 });

/** A new acceptor and the sizes of its statements. */
function newAcceptor() {
  const sizes: number[] = [];
  return { accept: createAcceptor(db, 60_000, (size) => sizes.push(size)), sizes };
}

const accountsWith = (...docs: readonly number[]): Promise<NewAccount[]> =>
  Promise.all(docs.map((each) => newAccount(db, { docs: each })));

const chargesOf = async (accounts: readonly NewAccount[]): Promise<readonly (readonly number[])[]> =>
  Promise.all(
    accounts.map(async ({ accountId }) => {
      const { rows } = await pool.query<{ held: number; settled: number }>(
        'select sum(docs_held)::int as held, sum(docs_settled)::int as settled from allowances where account_id = $1',
        [accountId],
      );
      return [rows[0]?.held ?? 0, rows[0]?.settled ?? 0];
    }),
  );

describe('requests of several accounts in one statement', () => {
  it('are accepted or refused by the quota of their own account', async () => {
    const { accept, sizes } = newAcceptor();
    const accounts = await accountsWith(100, 2, 0, 100);
    const outcomes = await together(20, async (index) => {
      const { accountId, templateId } = accounts[index % 4] ?? (accounts[0] as NewAccount);
      return `${index % 4} ${await outcomeOf(accept(accountId, documentRequest(templateId)))}`;
    });
    expect(tally(outcomes)).toEqual({
      '0 ok': 5,
      '1 ok': 2,
      '1 quota_exceeded': 3,
      '2 quota_exceeded': 5,
      '3 ok': 5,
    });
    expect(sizes[0]).toBe(20);
    expect((await chargesOf(accounts)).map(([held]) => held)).toEqual([5, 2, 0, 5]);
  });

  it('are charged to the budgets of their keys', async () => {
    const { accept } = newAcceptor();
    const [spender, another] = (await accountsWith(100, 100)) as [NewAccount, NewAccount];
    const keys = await Promise.all([spender, spender, another].map(({ accountId }) => createKey(db, { accountId })));
    for (const [index, docs] of [4, 100, 3].entries()) await setKeyBudget(db, keys[index]?.keyId ?? '', docs);
    const isTest = { ...(await createKey(db, { accountId: another.accountId, isTest: true })), isTest: true };
    const outcomes = await together(40, async (index) => {
      const key = [...keys, isTest][index % 4] ?? isTest;
      const { templateId } = key.accountId === spender.accountId ? spender : another;
      const request = documentRequest(templateId, { keyId: key.keyId, isTest: key.isTest });
      return `${index % 4} ${await outcomeOf(accept(key.accountId, request))}`;
    });
    expect(tally(outcomes)).toEqual({
      '0 ok': 4,
      '0 quota_exceeded': 6,
      '1 ok': 10,
      '2 ok': 3,
      '2 quota_exceeded': 7,
      '3 ok': 10,
    });
    const spent = await pool.query('select key_id, docs from key_spending where key_id = any($1)', [
      keys.map(({ keyId }) => keyId),
    ]);
    expect(new Map(spent.rows.map(({ key_id: id, docs }) => [id, docs]))).toEqual(
      new Map(keys.map(({ keyId }, index) => [keyId, [4, 10, 3][index]])),
    );
    expect((await chargesOf([spender, another])).map(([held]) => held)).toEqual([14, 3]);
  });

  it('are accepted although that of another account fails, has no template, or its account is being deleted', async () => {
    const { accept } = newAcceptor();
    const [good, bad, deleted] = (await accountsWith(100, 100, 100)) as [NewAccount, NewAccount, NewAccount];
    await beginDeletion(db, deleted.accountId, 'test');
    const takenId = await bad.accept();
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => accept(good.accountId, documentRequest(good.templateId))),
      accept(bad.accountId, documentRequest(bad.templateId, { id: takenId })),
      accept(bad.accountId, documentRequest(bad.templateId)),
      accept(bad.accountId, documentRequest(good.templateId)),
      accept(deleted.accountId, documentRequest(deleted.templateId)),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'ok' : outcome.reason.code))).toEqual([
      ...Array(4).fill('ok'),
      '23505',
      'ok',
      'not_found',
      'quota_exceeded',
    ]);
    expect((await chargesOf([good, bad, deleted])).map(([held]) => held)).toEqual([4, 2, 0]);
  });

  it('do not wait long for an account whose allowance is locked', async () => {
    const { accept } = newAcceptor();
    const [held, free] = (await accountsWith(100, 100)) as [NewAccount, NewAccount];
    const hold = await holdAllowances(pool, held.accountId);
    const waiting = together(5, () => outcomeOf(accept(held.accountId, documentRequest(held.templateId))));
    const requests = together(5, () => outcomeOf(accept(free.accountId, documentRequest(free.templateId))));
    expect(tally(await requests)).toEqual({ ok: 5 });
    expect(await hold.waiters()).toHaveLength(1);
    await hold.release();
    expect(tally(await waiting)).toEqual({ ok: 5 });
    expect((await chargesOf([held, free])).map(([reserved]) => reserved)).toEqual([5, 5]);
  });

  it('with one idempotency key create one document for each account', async () => {
    const { accept } = newAcceptor();
    const once = createOnceAcceptor(db, 10, 60_000);
    const accounts = await accountsWith(100, 100, 100);
    const key = { key: newId('doc'), operation: 'POST generate', requestHash: 'same', ttlSeconds: 3_600 };
    const replays = await together(30, async (index) => {
      const { accountId, templateId } = accounts[index % 3] ?? (accounts[0] as NewAccount);
      const request = documentRequest(templateId);
      if (index >= 15) return (await once(accountId, request, key)).isReplay;
      await accept(accountId, request);
      return undefined;
    });
    expect(replays.filter((isReplay) => isReplay === false)).toHaveLength(3);
    expect(replays.filter((isReplay) => isReplay === true)).toHaveLength(12);
    expect((await chargesOf(accounts)).map(([held]) => held)).toEqual([6, 6, 6]);
  });
});

const settlementOf = (claim: ClaimedDocument) => ({
  accountId: claim.accountId,
  attempt: claim,
  document: finishedDocument(claim),
});

async function claimsOf(accounts: readonly NewAccount[], each: number): Promise<ClaimedDocument[]> {
  const ids = await together(each * accounts.length, (index) =>
    (accounts[index % accounts.length] as NewAccount).accept(),
  );
  return Promise.all(ids.map((id) => claimed(db, id)));
}

describe('settlements of several accounts in one statement', () => {
  it('charge each account, and leave out fenced attempts', async () => {
    const accounts = await accountsWith(100, 100, 100);
    const sizes: number[] = [];
    const settle = createSettler(db, 60_000, (size) => sizes.push(size));
    const claims = await claimsOf(accounts, 4);
    const stale = claims[5] as ClaimedDocument;
    await claimed(db, stale.id);
    const outcomes = await Promise.all(claims.map((claim) => settle(settlementOf(claim))));
    expect(outcomes).toEqual(claims.map((claim) => claim !== stale));
    expect(sizes[0]).toBe(12);
    expect(await chargesOf(accounts)).toEqual([
      [0, 4],
      [0, 4],
      [1, 3],
    ]);
  });

  it('do not wait long for an account whose allowance is locked', async () => {
    const [held, free] = (await accountsWith(100, 100)) as [NewAccount, NewAccount];
    const settle = createSettler(db, 60_000);
    const claims = await claimsOf([held, free], 3);
    const hold = await holdAllowances(pool, held.accountId);
    const isHeld = ({ accountId }: ClaimedDocument): boolean => accountId === held.accountId;
    const waiting = Promise.all(claims.filter(isHeld).map((claim) => settle(settlementOf(claim))));
    const others = claims.filter((claim) => !isHeld(claim)).map((claim) => settle(settlementOf(claim)));
    expect(await Promise.all(others)).toEqual([true, true, true]);
    expect(await hold.waiters()).toHaveLength(1);
    await hold.release();
    expect(await waiting).toEqual([true, true, true]);
    expect(await chargesOf([held, free])).toEqual([
      [0, 3],
      [0, 3],
    ]);
  });
});

it.each([1, 2])(
  'statements of two processes for the same accounts, in any order, do not deadlock (%i)',
  async (round) => {
    const accounts = await Promise.all(
      Array.from({ length: 8 }, () => newAccount(db, { docs: 10, credits: [{ docs: 30 }] })),
    );
    const claims = await claimsOf(accounts, 20);
    const shuffled = claims.map((_, index) => claims[(index * 37 + round) % claims.length] as ClaimedDocument);
    const half = shuffled.length / 2;
    const settle = async (process: typeof db, chosen: readonly ClaimedDocument[]): Promise<number> => {
      let settled = 0;
      for (let from = 0; from < chosen.length; from += 16)
        settled += (await settleDocuments(process, chosen.slice(from, from + 16).map(settlementOf))).length;
      return settled;
    };
    const reserve = async (process: typeof db, order: readonly NewAccount[]): Promise<number> => {
      let reserved = 0;
      for (let count = 0; count < 10; count++) {
        const requests = order.map(({ accountId, templateId }) => ({
          accountId,
          request: documentRequest(templateId),
        }));
        reserved += (await reserveDocuments(process, requests)).filter((row) => row.is_held).length;
      }
      return reserved;
    };
    const counts = await Promise.all([
      settle(db, shuffled.slice(0, half)),
      settle(other.db, shuffled.slice(half)),
      reserve(db, accounts),
      reserve(other.db, accounts.toReversed()),
    ]);
    expect(counts).toEqual([half, half, 80, 80]);
    expect(await chargesOf(accounts)).toEqual(accounts.map(() => [20, 20]));
  },
);
