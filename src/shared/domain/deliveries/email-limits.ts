import { hash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { eq, type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor, Transaction } from '../../db/client.ts';
import { columnList, excluded, names } from '../../db/column-names.ts';
import { type BoundStatement, fixedStatement } from '../../db/fixed-statement.ts';
import { int4, rowOf, text } from '../../db/row.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { emailCounts } from '../../db/schema/deliveries.ts';
import { execute, nowOr, query, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { mailboxOf, type RecipientLists } from '../../mail-address.ts';
import { requireOpenAccount } from '../accounts/require-open-account.ts';

/** The daily e-mail limits (UTC) of an account without its own; 0 for no limit. */
export interface EmailLimits {
  /** Recipients of all messages together. */
  readonly recipients: number;
  /** Messages to one recipient. */
  readonly messagesPerRecipient: number;
}

/** The number of messages for each recipient, in the order in which the counters are locked. */
export interface EmailTally {
  readonly limits: EmailLimits;
  /** Digests, because counters need no addresses. The first is `everyone`, which counts all recipients. */
  readonly recipients: readonly string[];
  readonly messages: readonly number[];
  /** Addresses by digest, for error messages. */
  readonly addresses: ReadonlyMap<string, string>;
}

const everyone = '';
const emailsPerYield = 200;

/** Undefined if there is nothing to count. Yields to other requests, because a batch may have 100,000 e-mails. */
export async function tallyEmails(
  limits: EmailLimits | undefined,
  emails: readonly (RecipientLists | null)[],
): Promise<EmailTally | undefined> {
  if (limits === undefined) return undefined;
  const counts = new Map<string, number>();
  const addresses = new Map<string, string>();
  let total = 0;
  for (const [index, email] of emails.entries()) {
    if (index % emailsPerYield === emailsPerYield - 1) await yieldToEventLoop();
    for (const address of email === null ? [] : [...email.to, ...email.cc, ...email.bcc]) {
      const digest = hash('sha256', mailboxOf(address), 'base64url');
      counts.set(digest, (counts.get(digest) ?? 0) + 1);
      addresses.set(digest, address);
      total++;
    }
  }
  if (total === 0) return undefined;
  const recipients = [everyone, ...[...counts.keys()].sort()];
  return {
    limits,
    recipients,
    messages: [total, ...recipients.slice(1).map((digest) => counts.get(digest) ?? 0)],
    addresses,
  };
}

/**
 * Like `tallyEmails`, but counts only the total. A batch may name millions of recipients; this rejects too many before
 * each address is read and kept.
 */
export function tallyRecipients(
  limits: EmailLimits | undefined,
  emails: readonly (RecipientLists | null)[],
): EmailTally | undefined {
  if (limits === undefined) return undefined;
  let total = 0;
  for (const email of emails) if (email !== null) total += email.to.length + email.cc.length + email.bcc.length;
  return total === 0 ? undefined : { limits, recipients: [everyone], messages: [total], addresses: new Map() };
}

const c = aliased(emailCounts, 'c');
const a = aliased(accounts, 'a');
const set = names(emailCounts);
const today = sql`(${nowOr()} at time zone 'UTC')::date`;
const toMidnight = sql`ceil(extract(epoch from (${today} + 1) - ${nowOr()} at time zone 'UTC'))::int`;

const excessRow = rowOf({ recipient: text, wanted: int4, used: int4, max: int4, seconds: int4 });

interface CountValues extends Record<string, unknown> {
  readonly accountId: string;
  readonly recipients: readonly string[];
  readonly messages: readonly number[];
  readonly maxRecipients: number;
  readonly maxMessages: number;
}

/**
 * The first recipient over its limit, given the `messages` of each in `counted`. Recipients without a limit are not
 * counted.
 */
function excess(
  { accountId, recipients, messages, maxRecipients, maxMessages }: { readonly [K in keyof CountValues]: SQL },
  counted: SQL,
): SQL {
  const isEveryone = sql`w.recipient = ${sql.raw(`'${everyone}'`)}`;
  return sql`with wanted as materialized (
      select w.recipient, w.messages, w.position, case when ${isEveryone} then coalesce(${a.emailRecipientsPerDay}, ${maxRecipients}::int)
        else coalesce(${a.emailsPerRecipientPerDay}, ${maxMessages}::int) end as max
      from unnest(${recipients}::text[], ${messages}::int[]) with ordinality as w (recipient, messages, position)
        join ${accounts} ${a} on ${a.id} = ${accountId}
    ), counted as (${counted})
    select w.recipient, w.messages as wanted, counted.messages - w.messages as used, w.max, ${toMidnight} as seconds
    from counted join wanted w on w.recipient = counted.recipient
    where counted.messages > w.max order by w.position limit 1`;
}

const add = fixedStatement<CountValues>((values) =>
  excess(
    values,
    sql`insert into ${emailCounts} as ${c} ${columnList(emailCounts.day, emailCounts.accountId, emailCounts.recipient, emailCounts.messages)}
      select ${today}, ${values.accountId}, w.recipient, w.messages from wanted w where w.max > 0 order by w.position
      on conflict ${columnList(emailCounts.day, emailCounts.accountId, emailCounts.recipient)}
        do update set ${set.messages} = ${c.messages} + ${excluded(emailCounts.messages)}
      returning ${c.recipient}, ${c.messages}`,
  ),
);

const read = fixedStatement<CountValues>((values) =>
  excess(
    values,
    sql`select w.recipient, coalesce(${c.messages}, 0) + w.messages as messages from wanted w
      left join ${emailCounts} ${c} on ${c.day} = ${today} and ${c.accountId} = ${values.accountId} and ${c.recipient} = w.recipient
      where w.max > 0`,
  ),
);

/**
 * Counts e-mails in the transaction that accepts them: either all, or `email_limit_exceeded`. Locks the account's
 * counter first, then those of the recipients in their order, and all of them before the allowances, to avoid
 * deadlocks.
 */
export const countEmails = (tx: Transaction, accountId: string, tally: EmailTally | undefined): Promise<void> =>
  inChunks(tx, accountId, tally, add);

/** Throws `email_limit_exceeded` if `countEmails` would at this time. Counts and locks nothing. */
export const checkEmails = (db: Executor, accountId: string, tally: EmailTally | undefined): Promise<void> =>
  inChunks(db, accountId, tally, read);

/** Returns the error that `checkEmails` would throw, or undefined. */
export async function findEmailExcess(
  db: Executor,
  accountId: string,
  tally: EmailTally | undefined,
): Promise<AppError | undefined> {
  try {
    await checkEmails(db, accountId, tally);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'email_limit_exceeded') return error;
    throw error;
  }
}

const chunkRows = 2_000;

async function inChunks(
  db: Executor,
  accountId: string,
  tally: EmailTally | undefined,
  statement: (values: CountValues) => BoundStatement,
): Promise<void> {
  if (tally === undefined) return;
  const { limits, recipients, messages } = tally;
  const shared = { accountId, maxRecipients: limits.recipients, maxMessages: limits.messagesPerRecipient };
  for (let from = 0; from < recipients.length; from += chunkRows) {
    const to = from + chunkRows;
    const chunk = { recipients: recipients.slice(from, to), messages: messages.slice(from, to) };
    const [found] = await query(db, excessRow, statement({ ...shared, ...chunk }));
    if (found !== undefined) throw emailLimitExceeded(found, tally.addresses.get(found.recipient));
  }
}

interface Excess {
  readonly wanted: number;
  readonly used: number;
  readonly max: number;
  readonly seconds: number;
}

function emailLimitExceeded({ wanted, used, max, seconds }: Excess, address: string | undefined): AppError {
  const limit =
    address === undefined
      ? `an account may send to ${amount(max, 'recipient')} in a day (UTC)`
      : `an account may send ${amount(max, 'message')} in a day (UTC) to one recipient`;
  const needed = address === undefined ? amount(wanted, 'recipient') : `${amount(wanted, 'message')} to ${address}`;
  const left = Math.max(0, max - used);
  const advice = wanted > max ? 'Send less at a time' : 'Send it after midnight (UTC)';
  return new AppError(
    'email_limit_exceeded',
    `E-mail limit exceeded: ${limit}. This request has ${needed}, ${left.toLocaleString('en')} ${left === 1 ? 'is' : 'are'} left. ${advice}, or ask the operator for a higher limit.`,
    { retryAfterSeconds: seconds },
  );
}

const amount = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** The limits of one account; null for those of the service, 0 for no limit. */
export interface OwnEmailLimits {
  readonly recipientsPerDay: number | null;
  readonly messagesPerRecipientPerDay: number | null;
}

/** Sets the account's own limits, which replace those of the service. */
export async function setEmailLimits(
  db: Executor,
  accountId: string,
  { recipientsPerDay, messagesPerRecipientPerDay }: OwnEmailLimits,
): Promise<OwnEmailLimits & { readonly accountId: string }> {
  await requireOpenAccount(db, accountId);
  const limits = { emailRecipientsPerDay: recipientsPerDay, emailsPerRecipientPerDay: messagesPerRecipientPerDay };
  await run(db, db.update(accounts).set(limits).where(eq(accounts.id, accountId)));
  return { accountId, recipientsPerDay, messagesPerRecipientPerDay };
}

/** Deletes up to `limit` counters of past days and returns how many. */
export function removeOldEmailCounts(db: Executor, limit: number): Promise<number> {
  const { day, accountId, recipient } = c;
  return execute(
    db,
    sql`delete from ${emailCounts} where (${emailCounts.day}, ${emailCounts.accountId}, ${emailCounts.recipient}) in (
      select ${day}, ${accountId}, ${recipient} from ${emailCounts} ${c} where ${day} < ${today}
      limit ${limit} for update skip locked)`,
  );
}
