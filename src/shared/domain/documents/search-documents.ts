import { desc, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyIdOf, names } from '../../db/column-names.ts';
import { containsText } from '../../db/contains-text.ts';
import { newestIds, type PageOfIds } from '../../db/newest-ids.ts';
import { bool, int4, rowOf, text } from '../../db/row.ts';
import { generations } from '../../db/schema/documents.ts';
import { query, run } from '../../db/statement.ts';
import { type DocumentPage, documentColumns, type OutputFormat, toDocumentRecord } from './document-record.ts';

/** No index covers these fields, so a page reads at most this many documents. */
const maxSearched = 2_000;

export interface DocumentSearch {
  readonly accountId: string;
  readonly limit: number;
  readonly batchId?: string | undefined;
  readonly format?: OutputFormat | undefined;
  readonly isTest?: boolean | undefined;
  /** Part of an id, a file name or a recipient, ignoring case. */
  readonly search?: string | undefined;
}

const searchedRow = rowOf({ id: text, is_match: bool, read: int4 });

/**
 * A page of the matching documents, newest first. It may be short or empty although older documents match; `next` is
 * undefined only on the last page.
 */
export async function searchDocuments(
  db: Executor,
  { limit, ...wanted }: DocumentSearch,
  pageOfIds: Omit<PageOfIds, 'limit'>,
): Promise<DocumentPage> {
  const g = generations;
  const { id } = names(g);
  const columns = [g.accountId, g.filename, g.email, g.batchId, g.format, g.isTest];
  const isMatch = sql.join([...conditionsOf(wanted)], sql` and `);
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
    db.select(documentColumns).from(generations).where(isAnyIdOf(generations.id, ids)).orderBy(desc(generations.id)),
  );
  return { documents: found.map(toDocumentRecord), next };
}

function conditionsOf({ accountId, batchId, format, isTest, search }: Omit<DocumentSearch, 'limit'>): readonly SQL[] {
  const column = names(generations);
  return [
    sql`${column.accountId} = ${accountId}`,
    ...(batchId === undefined ? [] : [sql`${column.batchId} is not distinct from ${batchId}`]),
    ...(format === undefined ? [] : [sql`${column.format} = ${format}`]),
    ...(isTest === undefined ? [] : [sql`${column.isTest} = ${isTest}`]),
    ...(search === undefined ? [] : [contains(search)]),
  ];
}

function contains(search: string): SQL {
  const { id, filename, email } = names(generations);
  const recipients = sql`jsonb_array_elements_text(${email} -> 'to' || (${email} -> 'cc') || (${email} -> 'bcc'))`;
  return sql`(${containsText(id, search)} or ${containsText(filename, search)}
    or exists (select from ${recipients} as recipient (address) where ${containsText(sql`address`, search)}))`;
}
