import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyOf, names } from '../../db/column-names.ts';
import { newestIds } from '../../db/newest-ids.ts';
import { float8, int4, nullable, rowOf } from '../../db/row.ts';
import { documentStatuses, generations } from '../../db/schema/documents.ts';
import { templates } from '../../db/schema/templates.ts';
import { query } from '../../db/statement.ts';
import { lowestId } from '../../ids.ts';
import { isOwned } from './template-record.ts';

/**
 * Statistics cover at most this many of a template's newest documents, so that a long history does not slow them down.
 */
export const sampledDocuments = 500;

export interface TemplateStatistics {
  readonly templateId: string;
  /** When its newest document was requested; null if there is none. */
  readonly lastDocumentAt: Date | null;
  /** The number of documents of the period that succeeded or failed, at most `sampledDocuments`. */
  readonly documents: number;
  readonly failures: number;
  /** How many succeeded with warnings. */
  readonly withWarnings: number;
  /** The 95th percentile of the time from request to end, in milliseconds; null if no document succeeded. */
  readonly p95TotalMs: number | null;
  /** The 95th percentile of rendering and converting alone, in milliseconds. */
  readonly p95ProductionMs: number | null;
}

const statisticsRow = rowOf({
  templateId: templates.id,
  lastDocumentAt: nullable(generations.acceptedAt),
  documents: int4,
  failures: int4,
  withWarnings: int4,
  p95TotalMs: nullable(float8),
  p95ProductionMs: nullable(float8),
});

/**
 * Health of the given templates that belong to the account, ordered by id, from their newest documents since a time.
 * Test documents count like any others.
 */
export async function readTemplateStatistics(
  db: Executor,
  input: { readonly accountId: string; readonly templateIds: readonly string[]; readonly since: Date },
): Promise<readonly TemplateStatistics[]> {
  const ofTemplate = {
    table: generations,
    owner: sql`${generations.templateId} = wanted.id`,
    before: undefined,
  };
  const newest = newestIds({
    ...ofTemplate,
    statuses: documentStatuses,
    limit: 0,
    columns: [generations.acceptedAt],
  });
  const sample = newestIds({
    ...ofTemplate,
    statuses: ['succeeded', 'failed'],
    since: lowestId('doc', input.since.getTime()),
    limit: sampledDocuments - 1,
    columns: [generations.status, generations.warnings, generations.timings],
  });
  const { status, warnings, timings, acceptedAt } = names(generations);
  const ms = (name: string) => sql`(${timings} ->> ${name}::text)::float8`;
  const p95 = (value: ReturnType<typeof ms>) => sql`percentile_disc(0.95) within group (order by ${value})
    filter (where ${status} = 'succeeded' and ${timings} is not null)`;
  return query(
    db,
    statisticsRow,
    sql`select wanted.id as "templateId", newest.${acceptedAt} as "lastDocumentAt", sampled.*
      from (select ${templates.id} from ${templates}
        where ${isAnyOf(templates.id, input.templateIds)} and ${isOwned(input.accountId)}) wanted
      left join lateral (${newest}) newest on true,
      lateral (
        select count(*)::int as documents, count(*) filter (where ${status} = 'failed')::int as failures,
          count(*) filter (where ${status} = 'succeeded' and jsonb_array_length(${warnings}) > 0)::int as "withWarnings",
          ${p95(ms('totalMs'))} as "p95TotalMs", ${p95(sql`${ms('renderMs')} + ${ms('convertMs')}`)} as "p95ProductionMs"
        from (${sample}) sample
      ) sampled
      order by wanted.id`,
  );
}
