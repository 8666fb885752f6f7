import { and, eq, isNotNull, or, sql } from 'drizzle-orm';
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
 * Removes what the rows of ended documents hold of their requests and results: names, addresses, options, messages. Ids,
 * digests, counts, times and the status stay. Also removes their idempotency keys. In one transaction; safe to repeat.
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

/** Fingerprints of the failures of these documents, and of equal documents. */
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

/** Forgets the evidence of failures after it was removed. The quarantine stays. */
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

/** Deletes the webhook events about these documents, with their deliveries, in pages of all events of 30 days. */
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
        .where(sql`${id} > ${after}`)
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

/** Forgets what receivers answered to these webhook deliveries, and where those of requests were sent. */
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

/** Removes the texts of batches that are not of a row: the name of the bundle, the shared e-mail text, the error. */
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

/** Deletes idempotency keys that contain `clue` in the key or the stored response and of which `isWanted` is true. */
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
