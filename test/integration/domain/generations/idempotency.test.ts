import { describe, expect, it } from 'vitest';
import { acceptOnce } from '../../../../src/shared/domain/generations/accept-once.ts';
import { abandonGeneration, failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { findGeneration } from '../../../../src/shared/domain/generations/find-generations.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { removeExpiredKeys } from '../../../../src/shared/domain/idempotency-keys.ts';
import { grantCredits } from '../../../../src/shared/domain/quota/grant-credits.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { createTemplateOnce } from '../../../../src/shared/domain/templates/create-template.ts';
import { listTemplates } from '../../../../src/shared/domain/templates/find-template.ts';
import type { ErrorCode } from '../../../../src/shared/errors.ts';
import {
  claimed,
  documentRequest,
  finishedDocument,
  newAccount,
  outcomeOf,
  type TestAccount,
  tally,
  templateInput,
  together,
} from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { holdAllowances } from '../../../support/faults/held-rows.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const other = useDatabase();

interface KeyChanges {
  readonly key?: string;
  readonly operation?: string;
  readonly requestHash?: string;
  readonly ttlSeconds?: number;
}

function accept(account: TestAccount, changes: KeyChanges = {}, through = db) {
  const key = { key: 'invoice-7', operation: 'POST generate', requestHash: 'body', ttlSeconds: 3_600, ...changes };
  return acceptOnce(through, account.accountId, documentRequest(account.templateId), key);
}

const remainingDocs = async (account: TestAccount) => (await readQuotas(db, account.accountId)).remaining.total.docs;

async function end(id: string, code: ErrorCode | 'ok'): Promise<void> {
  const claim = await claimed(db, id);
  await (code === 'ok'
    ? succeedGeneration(db, claim, finishedDocument(claim))
    : failGeneration(db, claim, { code, message: 'It failed' }));
}

describe('one key', () => {
  it.each(Array.from({ length: 20 }, (_, round) => round))(
    'sent 20 times concurrently produces one document (%i)',
    async () => {
      const account = await newAccount(db, { docs: 30 });
      const answers = await together(20, (index) => accept(account, {}, index % 2 === 0 ? db : other.db));
      expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
      expect(answers.filter((answer) => !answer.isReplay)).toHaveLength(1);
      expect(await remainingDocs(account)).toBe(29);
    },
  );

  it('sent concurrently with two bodies is a conflict for one of them', async () => {
    const account = await newAccount(db, { docs: 30 });
    const outcomes = await together(20, (index) =>
      outcomeOf(accept(account, { requestHash: index % 2 === 0 ? 'one' : 'two' })),
    );
    expect(tally(outcomes)).toEqual({ ok: 10, conflict: 10 });
    expect(await remainingDocs(account)).toBe(29);
  });

  it.each([{ requestHash: 'another' }, { operation: 'POST another' }])(
    'is refused for another request: %o',
    async (changes) => {
      const account = await newAccount(db, { docs: 30 });
      await accept(account);
      expect(await outcomeOf(accept(account, changes))).toBe('conflict');
      expect(await remainingDocs(account)).toBe(29);
    },
  );

  it('is independent of the same key of another account', async () => {
    const [first, second] = [await newAccount(db, { docs: 5 }), await newAccount(db, { docs: 5 })];
    const answers = [await accept(first), await accept(second, { requestHash: 'another' })];
    expect(answers.map((answer) => answer.isReplay)).toEqual([false, false]);
  });
});

describe('a retry', () => {
  it.each(['data_invalid', 'template_invalid', 'render_limit', 'document_quarantined'] as const)(
    'after a client error (%s) finds the same failed document',
    async (code) => {
      const account = await newAccount(db, { docs: 5 });
      const { id } = await accept(account);
      await end(id, code);
      expect(await accept(account)).toMatchObject({ id, isReplay: true });
      expect(await remainingDocs(account)).toBe(5);
    },
  );

  it('after success finds the same document', async () => {
    const account = await newAccount(db, { docs: 5 });
    const { id } = await accept(account);
    await end(id, 'ok');
    expect(await accept(account)).toMatchObject({ id, isReplay: true });
    expect(await remainingDocs(account)).toBe(4);
  });

  it.each(['internal', 'template_suspended', 'worker_lost', 'unavailable'] as const)(
    'after an error that ends by itself (%s) produces the document again, once',
    async (code) => {
      const account = await newAccount(db, { docs: 5 });
      const { id } = await accept(account);
      await end(id, code);
      const answers = await together(20, () => accept(account));
      expect(answers.filter((answer) => !answer.isReplay)).toHaveLength(1);
      expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
      expect(answers[0]?.id).not.toBe(id);
      expect(await remainingDocs(account)).toBe(4);
    },
  );

  it('with another body is a conflict even after an internal error', async () => {
    const account = await newAccount(db, { docs: 5 });
    const { id } = await accept(account);
    await abandonGeneration(db, { id, attempts: 0 }, { code: 'unavailable', message: 'Try again' });
    expect(await outcomeOf(accept(account, { requestHash: 'another' }))).toBe('conflict');
  });

  it('while the document is being produced finds that document', async () => {
    const account = await newAccount(db, { docs: 5 });
    const { id } = await accept(account);
    await claimed(db, id);
    expect(await accept(account)).toMatchObject({ id, isReplay: true });
  });

  it('after the quota was used up succeeds as soon as there is more', async () => {
    const account = await newAccount(db, { docs: 0 });
    expect(tally(await together(5, () => outcomeOf(accept(account))))).toEqual({ quota_exceeded: 5 });
    const { rows } = await pool.query('select 1 from idempotency_keys where account_id = $1', [account.accountId]);
    expect(rows).toEqual([]);
    await grantCredits(db, { accountId: account.accountId, docs: 1, templates: 0 });
    expect(await accept(account)).toMatchObject({ isReplay: false });
  });

  it('of a request for an unknown template leaves no key', async () => {
    const account = await newAccount(db, { docs: 5 });
    expect(await outcomeOf(accept({ ...account, templateId: 'tpl_none' }))).toBe('not_found');
    expect(await accept(account, { requestHash: 'another' })).toMatchObject({ isReplay: false });
  });
});

describe('an expired key', () => {
  it('produces one new document', async () => {
    const account = await newAccount(db, { docs: 5 });
    const first = await accept(account, { ttlSeconds: 0 });
    const answers = await together(10, () => accept(account, { requestHash: 'another' }));
    expect(answers.filter((answer) => !answer.isReplay)).toHaveLength(1);
    expect(answers[0]?.id).not.toBe(first.id);
    expect(await remainingDocs(account)).toBe(3);
  });

  it('is removed; a valid one is not', async () => {
    const account = await newAccount(db, { docs: 5 });
    await accept(account, { key: 'old', ttlSeconds: 0 });
    await accept(account, { key: 'new' });
    while ((await removeExpiredKeys(db, 2)) > 0);
    const { rows } = await pool.query<{ key: string }>('select key from idempotency_keys where account_id = $1', [
      account.accountId,
    ]);
    expect(rows).toEqual([{ key: 'new' }]);
  });

  it('that is reused while the sweep runs stays', async () => {
    const account = await newAccount(db, { docs: 5 });
    await accept(account, { ttlSeconds: 0 });
    const hold = await holdAllowances(pool, account.accountId);
    const again = accept(account);
    await hold.waiters();
    await removeExpiredKeys(db, 1_000);
    await hold.release();
    const { id } = await again;
    expect(await accept(account)).toMatchObject({ id, isReplay: true });
    expect(await remainingDocs(account)).toBe(3);
  });
});

describe('a template uploaded with a key', () => {
  const once = (account: TestAccount, requestHash = 'file') =>
    createTemplateOnce(db, templateInput(account.accountId), {
      key: 'upload-1',
      operation: 'POST /v1/templates',
      requestHash,
      ttlSeconds: 3_600,
    });

  it('20 times concurrently creates one template, and all requests get the same response', async () => {
    const account = await newAccount(db, { templates: 10 });
    const answers = await together(20, () => once(account));
    expect(answers.filter((answer) => !answer.isReplay)).toHaveLength(1);
    const [first] = answers;
    for (const { template } of answers) expect(template).toEqual(first?.template);
    const { templates } = await listTemplates(db, { accountId: account.accountId, limit: 100 });
    expect(templates).toHaveLength(2);
  });

  it('without quota leaves no key', async () => {
    const account = await newAccount(db, { templates: 1 });
    expect(await outcomeOf(once(account))).toBe('quota_exceeded');
    await grantCredits(db, { accountId: account.accountId, docs: 0, templates: 1 });
    expect(await once(account, 'another')).toMatchObject({ isReplay: false });
  });
});

it('keeps every billing invariant', async () => {
  const account = await newAccount(db, { docs: 5 });
  const { id } = await accept(account);
  await end(id, 'worker_lost');
  const again = await accept(account);
  await end(again.id, 'ok');
  expect(await findGeneration(db, again.id)).toMatchObject({ status: 'succeeded' });
  expect(await violations(pool)).toEqual([]);
});
