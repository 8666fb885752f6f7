import { and, eq, lt, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { hasNone, isOneOf } from '../../db/column-names.ts';
import { bool, cast } from '../../db/row.ts';
import { batches } from '../../db/schema/batches.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { isBehind, nextCursor, type TimeCursor } from '../../db/time-cursor.ts';

const d = aliased(deliveries, 'd');
const b = aliased(batches, 'b');
const { id, resultKey, expiresAt } = generations;

const isPastDue = and(isOneOf(generations.resultStore, 'object'), lt(expiresAt, sql`now()`));
/** Rows of a batch do not expire before the batch does. */
const isUnneeded = sql`${hasNone(sql`from ${deliveries} ${d} where ${d.documentId} = ${id}
    and ${isOneOf(d.status, 'pending', 'sending', 'transmitting')}`)}
  and ${hasNone(sql`from ${batches} ${b} where ${b.id} = ${generations.batchId}
    and (${isOneOf(b.status, 'accepted', 'running', 'bundling')} or ${b.expiresAt} > now())`)}`;

const hasEmailFiles = sql`(${generations.email} -> 'attachments') is not null`;

export interface ExpiredResult {
  readonly id: string;
  readonly objectKey: string;
  /** Whether files of its e-mail are stored beside it. */
  readonly hasEmailFiles: boolean;
}

export interface ExpiredResults {
  readonly results: readonly ExpiredResult[];
  readonly next: TimeCursor | undefined;
}

/**
 * Among the next `limit` expired documents, longest expired first, finds those that nothing needs any more. Documents
 * whose delivery or batch has not ended are skipped rather than returned, so that they do not block those after them.
 */
export async function findExpiredResults(db: Executor, after: TimeCursor, limit: number): Promise<ExpiredResults> {
  const rows = await run(
    db,
    db
      .select({
        id,
        at: expiresAt,
        resultKey,
        isUnneeded: cast(bool, isUnneeded),
        hasEmailFiles: cast(bool, hasEmailFiles),
      })
      .from(generations)
      .where(and(isPastDue, isBehind(expiresAt, id, after)))
      .orderBy(expiresAt, id)
      .limit(limit),
  );
  return {
    results: rows.flatMap((row) =>
      row.isUnneeded && row.resultKey !== null
        ? [{ id: row.id, objectKey: row.resultKey, hasEmailFiles: row.hasEmailFiles }]
        : [],
    ),
    next: nextCursor(rows, limit),
  };
}

/** Clears the file's location and the e-mail, after the object is deleted. */
export async function markResultExpired(db: Executor, documentId: string): Promise<void> {
  await run(
    db,
    db
      .update(generations)
      .set({ resultStore: null, resultKey: null, email: null })
      .where(and(eq(id, documentId), isPastDue, isUnneeded)),
  );
}
