import { sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isAnyOf, isOneOf } from '../../db/column-names.ts';
import { cast, float8, int4, rowOf, text } from '../../db/row.ts';
import { batches } from '../../db/schema/batches.ts';
import { generations } from '../../db/schema/documents.ts';
import { query, run } from '../../db/statement.ts';
import type { DocumentStatus } from '../documents/document-record.ts';

export type BatchProgress = Readonly<Record<DocumentStatus, number>>;

const noRows: BatchProgress = { queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 };

/** The number of rows in each status, by batch, counted from the documents themselves. */
export async function readProgress(
  db: Executor,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, BatchProgress>> {
  const { batchId, status } = generations;
  const rows = await run(
    db,
    db
      .select({ batchId, status, count: cast(int4, sql`count(*)`) })
      .from(generations)
      .where(isAnyOf(batchId, batchIds))
      .groupBy(batchId, status),
  );
  const progress = new Map<string, BatchProgress>(batchIds.map((id) => [id, noRows]));
  for (const { batchId: id, status: rowStatus, count } of rows) {
    if (id !== null) progress.set(id, { ...(progress.get(id) ?? noRows), [rowStatus]: count });
  }
  return progress;
}

const rateWindowSeconds = 60;
const rateRow = rowOf({ id: batches.id, rate: float8 });
const b = aliased(batches, 'b');
const g = aliased(generations, 'g');

/**
 * Rows finished per second in the last minute, or since the batch started if that is shorter. Includes only running
 * batches with rows finished in that time.
 */
export async function readRates(db: Executor, batchIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await query(
    db,
    rateRow,
    sql`select ${b.id}, (select count(*) from ${generations} ${g} where ${g.batchId} = ${b.id}
          and ${isOneOf(g.status, 'succeeded', 'failed')} and ${g.finishedAt} >= since.at)
        / greatest(1, extract(epoch from now() - since.at))::float8 as rate
      from ${batches} ${b},
        lateral (select greatest(${b.startedAt}, now() - make_interval(secs => ${rateWindowSeconds})) as at) since
      where ${isAnyOf(b.id, batchIds)} and ${isOneOf(b.status, 'running')} and ${b.startedAt} is not null`,
  );
  return new Map(rows.filter(({ rate }) => rate > 0).map(({ id, rate }) => [id, rate]));
}

export interface BatchWarning {
  readonly code: string;
  readonly message: string;
  /** Number of rows with this warning. */
  readonly rows: number;
}

const maxWarnings = 20;
const warningRow = rowOf({ code: text, message: text, rows: int4 });

/** The distinct warnings of a batch's documents, most frequent first. */
export function readWarnings(db: Executor, batchId: string): Promise<readonly BatchWarning[]> {
  return query(
    db,
    warningRow,
    sql`select w ->> 'code' as code, w ->> 'message' as message, count(distinct ${g.id})::int as rows
      from ${generations} ${g}, jsonb_array_elements(${g.warnings}) w
      where ${g.batchId} = ${batchId} and ${isOneOf(g.status, 'succeeded')} and jsonb_array_length(${g.warnings}) > 0
      group by 1, 2 order by 3 desc, 1, 2 limit ${maxWarnings}`,
  );
}
