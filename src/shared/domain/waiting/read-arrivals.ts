import { sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { readClock } from '../../db/read-clock.ts';
import { float8, rowOf, text } from '../../db/row.ts';
import { generations } from '../../db/schema/generations.ts';
import { webhookDeliveries } from '../../db/schema/webhooks.ts';
import { query } from '../../db/statement.ts';
import { lowestId } from '../../ids.ts';

const g = aliased(generations, 'g');
const w = aliased(webhookDeliveries, 'w');
const arrivalRow = rowOf({ queue: text, per_minute: float8 });

const periodSeconds = 120;
/** The newest that are read of each kind; at a high rate they span less than the period. */
const maxRead = 20_000;

/**
 * What was accepted per minute in the last two minutes, by queue: docx, pdf, docx-batch, pdf-batch and webhook. Ids begin with their
 * time, so that only the newest rows are read.
 */
export async function readArrivals(db: Executor): Promise<ReadonlyMap<string, number>> {
  const sinceMs = (await readClock(db)).getTime() - periodSeconds * 1_000;
  const rows = await query(
    db,
    arrivalRow,
    sql`with documents as materialized (
        select ${g.format} || case when ${g.batchId} is null then '' else '-batch' end as queue, ${g.acceptedAt} as at
        from ${generations} ${g} where ${g.id} >= ${lowestId('doc', sinceMs)} order by ${g.id} desc limit ${maxRead}
      ), webhooks as materialized (
        select 'webhook' as queue, ${w.createdAt} as at
        from ${webhookDeliveries} ${w} where ${w.id} >= ${lowestId('whd', sinceMs)} order by ${w.id} desc limit ${maxRead}
      ), spans as (
        select 'document' as kind, count(*) as number, min(at) as first from documents union all
        select 'webhook', count(*), min(at) from webhooks
      ), seconds as (
        select kind, case when number < ${maxRead} then ${periodSeconds}::float8
          else least(${periodSeconds}::float8, greatest(1, extract(epoch from now() - first))) end as seconds from spans
      )
      select n.queue, (count(*) * 60 / min(s.seconds))::float8 as per_minute
      from (select 'document' as kind, queue from documents union all select 'webhook', queue from webhooks) n
      join seconds s using (kind) group by n.queue`,
  );
  return new Map(rows.map((row) => [row.queue, Math.round(row.per_minute * 10) / 10]));
}
