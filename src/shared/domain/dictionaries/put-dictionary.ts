import { hash } from 'node:crypto';
import { and, count, eq, isNotNull } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import { type DictionaryWords, dictionaries } from '../../db/schema/dictionaries.ts';
import { guarded, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { type ChangeBy, lockForChange } from '../accounts/lock-for-change.ts';
import { type Precondition, preconditionFailed } from '../precondition.ts';
import { type DictionaryRecord, dictionaryColumns, findDictionary } from './find-dictionary.ts';
import { retireDictionary } from './remove-dictionary.ts';

/** The maximum number of replaced dictionaries of an account that documents may still use. */
const maxKept = 20;

export interface PutDictionaryInput extends ChangeBy {
  readonly words: DictionaryWords;
  /** Contains checksums. */
  readonly precondition?: Precondition<string> | undefined;
}

/**
 * Replaces the account's dictionary, or stores its first one. The earlier one is kept for documents accepted before.
 * Storing the same words again changes nothing. Throws `precondition_failed` if the current words differ, and
 * `conflict` while too many replaced dictionaries are kept.
 */
export async function putDictionary(db: Database, input: PutDictionaryInput): Promise<DictionaryRecord> {
  return await guarded(() => inTransaction(db, (tx) => write(tx, input)));
}

async function write(tx: Transaction, input: PutDictionaryInput): Promise<DictionaryRecord> {
  const { accountId, words, precondition = {} } = input;
  await lockForChange(tx, input);
  const json = JSON.stringify(words);
  const checksum = hash('sha256', json, 'hex');
  const current = await findDictionary(tx, accountId);
  if (current?.checksum === checksum) return current;
  await requireFewKept(tx, accountId);
  const isRetired = await retireDictionary(tx, accountId, precondition);
  const isChanged = current === undefined ? precondition.anyOf !== undefined : !isRetired;
  if (isChanged) throw preconditionFailed('dictionary');
  const sizeBytes = Buffer.byteLength(json);
  const [written] = await run(
    tx,
    tx
      .insert(dictionaries)
      .values({ id: newId('dic'), accountId, words, sizeBytes, checksum, createdAt: nowOr() })
      .returning(dictionaryColumns),
  );
  if (written === undefined) throw new Error('the insert of a dictionary returned no row');
  return written;
}

async function requireFewKept(tx: Transaction, accountId: string): Promise<void> {
  const isKept = and(eq(dictionaries.accountId, accountId), isNotNull(dictionaries.replacedAt));
  const [kept] = await run(tx, tx.select({ count: count() }).from(dictionaries).where(isKept));
  if ((kept?.count ?? 0) < maxKept) return;
  throw new AppError('conflict', 'The dictionary was replaced too often in a short time. Try again in a few minutes.', {
    retryAfterSeconds: 60,
  });
}
