import { desc, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyIdOf, names } from '../../db/column-names.ts';
import { newestIds, type PageOfIds } from '../../db/newest-ids.ts';
import { bool, int4, rowOf, text } from '../../db/row.ts';
import { generations } from '../../db/schema/generations.ts';
import { query, run } from '../../db/statement.ts';
import { type GenerationPage, generationColumns, toGenerationRecord } from './generation-record.ts';

/** No index has the searched texts, so a page reads at most so many documents. */
const maxSearched = 2_000;

export interface GenerationSearch {
  readonly accountId: string;
  readonly limit: number;
  /** Part of an id, a filename or a recipient, in any case. */
  readonly search: string;
}

const searchedRow = rowOf({ id: text, is_match: bool, read: int4 });

/**
 * A page of the documents that match, newest first. It may be short or empty although older ones match; `next` is undefined on the
 * last page only.
 */
export async function searchGenerations(
  db: Executor,
  { accountId, limit, search }: GenerationSearch,
  pageOfIds: Omit<PageOfIds, 'limit'>,
): Promise<GenerationPage> {
  const { id, filename, email } = names(generations);
  const columns = [generations.accountId, generations.filename, generations.email];
  const contains = (value: SQL): SQL => sql`position(lower(${search}) in lower(${value})) > 0`;
  const recipients = sql`jsonb_array_elements_text(${email} -> 'to' || (${email} -> 'cc') || (${email} -> 'bcc'))`;
  const isMatch = sql`${names(generations).accountId} = ${accountId} and (${contains(id)} or ${contains(filename)}
    or exists (select from ${recipients} as recipient (address) where ${contains(sql`address`)}))`;
  const rows = await query(
    db,
    searchedRow,
    sql`with searched as materialized (${newestIds({ ...pageOfIds, columns, limit: maxSearched })})
      select ${id}, ${isMatch} as is_match, (select count(*)::int from searched) as read from searched
      where ${isMatch} or ${id} = (select min(${id}) from searched)
      order by ${id} desc limit ${limit + 2}`,
  );
  const matches = rows.filter((row) => row.is_match).map((row) => row.id);
  const ids = matches.slice(0, limit);
  const hasOlder = (rows[0]?.read ?? 0) > maxSearched;
  const next = matches.length > limit ? ids.at(-1) : hasOlder ? rows.at(-1)?.id : undefined;
  const found = await run(
    db,
    db.select(generationColumns).from(generations).where(isAnyIdOf(generations.id, ids)).orderBy(desc(generations.id)),
  );
  return { generations: found.map(toGenerationRecord), next };
}
