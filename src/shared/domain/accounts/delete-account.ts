import { and, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { aliased } from '../../db/aliased.ts';
import type { Database, Executor } from '../../db/client.ts';
import { columnList, excluded, isOneOf, names } from '../../db/column-names.ts';
import { accounts, apiKeys, keySpending } from '../../db/schema/accounts.ts';
import { assets } from '../../db/schema/assets.ts';
import { keyUse } from '../../db/schema/audit.ts';
import { batches, batchInFlightRows, batchRows, batchShares } from '../../db/schema/batches.ts';
import { deliveries, emailCounts } from '../../db/schema/deliveries.ts';
import { dictionaries } from '../../db/schema/dictionaries.ts';
import { conversionFailures, generations, templateFailures } from '../../db/schema/documents.ts';
import { fonts } from '../../db/schema/fonts.ts';
import { idempotencyKeys } from '../../db/schema/idempotency.ts';
import { allowances, ledger, subscriptions } from '../../db/schema/quota.ts';
import { documentMonths, ledgerMonths } from '../../db/schema/retention.ts';
import { templates } from '../../db/schema/templates.ts';
import { usageDays } from '../../db/schema/usage.ts';
import { webhookEndpoints, webhookEvents } from '../../db/schema/webhooks.ts';
import { execute, guarded, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';

const rowsAtOnce = 1_000;
const eventsAtOnce = 2_000;
const deletedName = 'deleted account';

/**
 * Begins the deletion of an account named `name`: suspends it, revokes its keys and ends its quota. Safe to repeat,
 * even after the deletion. Throws `not_found`, or `conflict` if the name differs.
 */
export async function beginDeletion(db: Executor, accountId: string, name: string): Promise<void> {
  const a = accounts;
  await guarded(() =>
    inTransaction(db, async (tx) => {
      const [begun] = await run(
        tx,
        tx
          .update(a)
          .set({
            suspendedAt: sql`coalesce(${a.suspendedAt}, now())`,
            deletingSince: sql`coalesce(${a.deletingSince}, now())`,
          })
          .where(and(eq(a.id, accountId), or(eq(a.name, name), sql`${a.deletedAt} is not null`)))
          .returning({ id: a.id }),
      );
      if (begun === undefined) {
        const [other] = await run(tx, tx.select({ id: a.id }).from(a).where(eq(a.id, accountId)));
        if (other === undefined) throw new AppError('not_found', `There is no account ${accountId}`);
        throw new AppError('conflict', `Account ${accountId} has another name. Check that it is the right one.`);
      }
      await run(
        tx,
        tx
          .update(apiKeys)
          .set({ revokedAt: sql`now()` })
          .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt))),
      );
      // An API process that still caches a key finds no quota for what it accepts.
      await run(tx, tx.delete(subscriptions).where(eq(subscriptions.accountId, accountId)));
      await run(
        tx,
        tx
          .update(allowances)
          .set({ docs: sql`${allowances.docsHeld} + ${allowances.docsSettled}`, templates: 0 })
          .where(eq(allowances.accountId, accountId)),
      );
    }),
  );
}

/** The account's next unfinished documents. */
export async function findUnfinishedOfAccount(
  db: Executor,
  accountId: string,
  limit: number,
): Promise<readonly string[]> {
  const { id, status } = generations;
  const rows = await run(
    db,
    db
      .select({ id })
      .from(generations)
      .where(and(eq(generations.accountId, accountId), isOneOf(status, 'queued', 'running')))
      .limit(limit),
  );
  return rows.map((row) => row.id);
}

/** The account's next documents whose e-mail has not ended. */
export async function findUnsentOfAccount(db: Executor, accountId: string, limit: number): Promise<readonly string[]> {
  const d = deliveries;
  const rows = await run(
    db,
    db
      .selectDistinct({ id: d.documentId })
      .from(d)
      .where(and(eq(d.accountId, accountId), isOneOf(d.status, 'pending', 'sending', 'transmitting')))
      .limit(limit),
  );
  return rows.map((row) => row.id);
}

