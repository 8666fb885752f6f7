import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { aliased } from '../../db/aliased.ts';
import { isOneOf } from '../../db/column-names.ts';
import type { PartitionedTable } from '../../db/partitions.ts';
import { batches } from '../../db/schema/batches.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { ledger } from '../../db/schema/quota.ts';
import { timeValue } from '../../db/statement.ts';

export const g = aliased(generations, 'g');
export const l = aliased(ledger, 'l');
const d = aliased(deliveries, 'd');
const b = aliased(batches, 'b');
const e = aliased(ledger, 'e');

export interface PartitionRows {
  /** A partition, under the alias that the conditions use. */
  readonly source: (relation: string) => SQL;
  /** The id by which the table is partitioned. */
  readonly key: PgColumn;
  /** When the row was written, by the clock of the database. */
  readonly writtenAt: PgColumn;
  /**
   * True for rows that are kept after the cutoff, because the document or batch that they belong to has not ended, or
   * ended only recently.
   */
  readonly stays: (cutoff: Date) => SQL;
}

const isAfter = (time: unknown, cutoff: Date): SQL => sql`coalesce(${time} >= ${timeValue(cutoff)}, false)`;

/** Which expired rows of each partitioned table are kept. */
export const partitionRows: Readonly<Record<PartitionedTable, PartitionRows>> = {
  generations: {
    source: (relation) => sql`${sql.identifier(relation)} ${g}`,
    key: g.id,
    writtenAt: g.acceptedAt,
    stays: (
      cutoff,
    ) => sql`(${isOneOf(g.status, 'queued', 'running')} or coalesce(${isOneOf(g.resultStore, 'object')}, false)
      or ${isAfter(g.acceptedAt, cutoff)} or ${isAfter(g.finishedAt, cutoff)} or ${isAfter(g.refundedAt, cutoff)}
      or exists (select 1 from ${batches} ${b} where ${b.id} = ${g.batchId})
      or exists (select 1 from ${deliveries} ${d} where ${d.documentId} = ${g.id}
        and ${isOneOf(d.status, 'pending', 'sending', 'transmitting')}))`,
  },
  // A document's entries stay together for as long as the document.
  ledger: {
    source: (relation) => sql`${sql.identifier(relation)} ${l}`,
    key: l.documentId,
    writtenAt: l.createdAt,
    stays: (cutoff) => sql`(exists (select 1 from ${generations} ${g} where ${g.id} = ${l.documentId})
      or exists (select 1 from ${ledger} ${e} where ${e.documentId} = ${l.documentId} and ${isAfter(e.createdAt, cutoff)})
      or not exists (select 1 from ${ledger} ${e} where ${e.documentId} = ${l.documentId}
        and ${isOneOf(e.kind, 'settle', 'release')}))`,
  },
  deliveries: {
    source: (relation) => sql`${sql.identifier(relation)} ${d}`,
    key: d.id,
    writtenAt: d.createdAt,
    stays: (
      cutoff,
    ) => sql`(${isOneOf(d.status, 'pending', 'sending', 'transmitting')} or ${isAfter(d.createdAt, cutoff)}
      or ${isAfter(d.finishedAt, cutoff)}
      or exists (select 1 from ${generations} ${g} where ${g.id} = ${d.documentId} and ${isOneOf(g.resultStore, 'object')}))`,
  },
};
