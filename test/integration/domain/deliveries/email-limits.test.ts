import { describe, expect, it } from 'vitest';
import { acceptBatch } from '../../../../src/shared/domain/batches/accept-batch.ts';
import {
  checkEmails,
  removeOldEmailCounts,
  setEmailLimits,
  tallyEmails,
} from '../../../../src/shared/domain/deliveries/email-limits.ts';
import { resendDelivery } from '../../../../src/shared/domain/deliveries/resend-delivery.ts';
import { acceptDocument, createAcceptor } from '../../../../src/shared/domain/documents/accept-document.ts';
import { acceptOnce } from '../../../../src/shared/domain/documents/accept-once.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import { newId } from '../../../../src/shared/ids.ts';
import {
  documentRequest,
  emailTo,
  newAccount,
  outcomeOf,
  type TestAccount,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { claimedDelivery, newDelivery, recipients, settleAttempt } from '../../../support/domain/deliveries.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
keepRules(pool);
const other = useDatabase();
const accepts = [createAcceptor(db, 60_000), createAcceptor(other.db, 60_000)] as const;

const unlimited = { recipients: 0, messagesPerRecipient: 0 };
const mailed = ({ templateId }: TestAccount, limits: Partial<typeof unlimited>, ...to: string[]) =>
  documentRequest(templateId, { email: emailTo(...to), emailLimits: { ...unlimited, ...limits } });

/** Today's counters: first that of all recipients together, then those of single recipients, the smallest first. */
async function countsOf({ accountId }: Pick<TestAccount, 'accountId'>): Promise<number[]> {
  const { rows } = await pool.query<{ messages: number }>(
    `select messages from email_counts where account_id = $1 order by recipient <> '', messages`,
    [accountId],
  );
  return rows.map((row) => row.messages);
}

async function errorOf(call: Promise<unknown>): Promise<AppError> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!(error instanceof AppError)) throw new Error('the call did not fail with an error of the API');
  return error;
}

describe('forty requests at once, in two processes', () => {
  const together40 = (account: TestAccount, request: (index: number) => ReturnType<typeof mailed>) =>
    together(40, (i) => outcomeOf((accepts[i % 2] ?? accepts[0])(account.accountId, request(i))));

  it('reach exactly as many recipients as the account may, and refused ones cost nothing', async () => {
    const account = await newAccount(db, { docs: 100 });
    const outcomes = await together40(account, (i) => mailed(account, { recipients: 11 }, `r${i}@example.com`));
    expect(tally(outcomes)).toEqual({ ok: 11, email_limit_exceeded: 29 });
    expect(await account.docsLeft()).toBe(89);
    expect(await countsOf(account)).toEqual([11]);
  });

  it('reach one mailbox exactly as often as it may get messages, however its address is written', async () => {
    const account = await newAccount(db, { docs: 100 });
    const spellings = ['ada@exämple.com', 'ADA@exämple.com', 'ada@xn--exmple-cua.com'];
    const outcomes = await together40(account, (i) =>
      mailed(account, { messagesPerRecipient: 7 }, spellings[i % 3] ?? '', `r${i}@example.com`),
    );
    expect(tally(outcomes)).toEqual({ ok: 7, email_limit_exceeded: 33 });
    expect(await account.docsLeft()).toBe(93);
    expect(await countsOf(account)).toEqual([1, 1, 1, 1, 1, 1, 1, 7]);
  });

  it('that name the same recipients in different orders do not block each other', async () => {
    const account = await newAccount(db, { docs: 100 });
    const people = ['a', 'b', 'c', 'd'].map((name) => `${name}@example.com`);
    const limits = { recipients: 1_000, messagesPerRecipient: 1_000 };
    const outcomes = await together40(account, (i) =>
      mailed(account, limits, ...(i % 3 === 0 ? people : people.toReversed())),
    );
    expect(tally(outcomes)).toEqual({ ok: 40 });
    expect(await countsOf(account)).toEqual([160, 40, 40, 40, 40]);
  });

  it('from an account with little quota count only what is accepted', async () => {
    const account = await newAccount(db, { docs: 5 });
    const outcomes = await together40(account, (i) => mailed(account, { recipients: 100 }, `r${i}@example.com`));
    expect(tally(outcomes)).toEqual({ ok: 5, quota_exceeded: 35 });
    expect(await countsOf(account)).toEqual([5]);
  });
});