/** The account's batches that have not ended. */
export async function findOpenBatchesOf(db: Executor, accountId: string): Promise<readonly string[]> {
  const isOpen = isOneOf(batches.status, 'accepted', 'running', 'bundling');
  const rows = await run(
    db,
    db
      .select({ id: batches.id })
      .from(batches)
      .where(and(eq(batches.accountId, accountId), isOpen)),
  );
  return rows.map((row) => row.id);
}

/**
 * Deletes all rows of an account except its own row and its monthly totals. The statements that delete documents and
 * ledger entries also add them to the totals. Each statement is bounded in size, so a crash loses and repeats nothing.
 */
export async function deleteRows(db: Database, accountId: string): Promise<void> {
  await deleteEvents(db, accountId);
  const ofAccount = (table: PgTable & { readonly accountId: PgColumn }): SQL =>
    sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${table.accountId} = ${accountId} limit ${rowsAtOnce}))`;
  for (const table of [
    webhookEndpoints,
    batchInFlightRows,
    batchShares,
    idempotencyKeys,
    conversionFailures,
    templateFailures,
    emailCounts,
  ])
    await repeat(db, ofAccount(table));
  await repeat(
    db,
    sql`delete from ${batchRows} where (${batchRows.batchId}, ${batchRows.row}) in (
      select ${batchRows.batchId}, ${batchRows.row} from ${batchRows} join ${batches} on ${batches.id} = ${batchRows.batchId}
      where ${batches.accountId} = ${accountId} limit ${rowsAtOnce})`,
  );
  await repeat(
    db,
    sql`delete from ${deliveries} where ${deliveries.id} = any(array(
      select ${deliveries.id} from ${deliveries} where ${deliveries.accountId} = ${accountId} limit ${rowsAtOnce}))`,
  );
  // failpoint: account-deliveries-deleted
  await repeat(db, deleteLedger(accountId));
  await repeat(db, deleteDocuments(accountId));
  await repeat(
    db,
    sql`delete from ${batches} where ${batches.id} = any(array(
      select ${batches.id} from ${batches} where ${batches.accountId} = ${accountId} limit ${rowsAtOnce}))`,
  );
  for (const table of [usageDays, assets, fonts, dictionaries, templates, keyUse, allowances])
    await repeat(db, ofAccount(table));
  await repeat(
    db,
    sql`delete from ${keySpending} where ${keySpending.keyId} = any(array(
      select ${apiKeys.id} from ${apiKeys} where ${apiKeys.accountId} = ${accountId}))`,
    Number.POSITIVE_INFINITY,
  );
  await repeat(db, ofAccount(apiKeys));
}

/** Marks an account as deleted. Its row remains for the monthly totals. False if it still has documents. */
export async function endDeletion(db: Executor, accountId: string): Promise<boolean> {
  const a = accounts;
  const ended = await run(
    db,
    db
      .update(a)
      .set({ name: deletedName, templateCount: 0, deletedAt: sql`coalesce(${a.deletedAt}, now())` })
      .where(
        and(
          eq(a.id, accountId),
          sql`not exists (select 1 from ${generations} where ${generations.accountId} = ${accountId})`,
          sql`not exists (select 1 from ${ledger} where ${ledger.accountId} = ${accountId})`,
        ),
      )
      .returning({ id: a.id }),
  );
  return ended.length === 1;
}

async function repeat(db: Executor, statement: SQL, limit = rowsAtOnce): Promise<void> {
  while ((await execute(db, statement)) >= limit);
}

const doc = names(documentMonths);
const led = names(ledgerMonths);
const g = aliased(generations, 'g');
const l = aliased(ledger, 'l');
const monthOf = (time: unknown): SQL => sql`date_trunc('month', ${time} at time zone 'UTC')::date`;
const countIf = (condition: SQL): SQL => sql`count(*) filter (where ${condition})`;

function deleteDocuments(accountId: string): SQL {
  const m = documentMonths;
  const gone = names(generations);
  const isCharged = sql`${gone.status} = 'succeeded' and ${gone.refundedAt} is null and not ${gone.isTest}`;
  const add = (column: SQL, own: PgColumn): SQL => sql`${column} = ${own} + ${excluded(own)}`;
  return sql`with gone as (
      delete from ${generations} where ${generations.id} = any(array(
        select ${g.id} from ${generations} ${g} where ${g.accountId} = ${accountId} limit ${rowsAtOnce}))
      returning *
    ), totalled as (
      insert into ${documentMonths} ${columnList(m.accountId, m.month, m.documents, m.pages, m.bytes, m.failures, m.cancelled, m.refunded, m.tests)}
      select ${accountId}, ${monthOf(gone.acceptedAt)}, ${countIf(isCharged)},
        coalesce(sum(${gone.pages}) filter (where ${isCharged}), 0), coalesce(sum(${gone.resultBytes}::bigint) filter (where ${isCharged}), 0),
        ${countIf(sql`${gone.status} = 'failed' and not ${gone.isTest}`)},
        ${countIf(sql`${gone.status} = 'cancelled' and not ${gone.isTest}`)},
        ${countIf(sql`${gone.refundedAt} is not null`)}, ${countIf(sql`${gone.isTest}`)}
      from gone group by 2
      on conflict ${columnList(m.accountId, m.month)} do update set ${add(doc.documents, m.documents)}, ${add(doc.pages, m.pages)},
        ${add(doc.bytes, m.bytes)}, ${add(doc.failures, m.failures)}, ${add(doc.cancelled, m.cancelled)},
        ${add(doc.refunded, m.refunded)}, ${add(doc.tests, m.tests)}
    )
    select 1 from gone`;
}

function deleteLedger(accountId: string): SQL {
  const m = ledgerMonths;
  const gone = names(ledger);
  const sumOf = (kind: string): SQL =>
    sql`coalesce(sum(gone.${gone.units}) filter (where gone.${gone.kind} = ${kind}::text), 0)`;
  const add = (column: SQL, own: PgColumn): SQL => sql`${column} = ${own} + ${excluded(own)}`;
  return sql`with gone as (
      delete from ${ledger} where (${ledger.documentId}, ${ledger.kind}) in (
        select ${l.documentId}, ${l.kind} from ${ledger} ${l} where ${l.accountId} = ${accountId} limit ${rowsAtOnce})
      returning *
    ), totalled as (
      insert into ${ledgerMonths} ${columnList(m.accountId, m.allowanceId, m.month, m.reserved, m.settled, m.released, m.refunded)}
      select ${accountId}, gone.${gone.allowanceId}, ${monthOf(sql`coalesce(${g.acceptedAt}, gone.${gone.createdAt})`)},
        ${sumOf('reserve')}, ${sumOf('settle')}, ${sumOf('release')}, ${sumOf('refund')}
      from gone left join ${generations} ${g} on ${g.id} = gone.${gone.documentId} group by 2, 3
      on conflict ${columnList(m.allowanceId, m.month)} do update set ${add(led.reserved, m.reserved)},
        ${add(led.settled, m.settled)}, ${add(led.released, m.released)}, ${add(led.refunded, m.refunded)}
    )
    select 1 from gone`;
}

async function deleteEvents(db: Executor, accountId: string): Promise<void> {
  const { id } = webhookEvents;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: readonly { readonly id: string }[] = await run(
      db,
      db.select({ id }).from(webhookEvents).where(gt(id, after)).orderBy(id).limit(eventsAtOnce),
    );
    const last = page.at(-1)?.id;
    if (last !== undefined)
      await run(
        db,
        db.delete(webhookEvents).where(and(gt(id, after), lte(id, last), eq(webhookEvents.accountId, accountId))),
      );
    after = page.length < eventsAtOnce ? undefined : last;
  }
}
