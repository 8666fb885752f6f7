import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { dictionaries } from '../../db/schema/dictionaries.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

/** An account's words. `checksum` is the SHA-256 of their JSON, hex. */
export type DictionaryRecord = Readonly<
  Pick<typeof dictionaries.$inferSelect, 'id' | 'words' | 'checksum' | 'createdAt'>
>;

const { id, words, checksum, createdAt } = dictionaries;
/** The selected columns of a dictionary. */
export const dictionaryColumns = { id, words, checksum, createdAt };

/** The account's current dictionary; undefined when it has none. */
export async function findDictionary(db: Executor, accountId: string): Promise<DictionaryRecord | undefined> {
  const [found] = await run(db, db.select(dictionaryColumns).from(dictionaries).where(isCurrentOf(accountId)));
  return found;
}

/** The id of the account's current dictionary; undefined when it has none. */
export async function findDictionaryId(db: Executor, accountId: string): Promise<string | undefined> {
  const [found] = await run(db, db.select({ id }).from(dictionaries).where(isCurrentOf(accountId)));
  return found?.id;
}

/** The words of a current or replaced dictionary; undefined if it was removed. */
export async function readWords(db: Executor, dictionaryId: string): Promise<DictionaryRecord['words'] | undefined> {
  const [found] = await run(db, db.select({ words }).from(dictionaries).where(eq(id, dictionaryId)));
  return found?.words;
}

export const isCurrentOf = (accountId: string): SQL | undefined =>
  and(eq(dictionaries.accountId, accountId), isNull(dictionaries.replacedAt));

export const dictionaryNotFound = (): AppError =>
  new AppError(
    'not_found',
    'The account has no dictionary: none was stored, or it was removed. PUT /v1/dictionary stores one.',
  );
