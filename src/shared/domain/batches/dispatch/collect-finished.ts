import { sql } from 'drizzle-orm';
import { aliased } from '../../../db/aliased.ts';
import type { Executor } from '../../../db/client.ts';
import { names } from '../../../db/column-names.ts';
import { nullable, rowOf, textArray } from '../../../db/row.ts';
import { batchInFlightRows, batchShares } from '../../../db/schema/batches.ts';
import { generations } from '../../../db/schema/documents.ts';
import { query } from '../../../db/statement.ts';
import type { BatchQueue } from './batch-queue.ts';

export interface FinishedRows {
  readonly batchId: string;
  /** Rows that did not succeed. They may never have been claimed, so their data may still be in Redis. */
  readonly unsuccessfulIds: readonly string[];
}

const finishedRow = rowOf({ batch_id: batchInFlightRows.batchId, unsuccessful_ids: nullable(textArray) });
const f = aliased(batchInFlightRows, 'f');
const g = aliased(generations, 'g');
const s = aliased(batchShares, 's');
const share = names(batchShares);

/**
 * Removes finished in-flight rows and corrects their accounts' virtual times from the estimated to the actual working
 * time. Each row is charged once, by the call that deletes it.
 */
export async function collectFinished(db: Executor, format: BatchQueue): Promise<readonly FinishedRows[]> {
  const rows = await query(
    db,
    finishedRow,
    sql`with ended as (
        delete from ${batchInFlightRows} ${f} using ${generations} ${g}
        where ${f.format} = ${format} and ${g.id} = ${f.documentId} and ${g.status} not in ('queued', 'running')
        returning ${f.documentId} as generation_id, ${f.accountId} as account_id, ${f.batchId} as batch_id,
          ${f.chargedUs} as charged_us, ${g.status} as status,
          extract(epoch from ${g.finishedAt} - coalesce(${g.startedAt}, ${g.finishedAt})) * 1000000 as used_us
      ), costs as (
        select account_id, sum(used_us - charged_us) as owed_us, avg(used_us) as mean_us from ended group by account_id
      ), charged as (
        update ${batchShares} ${s} set ${share.virtualTime} = ${s.virtualTime} + round(c.owed_us / ${s.weight}),
          ${share.costUs} = greatest(1, round(coalesce(0.7 * ${s.costUs} + 0.3 * c.mean_us, c.mean_us)))
        from costs c where ${s.accountId} = c.account_id and ${s.format} = ${format}
      )
      select batch_id, array_agg(generation_id) filter (where status <> 'succeeded') as unsuccessful_ids
      from ended group by batch_id`,
  );
  return rows.map((row) => ({ batchId: row.batch_id, unsuccessfulIds: row.unsuccessful_ids ?? [] }));
}
