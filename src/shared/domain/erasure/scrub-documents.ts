import { and, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../db/client.ts';
import { isAnyIdOf, isAnyOf, isOneOf } from '../../db/column-names.ts';
import { batches } from '../../db/schema/batches.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { conversionFailures, generations } from '../../db/schema/documents.ts';
import { idempotencyKeys } from '../../db/schema/idempotency.ts';
import { webhookDeliveries, webhookEvents } from '../../db/schema/webhooks.ts';
import { execute, guarded, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';

const erasedName = 'erased';

/**
 * Removes the contents of requests and results from the rows of ended documents: names, addresses, options, messages.
 * Ids, digests, counts, times and the status remain. Also removes their idempotency keys. Runs in one transaction; safe
 * to repeat.
 */
export async function scrubDocuments(db: Database, ids: readonly string[]): Promise<void> {
  const g = generations;
  await guarded(() =>
    inTransaction(db, async (tx) => {
      await run(
        tx,
        tx
          .update(g)
          .set({
            email: null,
            callbackUrl: null,
            pdfOptions: null,
            renderOptions: null,
            trace: null,
            warnings: null,
            conformance: null,
            resultStore: null,
            resultKey: null,
            filename: sql`${erasedName} || '.' || ${g.format}`,
            error: sql`case when ${g.error} is not null then jsonb_build_object('code', ${g.error} -> 'code',
              'message', 'The data of this document was erased.') end`,
            erasedAt: sql`coalesce(${g.erasedAt}, now())`,
          })
          .where(and(isAnyIdOf(g.id, ids), isOneOf(g.status, 'succeeded', 'failed', 'cancelled'))),
      );
      await run(
        tx,
        tx
          .update(deliveries)
          .set({
            lastReply: null,
            recipients: sql`(select jsonb_agg(jsonb_build_object('address', ${erasedName}::text, 'status', r -> 'status') order by position)
              from jsonb_array_elements(${deliveries.recipients}) with ordinality as of_delivery (r, position))`,
          })
          .where(isAnyOf(deliveries.documentId, ids)),
      );
      await run(
        tx,
        tx
          .update(conversionFailures)
          .set({ evidenceKey: null, sizeBytes: null })
          .where(and(isAnyOf(conversionFailures.documentId, ids), isNotNull(conversionFailures.evidenceKey))),
      );
      await run(tx, tx.delete(idempotencyKeys).where(isAnyOf(idempotencyKeys.resourceId, ids)));
    }),
  );
}

/** Fingerprints of the failures of these documents, and of documents with the same inputs. */
export async function findFingerprints(
  db: Executor,
  ids: readonly string[],
  equal: readonly string[],
): Promise<readonly { readonly fingerprint: string; readonly accountId: string }[]> {
  const { fingerprint, accountId, documentId } = conversionFailures;
  return run(
    db,
    db
      .select({ fingerprint, accountId })
      .from(conversionFailures)
      .where(or(isAnyOf(documentId, ids), isAnyOf(fingerprint, equal))),
  );
}

/** Clears the references to failure evidence after the evidence was removed. The quarantine remains. */
export async function forgetEvidence(db: Executor, fingerprints: readonly string[]): Promise<void> {
  await run(
    db,
    db
      .update(conversionFailures)
      .set({ evidenceKey: null, sizeBytes: null })
      .where(isAnyOf(conversionFailures.fingerprint, fingerprints)),
  );
}

const eventsAtOnce = 2_000;

/** Deletes the webhook events about these documents, with their deliveries. Reads all events of 30 days in pages. */
export async function removeEventsOf(db: Executor, ids: readonly string[]): Promise<void> {
  const { id, data } = webhookEvents;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: readonly { readonly id: string; readonly isTheirs: boolean }[] = await run(
      db,
      db
        .select({
          id,
          isTheirs: sql<boolean>`coalesce(${data} ->> 'id' = any(${sql.param(ids)}::text[])
            or ${data} ->> 'documentId' = any(${sql.param(ids)}::text[]), false)`,
        })
        .from(webhookEvents)
        .where(gt(id, after))
        .orderBy(id)
        .limit(eventsAtOnce),
    );
    await removeEvents(
      db,
      page.flatMap((event) => (event.isTheirs ? [event.id] : [])),
    );
    after = page.length < eventsAtOnce ? undefined : page.at(-1)?.id;
  }
}

/** Deletes webhook events with their deliveries. */
export async function removeEvents(db: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await run(db, db.delete(webhookEvents).where(isAnyOf(webhookEvents.id, ids)));
}

/** Clears the receivers' responses to these webhook deliveries, and the callback URLs of requests. */
export async function scrubWebhookDeliveries(db: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await run(
    db,
    db
      .update(webhookDeliveries)
      .set({ responseBody: null, error: null, callbackUrl: null })
      .where(isAnyOf(webhookDeliveries.id, ids)),
  );
}

/** Removes the strings of batches that belong to no row: the bundle name, the shared e-mail text, the error. */
export async function scrubBatches(db: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await run(
    db,
    db
      .update(batches)
      .set({
        bundleName: erasedName,
        callbackUrl: null,
        trace: null,
        emailBody: null,
        files: null,
        error: sql`case when ${batches.error} is not null then jsonb_build_object('code', ${batches.error} -> 'code',
          'message', 'The data of this batch was erased.') end`,
      })
      .where(isAnyOf(batches.id, ids)),
  );
}

/** Deletes idempotency keys if the key or the stored response contains `clue` and `isWanted` is true. */
export async function removeIdempotencyTexts(
  db: Executor,
  { accountId, clue }: { readonly accountId: string | undefined; readonly clue: string | undefined },
  isWanted: (texts: readonly unknown[]) => boolean,
): Promise<number> {
  const k = idempotencyKeys;
  const text = sql`lower(concat(${k.key}, ' ', ${k.response}::text))`;
  const hasClue = clue === undefined ? sql`true` : sql`position(${clue}::text in ${text}) > 0`;
  let removed = 0;
  for (let after: readonly [string, string] | undefined = ['', '']; after !== undefined; ) {
    const [owner, key]: readonly [string, string] = after;
    const rows: readonly KeyTexts[] = await run(
      db,
      db
        .select({
          accountId: k.accountId,
          key: k.key,
          texts: sql<unknown>`case when ${hasClue} then ${k.response} end`,
          hasClue: sql<boolean>`${hasClue}`,
        })
        .from(k)
        .where(
          and(
            sql`(${k.accountId}, ${k.key}) > (${owner}, ${key})`,
            accountId === undefined ? undefined : eq(k.accountId, accountId),
          ),
        )
        .orderBy(k.accountId, k.key)
        .limit(eventsAtOnce),
    );
    for (const row of rows.filter((each) => each.hasClue && isWanted([each.key, each.texts])))
      removed += await execute(
        db,
        sql`delete from ${k} where ${k.accountId} = ${row.accountId} and ${k.key} = ${row.key}`,
      );
    const last = rows.at(-1);
    after = last === undefined || rows.length < eventsAtOnce ? undefined : [last.accountId, last.key];
  }
  return removed;
}

interface KeyTexts {
  readonly accountId: string;
  readonly key: string;
  readonly texts: unknown;
  readonly hasClue: boolean;
}
