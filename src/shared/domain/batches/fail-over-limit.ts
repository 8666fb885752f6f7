import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import { eventOutbox } from '../webhooks/emit-event.ts';
import { batchEvents } from './batch-events.ts';

const overLimit: ErrorRecord = {
  code: 'data_invalid',
  message: 'More rows failed than maxFailures allows. The rows that were not made yet are given back.',
};

/**
 * Ends those of the batches that have more failed rows than they may have: nothing more of them is handed out from then
 * on. Writes their events. Answers those that this call ended; their rows that wait are for `cancelWaiting`.
 */
export async function failOverLimit(
  db: Executor,
  batchIds: readonly string[],
  ttlSeconds: number,
): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`with done as (
        update batches b set status = 'failed', finished_at = now(), error = ${JSON.stringify(overLimit)}::jsonb,
        expires_at = now() + make_interval(secs => ${ttlSeconds})
      where id = any(${sql.param(batchIds)}::text[]) and status in ('accepted', 'running') and max_failures is not null
        and (select count(*) from (
          select 1 from generations g where g.batch_id = b.id and g.status = 'failed' limit b.max_failures::bigint + 1) first
        ) > max_failures
        returning *
      ), ${eventOutbox(batchEvents())}
      select id from done`,
  );
  return rows.map(({ id }) => id);
}
