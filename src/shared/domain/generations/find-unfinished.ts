import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { OutputFormat } from './generation-record.ts';

export interface UnfinishedGeneration {
  readonly id: string;
  readonly format: OutputFormat;
  readonly attempts: number;
  readonly ageMs: number;
}

/** Documents accepted longer than `olderThanMs` ago that have not ended, oldest first. */
export async function findUnfinishedGenerations(
  db: Executor,
  olderThanMs: number,
  limit: number,
): Promise<readonly UnfinishedGeneration[]> {
  const rows = await run<{ id: string; format: OutputFormat; attempts: number; age_ms: number }>(
    db,
    sql`select id, format, attempts, round(extract(epoch from now() - accepted_at) * 1000)::float as age_ms
      from generations
      where status in ('queued', 'running') and accepted_at < now() - make_interval(secs => ${olderThanMs / 1000})
      order by accepted_at limit ${limit}`,
  );
  return rows.map((row) => ({ id: row.id, format: row.format, attempts: row.attempts, ageMs: row.age_ms }));
}