it('a request that exceeds a limit is refused as a whole, with the limit, what is left and the time to wait', async () => {
  const account = await newAccount(db, { docs: 10 });
  const limits = { recipients: 5, messagesPerRecipient: 2 };
  const send = (...to: string[]) => acceptDocument(db, account.accountId, mailed(account, limits, ...to));
  await send('a@example.com', 'b@example.com');
  await send('a@example.com');
  const tooMany = await errorOf(send('c@example.com', 'd@example.com', 'e@example.com'));
  expect(tooMany).toMatchObject({
    code: 'email_limit_exceeded',
    status: 429,
    message:
      'E-mail limit exceeded: an account may send to 5 recipients in a day (UTC). This request has 3 recipients, 2 are left. Send it after midnight (UTC), or ask the operator for a higher limit.',
  });
  expect(tooMany.retryAfterSeconds).toBeGreaterThan(0);
  expect(tooMany.retryAfterSeconds).toBeLessThanOrEqual(86_400);
  expect((await errorOf(send('c@example.com', 'A@example.com'))).message).toContain(
    'an account may send 2 messages in a day (UTC) to one recipient. This request has 1 message to A@example.com, 0 are left.',
  );
  // Neither has used anything up.
  await send('c@example.com', 'd@example.com');
  expect(await countsOf(account)).toEqual([5, 1, 1, 1, 2]);
  expect(await account.docsLeft()).toBe(7);
});

it('a repeated request with the same idempotency key counts once', async () => {
  const account = await newAccount(db, { docs: 10 });
  const send = (requestHash = 'body', key = 'once') => {
    const idempotency = { key, operation: 'POST generate', requestHash, ttlSeconds: 3_600 };
    return acceptOnce(db, account.accountId, mailed(account, { recipients: 1 }, 'a@example.com'), idempotency);
  };
  const [first] = await together(5, () => send());
  expect(first?.id).toMatch(/^doc_/);
  expect((await send()).isReplay).toBe(true);
  expect(await outcomeOf(send('other', 'twice'))).toBe('email_limit_exceeded');
  expect(await account.docsLeft()).toBe(9);
});

it('requests without e-mail, and those with test keys, count nothing', async () => {
  const account = await newAccount(db, { docs: 10 });
  const limits = { recipients: 1, messagesPerRecipient: 1 };
  for (let i = 0; i < 3; i++) {
    await acceptDocument(db, account.accountId, { ...mailed(account, limits, 'a@example.com'), isTest: true });
    await acceptDocument(db, account.accountId, { ...mailed(account, limits), email: null });
  }
  expect(await countsOf(account)).toEqual([]);
});

it('an account may have limits of its own, higher, lower or none', async () => {
  const account = await newAccount(db, { docs: 20 });
  const limits = { recipients: 2, messagesPerRecipient: 1 };
  const send = () => outcomeOf(acceptDocument(db, account.accountId, mailed(account, limits, 'a@example.com')));
  const own = (recipientsPerDay: number | null, messagesPerRecipientPerDay: number | null) =>
    setEmailLimits(db, account.accountId, { recipientsPerDay, messagesPerRecipientPerDay });
  expect([await send(), await send()]).toEqual(['ok', 'email_limit_exceeded']);
  await own(null, 5);
  expect([await send(), await send()]).toEqual(['ok', 'email_limit_exceeded']);
  await own(0, 0);
  expect([await send(), await send()]).toEqual(['ok', 'ok']);
  await own(null, null);
  expect(await send()).toBe('email_limit_exceeded');
  const nobody = { recipientsPerDay: 1, messagesPerRecipientPerDay: 1 };
  expect(await outcomeOf(setEmailLimits(db, `acc_${'0'.repeat(26)}`, nobody))).toBe('not_found');
});

