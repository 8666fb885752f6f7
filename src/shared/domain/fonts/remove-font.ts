import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { hasNone } from '../../db/column-names.ts';
import { bool, rowOf } from '../../db/row.ts';
import { indexedStatus } from '../../db/schema/columns.ts';
import { generations } from '../../db/schema/documents.ts';
import { fonts } from '../../db/schema/fonts.ts';
import { nowOr, query, run } from '../../db/statement.ts';
import { isBehind, nextCursor, type TimeCursor } from '../../db/time-cursor.ts';
import { meets, type Precondition, preconditionFailed } from '../precondition.ts';
import { findFont } from './find-fonts.ts';

/**
 * Deletes the account's font. Documents accepted before still use it; its file is kept until they have finished. The
 * precondition contains checksums. Throws `not_found`, or `precondition_failed` if the content of the font differs.
 */
export async function removeFont(
  db: Executor,
  accountId: string,
  fontId: string,
  precondition: Precondition<string> = {},
): Promise<void> {
  const isIn = (checksum: string) => eq(fonts.checksum, checksum);
  const isFont = and(eq(fonts.id, fontId), eq(fonts.accountId, accountId), isNull(fonts.deletedAt));
  const removed = await run(
    db,
    db
      .update(fonts)
      .set({ deletedAt: nowOr() })
      .where(and(isFont, meets(precondition, isIn)))
      .returning({ id: fonts.id }),
  );
  if (removed.length > 0) return;
  await findFont(db, accountId, fontId);
  throw preconditionFailed('font');
}

const deletedRow = rowOf({ id: fonts.id, at: fonts.deletedAt, key: fonts.objectKey, is_unneeded: bool });
const f = aliased(fonts, 'f');
const g = aliased(generations, 'g');

export interface PurgeableFonts {
  readonly fonts: readonly { readonly id: string; readonly objectKey: string }[];
  readonly next: TimeCursor | undefined;
}

/**
 * Among the next `limit` deleted fonts, finds those that no unfinished document uses, with the keys of their objects.
 */
export async function findPurgeableFonts(db: Executor, after: TimeCursor, limit: number): Promise<PurgeableFonts> {
  const rows = await query(
    db,
    deletedRow,
    sql`select ${f.id}, ${f.deletedAt} as at, ${f.objectKey} as key,
        ${hasNone(sql`from ${generations} ${g} where ${g.accountId} = ${f.accountId}
          and ${indexedStatus(g.status)} in ('queued', 'running') and ${g.acceptedAt} < ${f.deletedAt}`)} as is_unneeded
      from ${fonts} ${f}
      where ${f.deletedAt} < now() - interval '1 minute' and ${isBehind(f.deletedAt, f.id, after)}
      order by ${f.deletedAt}, ${f.id} limit ${limit}`,
  );
  return {
    fonts: rows.flatMap((row) => (row.is_unneeded ? [{ id: row.id, objectKey: row.key }] : [])),
    next: nextCursor(rows, limit),
  };
}

/** Deletes the row of a deleted font once its object is deleted. */
export async function purgeFont(db: Executor, fontId: string): Promise<void> {
  await run(db, db.delete(fonts).where(and(eq(fonts.id, fontId), isNotNull(fonts.deletedAt))));
}
