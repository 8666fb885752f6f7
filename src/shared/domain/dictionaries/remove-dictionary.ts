import { and, eq, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { hasNone } from '../../db/column-names.ts';
import { indexedStatus } from '../../db/schema/columns.ts';
import { dictionaries } from '../../db/schema/dictionaries.ts';
import { generations } from '../../db/schema/documents.ts';
import { execute, nowOr, run } from '../../db/statement.ts';
import { meets, type Precondition, preconditionFailed } from '../precondition.ts';
import { dictionaryNotFound, findDictionary, isCurrentOf } from './find-dictionary.ts';

/**
 * Deletes the account's dictionary. Documents accepted before still use it. The precondition contains checksums. Throws
 * `not_found`, or `precondition_failed` if the current words differ.
 */
export async function removeDictionary(
  db: Executor,
  accountId: string,
  precondition: Precondition<string> = {},
): Promise<void> {
  if (await retireDictionary(db, accountId, precondition)) return;
  if ((await findDictionary(db, accountId)) === undefined) throw dictionaryNotFound();
  throw preconditionFailed('dictionary');
}

/**
 * Retires the account's current dictionary, so that new documents do not use it. False if none meets the precondition.
 */
export async function retireDictionary(
  db: Executor,
  accountId: string,
  precondition: Precondition<string>,
): Promise<boolean> {
  const isIn = (checksum: string) => eq(dictionaries.checksum, checksum);
  const retired = await run(
    db,
    db
      .update(dictionaries)
      .set({ replacedAt: nowOr() })
      .where(and(isCurrentOf(accountId), meets(precondition, isIn)))
      .returning({ id: dictionaries.id }),
  );
  return retired.length > 0;
}

const d = aliased(dictionaries, 'd');
const g = aliased(generations, 'g');

/** Deletes up to `limit` replaced dictionaries that no unfinished document uses. Returns how many. */
export async function purgeDictionaries(db: Executor, limit: number): Promise<number> {
  return await execute(
    db,
    sql`delete from ${dictionaries} where ${dictionaries.id} = any(array(
      select ${d.id} from ${dictionaries} ${d}
      where ${d.replacedAt} < now() - interval '1 minute'
        and ${hasNone(sql`from ${generations} ${g} where ${g.accountId} = ${d.accountId}
          and ${indexedStatus(g.status)} in ('queued', 'running') and ${g.acceptedAt} < ${d.replacedAt}`)}
      order by ${d.replacedAt}, ${d.id} limit ${limit}))`,
  );
}
