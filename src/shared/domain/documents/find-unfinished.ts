import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isAnyIdOf, isAnyOf, isOneOf } from '../../db/column-names.ts';
import { cast, float8 } from '../../db/row.ts';
import { generations } from '../../db/schema/documents.ts';
import { templates } from '../../db/schema/templates.ts';
import { nowPlus, run } from '../../db/statement.ts';
import { isBehind, type TimeCursor } from '../../db/time-cursor.ts';
import { unfinishedStatuses } from './claim-document.ts';
import type { OutputFormat } from './document-record.ts';

export interface UnfinishedDocument {
  readonly id: string;
  readonly accountId: string;
  readonly format: OutputFormat;
  readonly attempts: number;
  /** When it was accepted. */
  readonly at: Date;
  readonly ageMs: number;
  /** For a PDF, the LibreOffice version to which its template is pinned; null for any. */
  readonly engine: string | null;
}

export interface UnfinishedPage {
  readonly format: OutputFormat;
  readonly status: 'queued' | 'running';
  readonly olderThanMs: number;
  /** Only documents accepted after this cursor. */
  readonly after: TimeCursor;
  readonly limit: number;
}

const t = aliased(templates, 't');
const { id, accountId, format: of, attempts, acceptedAt } = generations;
const columns = {
  id,
  accountId,
  format: of,
  attempts,
  at: acceptedAt,
  ageMs: cast(float8, sql`round(extract(epoch from now() - ${acceptedAt}) * 1000)`),
  engine: sql<string | null>`(select ${t.engine} from ${templates} ${t}
    where ${t.id} = ${generations.templateId} and ${of} = 'pdf')`,
};

/** The unfinished documents among the given ones. Excludes rows of batches. */
export function findUnfinishedOf(db: Executor, ids: readonly string[]): Promise<readonly UnfinishedDocument[]> {
  const isUnfinished = isAnyOf(generations.status, unfinishedStatuses);
  return run(
    db,
    db
      .select(columns)
      .from(generations)
      .where(and(isAnyIdOf(id, ids), isUnfinished, isNull(generations.batchId))),
  );
}

/**
 * A page of unfinished documents accepted more than `olderThanMs` ago, oldest first. Excludes rows of batches. Reads
 * only as many rows as it returns, however many documents wait.
 */
export function findUnfinished(
  db: Executor,
  { format, status, olderThanMs, after, limit }: UnfinishedPage,
): Promise<readonly UnfinishedDocument[]> {
  const g = generations;
  return run(
    db,
    db
      .select(columns)
      .from(generations)
      .where(
        and(
          eq(g.format, format),
          isOneOf(g.status, status),
          isNull(g.batchId),
          lt(g.acceptedAt, nowPlus(-olderThanMs)),
          isBehind(g.acceptedAt, g.id, after),
        ),
      )
      .orderBy(g.acceptedAt, g.id)
      .limit(limit),
  );
}
