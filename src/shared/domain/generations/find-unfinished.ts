import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { OutputFormat } from './generation-record.ts';

export interface UnfinishedGeneration {
  readonly id: string;
  readonly format: OutputFormat;
  readonly attempts: number;
  readonly acceptedAt: Date;
  readonly ageMs: number;
}

export interface UnfinishedPage {
  readonly olderThanMs: number;
  readonly limit: number;
  /** The last one of the page before. */
  readonly after?: UnfinishedGeneration | undefined;
}

/** A page of the documents, rows of batches not among them, accepted longer than `olderThanMs` ago that have not ended, oldest first. */
export async function findUnfinishedGenerations(
  db: Executor,
  { olderThanMs, limit, after }: UnfinishedPage,
): Promise<readonly UnfinishedGeneration[]> {
  const rows = await run<{ id: string; format: OutputFormat; attempts: number; accepted_at: string; age_ms: number }>(
    db,
    sql`select id, format, attempts, accepted_at, round(extract(epoch from now() - accepted_at) * 1000)::float as age_ms
      from generations
      where status in ('queued', 'running') and batch_id is null and accepted_at < now() - make_interval(secs => ${olderThanMs / 1000})
        ${after === undefined ? sql`` : sql`and (accepted_at, id) > (${after.acceptedAt.toISOString()}::timestamptz, ${after.id})`}
      order by accepted_at, id limit ${limit}`,
  );
  return rows.map(({ id, format, attempts, accepted_at, age_ms }) => ({
    id,
    format,
    attempts,
    acceptedAt: new Date(accepted_at),
    ageMs: age_ms,
  }));
}
