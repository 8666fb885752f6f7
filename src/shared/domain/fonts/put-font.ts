import { and, count, eq, isNotNull, isNull, ne, sum } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import { fonts } from '../../db/schema/fonts.ts';
import { nowOr, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { type ChangeBy, lockForChange } from '../accounts/lock-for-change.ts';
import { type IdempotencyClaim, onceWithResult } from '../idempotency-keys.ts';
import { type FontRecord, fontColumns } from './font-record.ts';

/** An inspected font whose bytes are already stored at `objectKey`. The id is used if the font is new. */
export interface PutFontInput extends Omit<FontRecord, 'createdAt' | 'updatedAt'>, ChangeBy {
  /** Limits of the account. */
  readonly maxFonts: number;
  readonly maxTotalBytes: number;
}

export interface PutFont {
  readonly font: FontRecord;
  readonly isNew: boolean;
  /** True if the request repeats an earlier one: nothing was written. */
  readonly isReplay: boolean;
}

/** The limits for replaced and deleted fonts that documents still use, as multiples of the account's limits. */
const keptTimes = { fonts: 10, bytes: 4 };

type Written = Omit<PutFont, 'isReplay'>;

/**
 * Stores a font, replacing an earlier one of the same family and style. The earlier one is kept as a deleted font, for
 * documents accepted before: all rows of a batch look the same. Storing the same file again keeps the existing object,
 * because the bytes of a PDF depend on it; the uploaded object is then unused. Locks the account's row, so that
 * concurrent calls cannot exceed the limits. Throws `quota_exceeded`, and `conflict` for an idempotency key used with
 * another request.
 */
export async function putFont(
  db: Database,
  input: PutFontInput,
  key: Omit<IdempotencyClaim, 'resourceId'> | undefined,
): Promise<PutFont> {
  const { result, isReplay } = await onceWithResult(db, input.accountId, key, (tx) => write(tx, input));
  const { font, isNew } = result;
  // A replay returns times as strings.
  const times = { createdAt: new Date(font.createdAt), updatedAt: new Date(font.updatedAt) };
  return { font: { ...font, ...times }, isNew, isReplay };
}

async function write(
  tx: Transaction,
  { accountId, mayApprove, maxFonts, maxTotalBytes, ...font }: PutFontInput,
): Promise<Written> {
  await lockForChange(tx, { accountId, mayApprove });
  const familyKey = font.family.toLowerCase();
  const isOfAccount = and(eq(fonts.accountId, accountId), isNull(fonts.deletedAt));
  const [existing] = await run(
    tx,
    tx
      .select()
      .from(fonts)
      .where(and(isOfAccount, eq(fonts.familyKey, familyKey), eq(fonts.style, font.style))),
  );
  if (existing !== undefined && isSameFile(existing, font)) {
    const { id: _id, objectKey: _objectKey, ...content } = font;
    const updatedAt = content.name === existing.name ? existing.updatedAt : nowOr();
    const [kept] = await run(
      tx,
      tx
        .update(fonts)
        .set({ ...content, updatedAt })
        .where(eq(fonts.id, existing.id))
        .returning(fontColumns),
    );
    return { font: kept ?? existing, isNew: false };
  }
  const [others] = await run(
    tx,
    tx
      .select({ count: count(), bytes: sum(fonts.sizeBytes).mapWith(Number) })
      .from(fonts)
      .where(and(isOfAccount, existing === undefined ? undefined : ne(fonts.id, existing.id))),
  );
  if ((others?.count ?? 0) >= maxFonts)
    throw new AppError('quota_exceeded', `The account has ${maxFonts} fonts, which is the limit. Delete one first.`);
  if ((others?.bytes ?? 0) + font.sizeBytes > maxTotalBytes) {
    const limitMb = Math.floor(maxTotalBytes / 1024 / 1024);
    throw new AppError('quota_exceeded', `The account's fonts may have ${limitMb} MB in total. Delete one first.`);
  }
  await refuseTooManyKept(tx, accountId, maxFonts, maxTotalBytes);
  const now = nowOr();
  const { id, ...content } = font;
  const [written] =
    existing === undefined
      ? await run(
          tx,
          tx
            .insert(fonts)
            .values({ id, accountId, familyKey, ...content, createdAt: now, updatedAt: now })
            .returning(fontColumns),
        )
      : await run(
          tx,
          tx
            .update(fonts)
            .set({ ...content, familyKey, updatedAt: now })
            .where(eq(fonts.id, existing.id))
            .returning(fontColumns),
        );
  if (written === undefined) throw new Error('the write of a font returned no row');
  if (existing !== undefined) await run(tx, tx.insert(fonts).values({ ...existing, id: newId('fnt'), deletedAt: now }));
  return { font: written, isNew: existing === undefined };
}

type File = Pick<FontRecord, 'checksum' | 'objectChecksum'>;
const isSameFile = (one: File, other: File): boolean =>
  one.checksum === other.checksum && one.objectChecksum === other.objectChecksum;

async function refuseTooManyKept(
  tx: Transaction,
  accountId: string,
  maxFonts: number,
  maxBytes: number,
): Promise<void> {
  const [kept] = await run(
    tx,
    tx
      .select({ count: count(), bytes: sum(fonts.sizeBytes).mapWith(Number) })
      .from(fonts)
      .where(and(eq(fonts.accountId, accountId), isNotNull(fonts.deletedAt))),
  );
  if ((kept?.count ?? 0) < keptTimes.fonts * maxFonts && (kept?.bytes ?? 0) < keptTimes.bytes * maxBytes) return;
  throw new AppError(
    'quota_exceeded',
    'Too many replaced or deleted fonts are still used by documents accepted earlier. Try again when these have finished.',
  );
}
