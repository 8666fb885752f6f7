import { and, desc, eq, not, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyIdOf, isAnyOf } from '../../db/column-names.ts';
import { idsBetween, newestIds } from '../../db/newest-ids.ts';
import { documentStatuses, generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { findBatchSpan } from './batch-span.ts';
import { unfinishedStatuses } from './claim-document.ts';
import {
  type DocumentPage,
  type DocumentRecord,
  type DocumentStatus,
  documentColumns,
  type OutputFormat,
  toDocumentRecord,
} from './document-record.ts';
import { searchDocuments } from './search-documents.ts';

/** The document's row, or undefined. The caller checks its account. */
export async function findDocument(db: Executor, id: string): Promise<DocumentRecord | undefined> {
  const [row] = await run(db, db.select(documentColumns).from(generations).where(eq(generations.id, id)));
  return row === undefined ? undefined : toDocumentRecord(row);
}

/** The rows of the given documents that have finished. The caller checks their account. */
export async function findFinishedDocuments(db: Executor, ids: readonly string[]): Promise<readonly DocumentRecord[]> {
  const found = await run(
    db,
    db
      .select(documentColumns)
      .from(generations)
      .where(and(isAnyIdOf(generations.id, ids), not(isAnyOf(generations.status, unfinishedStatuses)))),
  );
  return found.map(toDocumentRecord);
}

/** The account's document. Throws `not_found` if it does not exist or belongs to another account. */
export async function findOwnDocument(db: Executor, accountId: string, id: string): Promise<DocumentRecord> {
  const document = await findDocument(db, id);
  if (document?.accountId !== accountId) throw new AppError('not_found', 'There is no job with this id');
  return document;
}

export interface DocumentPageInput {
  readonly accountId: string;
  readonly limit: number;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
  readonly status?: DocumentStatus | undefined;
  readonly templateId?: string | undefined;
  /** Only documents created from this time (inclusive), according to their ids, and before `to`. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly batchId?: string | undefined;
  readonly format?: OutputFormat | undefined;
  readonly isTest?: boolean | undefined;
  /** Only documents whose id, file name or recipient contains this string, ignoring case. */
  readonly search?: string | undefined;
}

/**
 * A page of the account's documents, newest first; `next` is the cursor if there are more. With a filter that no index
 * covers, a page may be short or empty although older documents match; `next` is undefined only on the last page.
 */
export async function listDocuments(
  db: Executor,
  { accountId, limit, before, status, templateId, from, to, ...filter }: DocumentPageInput,
): Promise<DocumentPage> {
  const span = filter.batchId === undefined ? undefined : await findBatchSpan(db, accountId, filter.batchId);
  const hasNone =
    filter.batchId !== undefined && (span === undefined || (templateId ?? span.templateId) !== span.templateId);
  if (hasNone) return { documents: [], next: undefined };
  const owner = templateId ?? span?.templateId;
  const ids = idsBetween('doc', { before, from, to: earliest(to, span?.to) });
  const pageOfIds = {
    table: generations,
    owner: owner === undefined ? eq(generations.accountId, accountId) : eq(generations.templateId, owner),
    statuses: status === undefined ? documentStatuses : [status],
    before: ids.before,
    since: [ids.since, span?.since].reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a)),
  };
  if (Object.values(filter).some((value) => value !== undefined))
    return searchDocuments(db, { accountId, limit, ...filter }, pageOfIds);
  const newest = newestIds({ ...pageOfIds, limit });
  const found = await run(
    db,
    db
      .select(documentColumns)
      .from(generations)
      .where(sql`${generations.id} = any(array(${newest}))`)
      .orderBy(desc(generations.id)),
  );
  // The template may belong to another account. Filtering in SQL would make the planner choose the account's index.
  const rows = found.filter((row) => row.accountId === accountId);
  const page = rows.slice(0, limit).map(toDocumentRecord);
  return { documents: page, next: rows.length > limit ? page.at(-1)?.id : undefined };
}

function earliest(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}
