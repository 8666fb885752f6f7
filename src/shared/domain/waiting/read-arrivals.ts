import { sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { readClock } from '../../db/read-clock.ts';
import { float8, rowOf, text } from '../../db/row.ts';
import { generations } from '../../db/schema/documents.ts';
import { templates } from '../../db/schema/templates.ts';
import { webhookDeliveries } from '../../db/schema/webhooks.ts';
import { query } from '../../db/statement.ts';
import { lowestId } from '../../ids.ts';

const g = aliased(generations, 'g');
const w = aliased(webhookDeliveries, 'w');
const t = aliased(templates, 't');
const arrivalRow = rowOf({ queue: text, per_minute: float8 });

const periodSeconds = 120;
/** The maximum number of rows read of each kind. At a high rate they span less than the period. */
const maxRead = 20_000;

/**
 * The number of jobs accepted per minute in the last two minutes, by queue: docx, pdf, docx-batch, pdf-batch, the
 * queues of pinned templates, such as pdf@25.2, and webhook. Ids begin with their time, so only the newest rows are
 * read.
 */
export async function readArrivals(db: Executor): Promise<ReadonlyMap<string, number>> {
  const sinceMs = (await readClock(db)).getTime() - periodSeconds * 1_000;
  const rows = await query(
    db,
    arrivalRow,
    sql`with documents as materialized (
        select ${g.format} as format, case when ${g.batchId} is null then '' else '-batch' end as suffix, ${g.templateId} as template_id,
          ${g.acceptedAt} as at
        from ${generations} ${g} where ${g.id} >= ${lowestId('doc', sinceMs)} order by ${g.id} desc limit ${maxRead}
      ), webhooks as materialized (
        select ${w.createdAt} as at
        from ${webhookDeliveries} ${w} where ${w.id} >= ${lowestId('whd', sinceMs)} order by ${w.id} desc limit ${maxRead}
      ), spans as (
        select 'document' as kind, count(*) as number, min(at) as first from documents union all
        select 'webhook', count(*), min(at) from webhooks
      ), seconds as (
        select kind, case when number < ${maxRead} then ${periodSeconds}::float8
          else least(${periodSeconds}::float8, greatest(1, extract(epoch from now() - first))) end as seconds from spans
      )
      select n.queue, (sum(n.number) * 60 / min(s.seconds))::float8 as per_minute
      from (
        select 'document' as kind, o.format || o.suffix ||
            case when o.format = 'pdf' and ${t.engine} is not null then '@' || ${t.engine} else '' end as queue, o.number
          from (select format, suffix, template_id, count(*) as number from documents group by 1, 2, 3) o
          left join ${templates} ${t} on ${t.id} = o.template_id
        union all select 'webhook', 'webhook', count(*) from webhooks having count(*) > 0
      ) n join seconds s using (kind) group by n.queue`,
  );
  return new Map(rows.map((row) => [row.queue, Math.round(row.per_minute * 10) / 10]));
}
