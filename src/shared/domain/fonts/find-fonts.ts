import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyOf } from '../../db/column-names.ts';
import { fonts } from '../../db/schema/fonts.ts';
import { run } from '../../db/statement.ts';
import { type FontRecord, fontColumns, fontNotFound } from './font-record.ts';

/** The account's font. Throws `not_found` if it does not exist or belongs to another account. */
export async function findFont(db: Executor, accountId: string, fontId: string): Promise<FontRecord> {
  const [font] = await run(
    db,
    db
      .select(fontColumns)
      .from(fonts)
      .where(and(eq(fonts.id, fontId), isOf(accountId))),
  );
  if (font === undefined) throw fontNotFound();
  return font;
}

export interface FontPageInput {
  readonly accountId: string;
  readonly limit: number;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
  /** Part of the family name, ignoring case. */
  readonly family?: string | undefined;
}

/** A page of the account's fonts, newest first; `next` is the last id when there are more. */
export async function listFonts(
  db: Executor,
  { accountId, limit, before, family }: FontPageInput,
): Promise<{ readonly fonts: readonly FontRecord[]; readonly next: string | undefined }> {
  const rows = await run(
    db,
    db
      .select(fontColumns)
      .from(fonts)
      .where(
        and(
          isOf(accountId),
          before === undefined ? undefined : lt(fonts.id, before),
          family === undefined ? undefined : sql`strpos(${fonts.familyKey}, lower(${family})) > 0`,
        ),
      )
      .orderBy(sql`${desc(fonts.id)} nulls last`)
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  return { fonts: page, next: rows.length > limit ? page.at(-1)?.id : undefined };
}

/** The names by which the account's documents can refer to its fonts. */
export async function listFontNames(db: Executor, accountId: string): Promise<readonly string[]> {
  const rows = await run(
    db,
    db.select({ familyNames: fonts.familyNames, fullName: fonts.fullName }).from(fonts).where(isOf(accountId)),
  );
  return [...new Set(rows.flatMap(({ familyNames, fullName }) => [...familyNames, fullName]))];
}

const mostFonts = 1_000;

/** The account's fonts with the characters they cover, at most a thousand. */
export async function listWholeFonts(db: Executor, accountId: string): Promise<readonly FontRecord[]> {
  return run(db, db.select(fontColumns).from(fonts).where(isOf(accountId)).orderBy(fonts.id).limit(mostFonts));
}

/** The characters that fonts cover, by object key. Includes deleted fonts that documents still use. */
export async function readCoverage(
  db: Executor,
  objectKeys: readonly string[],
): Promise<readonly Pick<FontRecord, 'objectKey' | 'coverage'>[]> {
  return run(
    db,
    db
      .select({ objectKey: fonts.objectKey, coverage: fonts.coverage })
      .from(fonts)
      .where(isAnyOf(fonts.objectKey, objectKeys)),
  );
}

function isOf(accountId: string): SQL | undefined {
  return and(eq(fonts.accountId, accountId), isNull(fonts.deletedAt));
}
