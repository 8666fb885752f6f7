import { desc, gte, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { generations } from '../../db/schema/documents.ts';
import { lowestId } from '../../ids.ts';

export interface BusyAccount {
  readonly accountId: string;
  /** All documents accepted in the period, regardless of their outcome. */
  readonly documents: number;
  readonly failed: number;
  /** Seconds that render processes and LibreOffice slots worked on the documents that ended with a result. */
  readonly engineSeconds: number;
}

/**
 * The accounts whose documents, accepted since then, occupied engines longest. An engine works on one document at a
 * time, so that its time is nearly processor time. Reads only the period's documents, by their ids.
 */
export async function busiestAccounts(db: Executor, since: Date, limit: number): Promise<readonly BusyAccount[]> {
  const milliseconds = (name: 'renderMs' | 'convertMs') =>
    sql`coalesce((${generations.timings}->>${sql.raw(`'${name}'`)})::float8, 0)`;
  const engineSeconds = sql<number>`round(sum(${milliseconds('renderMs')} + ${milliseconds('convertMs')})::numeric / 1000, 1)::float8`;
  return db
    .select({
      accountId: generations.accountId,
      documents: sql<number>`count(*)::int`,
      failed: sql<number>`(count(*) filter (where ${generations.status} = 'failed'))::int`,
      engineSeconds,
    })
    .from(generations)
    .where(gte(generations.id, lowestId('doc', since.getTime())))
    .groupBy(generations.accountId)
    .orderBy(desc(engineSeconds), generations.accountId)
    .limit(limit);
}