describe('a batch', () => {
  const batchOf = async (
    { accountId, templateId }: TestAccount,
    emailLimits: typeof unlimited,
    addresses: string[],
  ) => {
    const batchId = newId('bat');
    const rows = addresses.map((address, index) => {
      const data = { dataChecksum: 'x', dataOffset: 0, dataBytes: 2 };
      const output = { filename: `row-${index}.docx`, pdfOptions: null, renderOptions: null, email: emailTo(address) };
      return { documentId: newId('doc'), ...data, ...output };
    });
    const template = { templateId, templateVersion: 1, templateObjectKey: 'x', templateChecksum: 'x', includes: [] };
    const output = { format: 'docx', bundle: 'none', bundleName: 'batch' } as const;
    const options = { maxFailures: undefined, callbackUrl: undefined, emailBody: undefined, emailLimits };
    const input = { inputKey: `batches/${accountId}/${batchId}/input`, inputBytes: 2 };
    const batch = { batchId, accountId, keyId: 'key_none', ...template, ...output, ...options, ...input };
    return acceptBatch(db, batch, rows, undefined);
  };
  const people = (count: number) => Array.from({ length: count }, (_, i) => `r${i}@example.com`);

  it('is accepted with all of its e-mails or refused before anything is written', async () => {
    const account = await newAccount(db, { docs: 10_000 });
    const limits = { recipients: 4_500, messagesPerRecipient: 2 };
    await batchOf(account, limits, people(4_100));
    expect((await countsOf(account)).length).toBe(4_101);
    expect((await errorOf(batchOf(account, limits, people(401)))).message).toContain('401 recipients, 400 are left');
    const twice = [...people(1), ...people(1)];
    expect((await errorOf(batchOf(account, limits, twice))).message).toContain(
      '2 messages to r0@example.com, 1 is left',
    );
    expect((await errorOf(batchOf(account, limits, people(4_501)))).message).toContain('Send less at a time');
    expect(await account.docsLeft()).toBe(5_900);
    await batchOf(account, limits, people(400));
    expect((await countsOf(account))[0]).toBe(4_500);
  });

  it('shares one limit with other batches and single requests', async () => {
    const account = await newAccount(db, { docs: 1_000 });
    const limits = { recipients: 40, messagesPerRecipient: 40 };
    const outcomes = await together(24, (i) =>
      outcomeOf(
        i % 2 === 0
          ? batchOf(account, limits, people(6))
          : (accepts[0] ?? accepts[1])(account.accountId, mailed(account, limits, 'r3@example.com', 'r1@example.com')),
      ),
    );
    expect(Object.keys(tally(outcomes)).sort()).toEqual(['email_limit_exceeded', 'ok']);
    const accepted = { batches: 0, singles: 0 };
    for (const [i, outcome] of outcomes.entries())
      if (outcome === 'ok') accepted[i % 2 === 0 ? 'batches' : 'singles']++;
    const [total = 0] = await countsOf(account);
    expect(total).toBe(accepted.batches * 6 + accepted.singles * 2);
    expect(total).toBeLessThanOrEqual(40);
    expect(await account.docsLeft()).toBe(1_000 - accepted.batches * 6 - accepted.singles);
  });

  it('can be checked beforehand without counting anything', async () => {
    const account = await newAccount(db, { docs: 10 });
    const limits = { recipients: 3, messagesPerRecipient: 1 };
    const check = async (count: number) => {
      const emails = people(count).map((address) => emailTo(address));
      return checkEmails(db, account.accountId, await tallyEmails(limits, emails));
    };
    expect([await outcomeOf(check(3)), await outcomeOf(check(4))]).toEqual(['ok', 'email_limit_exceeded']);
    expect(await countsOf(account)).toEqual([]);
  });
});

it('a resend counts the recipients who get the message again, and is refused beyond a limit', async () => {
  const delivery = await newDelivery(db);
  const { accountId } = delivery;
  const end = async () => {
    const attempt = await claimedDelivery(db, delivery.id);
    await settleAttempt(db, attempt, 'partial', recipients('sent', 'failed', 'failed'));
  };
  const resend = (max: number) =>
    outcomeOf(resendDelivery(db, accountId, delivery.id, { recipients: max, messagesPerRecipient: 0 }));
  await end();
  expect([await resend(1), await resend(2)]).toEqual(['email_limit_exceeded', 'ok']);
  expect(await countsOf(delivery)).toEqual([2]);
  await end();
  expect(await resend(3)).toBe('email_limit_exceeded');
  expect(await outcomeOf(resendDelivery(db, accountId, delivery.id, undefined))).toBe('ok');
});

it('counters of past days are removed and no longer count', async () => {
  const account = await newAccount(db, { docs: 10 });
  const send = () =>
    outcomeOf(acceptDocument(db, account.accountId, mailed(account, { recipients: 1 }, 'a@example.com')));
  expect([await send(), await send()]).toEqual(['ok', 'email_limit_exceeded']);
  await pool.query('update email_counts set day = day - 1 where account_id = $1', [account.accountId]);
  expect(await send()).toBe('ok');
  while ((await removeOldEmailCounts(db, 100)) > 0);
  expect(await countsOf(account)).toEqual([1]);
});
