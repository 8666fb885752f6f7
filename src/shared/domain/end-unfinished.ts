import { and, eq, exists, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { isAnyOf, isOneOf } from '../db/column-names.ts';
import { batches } from '../db/schema/batches.ts';
import { generations } from '../db/schema/documents.ts';
import { run } from '../db/statement.ts';
import type { ErrorRecord } from '../errors.ts';
import { cancelBatch } from './batches/cancel-batch.ts';
import { endOpenDeliveries } from './deliveries/sweep-deliveries.ts';
import { unfinishedStatuses } from './documents/claim-document.ts';
import { abandonDocument } from './documents/fail-document.ts';

const rowsAtOnce = 500;
const cancelledSeconds = 86_400;

const restored: ErrorRecord = {
  code: 'unavailable',
  message: 'The service was restored from a backup before the document was produced. Send the request again.',
};

export interface EndedWork {
  /** Documents that failed and whose reservation was released. */
  readonly documents: number;
  /** Batches with e-mails that were cancelled. */
  readonly batches: number;
  /** E-mails that ended as `unknown`. */
  readonly emails: number;
}

/**
 * Ends work that was in progress when a backup was made and cannot be resumed exactly, because it may have ended since:
 * single documents, whose data was in Redis; e-mails, which may have been sent; and the rows of batches that send
 * e-mails. Other batches continue. Safe to repeat.
 */
export async function endUnfinished(db: Database): Promise<EndedWork> {
  const emails = await endOpenDeliveries(db);
  const mailing = await findMailingBatches(db);
  for (const { id, accountId } of mailing) await cancelBatch(db, accountId, { id, ttlSeconds: cancelledSeconds });
  let documents = await abandonAll(db, isNull(generations.batchId));
  for (const { id } of mailing) documents += await abandonAll(db, eq(generations.batchId, id));
  return { documents, batches: mailing.length, emails: emails.length };
}

type Condition = Parameters<typeof and>[number];

async function abandonAll(db: Database, condition: Condition): Promise<number> {
  let ended = 0;
  for (;;) {
    const page = await run(
      db,
      db
        .select({ id: generations.id, attempts: generations.attempts })
        .from(generations)
        .where(and(isAnyOf(generations.status, unfinishedStatuses), condition))
        .limit(rowsAtOnce),
    );
    for (const document of page) if (await abandonDocument(db, document, restored)) ended += 1;
    if (page.length < rowsAtOnce) return ended;
  }
}

async function findMailingBatches(db: Database) {
  const mailingRows = db
    .select({ one: sql`1` })
    .from(generations)
    .where(
      and(
        eq(generations.batchId, batches.id),
        isAnyOf(generations.status, unfinishedStatuses),
        isNotNull(generations.email),
      ),
    );
  return run(
    db,
    db
      .select({ id: batches.id, accountId: batches.accountId })
      .from(batches)
      .where(and(isOneOf(batches.status, 'accepted', 'running'), exists(mailingRows))),
  );
}
