import { and, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { cast, float8 } from '../../db/row.ts';
import { generations } from '../../db/schema/generations.ts';
import { nowPlus, run, timeValue } from '../../db/statement.ts';
import type { OutputFormat } from './generation-record.ts';

export interface UnfinishedGeneration {
  readonly id: string;
  readonly accountId: string;
  readonly format: OutputFormat;
  readonly attempts: number;
  readonly acceptedAt: Date;
  readonly ageMs: number;
}

export interface UnfinishedPage {
  readonly olderThanMs: number;
  readonly limit: number;
  /** The last one of the previous page. */
  readonly after?: UnfinishedGeneration | undefined;
}

/** A page of unfinished documents accepted longer than `olderThanMs` ago, oldest first. Excludes rows of batches. */
export function findUnfinishedGenerations(
  db: Executor,
  { olderThanMs, limit, after }: UnfinishedPage,
): Promise<readonly UnfinishedGeneration[]> {
  const { id, accountId, format, attempts, acceptedAt, status, batchId } = generations;
  return run(
    db,
    db
      .select({
        ...{ id, accountId, format, attempts, acceptedAt },
        ageMs: cast(float8, sql`round(extract(epoch from now() - ${acceptedAt}) * 1000)`),
      })
      .from(generations)
      .where(
        and(
          isOneOf(status, 'queued', 'running'),
          isNull(batchId),
          sql`${acceptedAt} < ${nowPlus(-olderThanMs)}`,
          after && sql`(${acceptedAt}, ${id}) > (${timeValue(after.acceptedAt)}, ${after.id})`,
        ),
      )
      .orderBy(acceptedAt, id)
      .limit(limit),
  );
}
