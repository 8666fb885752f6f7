import { describe, expect, it } from 'vitest';
import { createResultReceiver } from '../../../../src/api/documents/await-result.ts';
import { acceptOnce } from '../../../../src/shared/domain/documents/accept-once.ts';
import { abandonDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { findReplay, removeExpiredKeys } from '../../../../src/shared/domain/idempotency-keys.ts';
import { grantCredits } from '../../../../src/shared/domain/quota/grant-credits.ts';
import { createTemplateOnce } from '../../../../src/shared/domain/templates/create-template.ts';
import { listTemplates } from '../../../../src/shared/domain/templates/find-template.ts';
import type { ReplyChannel } from '../../../../src/shared/queue/replies.ts';
import {
  type AccountPlan,
  claimed,
  documentRequest,
  failOne,
  finishedDocument,
  internalError,
  newAccount,
  outcomeOf,
  type TestAccount,
  tally,
  templateInput,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { holdAllowances } from '../../../support/faults/held-rows.ts';
import { useDatabase } from '../../../support/services/database.ts';
import { silent } from '../../../support/services/redis.ts';

const { db, pool } = useDatabase();
const other = useDatabase();
keepRules(pool);

interface KeyChanges {
  readonly key?: string;
  readonly operation?: string;
  readonly requestHash?: string;
  readonly ttlSeconds?: number;
}

/** An account that repeats requests with one key. */
async function newClient(plan: AccountPlan = { docs: 5 }) {
  const account = await newAccount(db, plan);
  const toKey = (changes: KeyChanges) => ({
    ...{ key: 'invoice-7', operation: 'POST generate', requestHash: 'body', ttlSeconds: 3_600 },
    ...changes,
  });
  const accept = (changes: KeyChanges = {}, through = db, templateId = account.templateId) =>
    acceptOnce(through, account.accountId, documentRequest(templateId), toKey(changes));
  const findKnown = (changes: KeyChanges = {}) => findReplay(db, account.accountId, toKey(changes));
  const keys = async (): Promise<string[]> =>
    (await pool.query('select key from idempotency_keys where account_id = $1', [account.accountId])).rows.map(
      ({ key }) => key,
    );
  return { ...account, accept, findKnown, keys };
}

/** The id that all results have; throws unless exactly one of them is new. */
function onlyId(results: readonly { readonly id: string; readonly isReplay: boolean }[]): string {
  expect(results.filter((result) => !result.isReplay)).toHaveLength(1);
  const [id = '', ...others] = new Set(results.map((result) => result.id));
  expect(others).toEqual([]);
  return id;
}

describe('one key', () => {
  it('whose document is finished gets it without waiting', async () => {
    const { produce } = await newAccount(db, { docs: 1 });
    const replies = { name: 'replies', expect: () => ({ cancel: () => undefined }) } as unknown as ReplyChannel;
    const never = { waitLimitMs: 100_000_000, pollEveryMs: 100_000_000 };
    const receiver = createResultReceiver({ db, replies, logger: silent, ...never });
    const id = await produce();
    const begin = () => Promise.reject(new Error('it begins again'));
    expect(await receiver.awaitDocument({ id, isReplay: true }, begin)).toMatchObject({ id });
  });

  it.each([1, 2])('sent 20 times concurrently produces one document (%i)', async () => {
    const { accept, docsLeft } = await newClient();
    onlyId(await together(20, (index) => accept({}, index % 2 === 0 ? db : other.db)));
    expect(await docsLeft()).toBe(4);
  });

  it('sent concurrently with two bodies is a conflict for one of them', async () => {
    const { accept, docsLeft } = await newClient({ docs: 30 });
    const outcomes = await together(20, (index) => outcomeOf(accept({ requestHash: index % 2 === 0 ? 'one' : 'two' })));
    expect(tally(outcomes)).toEqual({ ok: 10, conflict: 10 });
    expect(await docsLeft()).toBe(29);
  });

  it.each([{ requestHash: 'another' }, { operation: 'POST another' }])(
    'is refused for another request: %o',
    async (changes) => {
      const { accept, findKnown, docsLeft } = await newClient();
      await accept();
      expect(await findKnown(changes)).toBeUndefined();
      expect(await outcomeOf(accept(changes))).toBe('conflict');
      expect(await docsLeft()).toBe(4);
    },
  );
});

describe('a retry', () => {
  it.each(['data_invalid', 'template_invalid', 'render_limit', 'document_quarantined'] as const)(
    'after a client error (%s) finds the same failed document',
    async (code) => {
      const { accept, findKnown, docsLeft } = await newClient();
      const { id } = await accept();
      await failOne(db, id, code);
      expect(await findKnown()).toBe(id);
      expect(await accept()).toMatchObject({ id, isReplay: true });
      expect(await docsLeft()).toBe(5);
    },
  );

  it('while the document is being produced, and after success, finds that document', async () => {
    const { accept, docsLeft } = await newClient();
    const { id } = await accept();
    const claim = await claimed(db, id);
    expect(await accept()).toMatchObject({ id, isReplay: true });
    await succeedDocument(db, claim, finishedDocument(claim));
    expect(await accept()).toMatchObject({ id, isReplay: true });
    expect(await docsLeft()).toBe(4);
  });

  it.each(['internal', 'template_suspended', 'worker_lost', 'unavailable'] as const)(
    'after an error that ends by itself (%s) produces the document again, once',
    async (code) => {
      const { accept, findKnown, docsLeft } = await newClient();
      const { id } = await accept();
      await failOne(db, id, code);
      expect(await findKnown()).toBeUndefined();
      expect(onlyId(await together(20, () => accept()))).not.toBe(id);
      expect(await docsLeft()).toBe(4);
    },
  );

  it('with another body is a conflict even after an internal error', async () => {
    const { accept } = await newClient();
    const { id } = await accept();
    await abandonDocument(db, { id, attempts: 0 }, internalError);
    expect(await outcomeOf(accept({ requestHash: 'another' }))).toBe('conflict');
  });

  it('after the quota was used up succeeds as soon as there is more', async () => {
    const { accountId, accept, keys } = await newClient({ docs: 0 });
    expect(tally(await together(5, () => outcomeOf(accept())))).toEqual({ quota_exceeded: 5 });
    expect(await keys()).toEqual([]);
    await grantCredits(db, { accountId, docs: 1, templates: 0 });
    expect(await accept()).toMatchObject({ isReplay: false });
  });

  it('of a request for an unknown template leaves no key', async () => {
    const { accept } = await newClient();
    expect(await outcomeOf(accept({}, db, 'tpl_none'))).toBe('not_found');
    expect(await accept({ requestHash: 'another' })).toMatchObject({ isReplay: false });
  });
});

describe('an expired key', () => {
  it('produces one new document', async () => {
    const { accept, findKnown, docsLeft } = await newClient();
    const first = await accept({ ttlSeconds: 0 });
    expect(await findKnown()).toBeUndefined();
    expect(onlyId(await together(10, () => accept({ requestHash: 'another' })))).not.toBe(first.id);
    expect(await docsLeft()).toBe(3);
  });

  it('is removed; a valid one is not', async () => {
    const { accept, keys } = await newClient();
    await accept({ key: 'old', ttlSeconds: 0 });
    await accept({ key: 'new' });
    while ((await removeExpiredKeys(db, 2)) > 0);
    expect(await keys()).toEqual(['new']);
  });

  it('that is reused while the sweep runs stays', async () => {
    const { accountId, accept, docsLeft } = await newClient();
    await accept({ ttlSeconds: 0 });
    const hold = await holdAllowances(pool, accountId);
    const again = accept();
    await hold.waiters();
    await removeExpiredKeys(db, 1_000);
    await hold.release();
    const { id } = await again;
    expect(await accept()).toMatchObject({ id, isReplay: true });
    expect(await docsLeft()).toBe(3);
  });
});

describe('a template uploaded with a key', () => {
  const once = ({ accountId }: TestAccount, requestHash = 'file') =>
    createTemplateOnce(db, templateInput(accountId), {
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
