import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { aliased } from '../../db/aliased.ts';
import { columnList, excluded, isOneOf } from '../../db/column-names.ts';
import type { PartitionedTable } from '../../db/partitions.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { documentMonths, ledgerMonths } from '../../db/schema/retention.ts';
import { g, l } from './retained-rows.ts';

const a = aliased(accounts, 'a');

/**
 * Adds rows to the totals that are kept for ever, in the transaction that removes the rows. `source` has the name that
 * `partitionRows` gives it, and only its rows that meet `condition` count; `month` is a date. Rows of deleted accounts
 * are not totalled. Undefined for e-mails, which have no totals.
 */
export function addTotals(table: PartitionedTable, source: SQL, month: SQL, condition = sql`true`): SQL | undefined {
  const from = sql`${source} join ${accounts} ${a} on ${a.id} = ${table === 'ledger' ? l.accountId : g.accountId} where ${condition}`;
  if (table === 'generations') return addDocuments(from, month);
  return table === 'ledger' ? addEntries(from, month) : undefined;
}

function addDocuments(from: SQL, month: SQL): SQL {
  const t = documentMonths;
  const isCharged = sql`${isOneOf(g.status, 'succeeded')} and not ${g.isTest} and ${g.refundedAt} is null`;
  const isFree = (status: 'failed' | 'cancelled'): SQL => sql`${isOneOf(g.status, status)} and not ${g.isTest}`;
  const counted = (condition: SQL): SQL => sql`count(*) filter (where ${condition})`;
  return sql`insert into ${t} ${columnList(t.accountId, t.month, ...documentSums)}
    select ${g.accountId}, ${month}, ${counted(isCharged)}, coalesce(sum(${g.pages}) filter (where ${isCharged}), 0),
      coalesce(sum(${g.resultBytes}::bigint) filter (where ${isCharged}), 0), ${counted(isFree('failed'))},
      ${counted(isFree('cancelled'))}, ${counted(sql`${g.refundedAt} is not null`)}, ${counted(sql`${g.isTest}`)}
    from ${from} group by 1, 2 order by 1, 2
    ${addOnConflict(t, [t.accountId, t.month], documentSums)}`;
}

const documentSums = [
  ...[documentMonths.documents, documentMonths.pages, documentMonths.bytes, documentMonths.failures],
  ...[documentMonths.cancelled, documentMonths.refunded, documentMonths.tests],
];

function addEntries(from: SQL, month: SQL): SQL {
  const t = ledgerMonths;
  const units = (kind: 'reserve' | 'settle' | 'release' | 'refund'): SQL =>
    sql`coalesce(sum(${l.units}) filter (where ${isOneOf(l.kind, kind)}), 0)`;
  const sums = [t.reserved, t.settled, t.released, t.refunded];
  return sql`insert into ${t} ${columnList(t.accountId, t.allowanceId, t.month, ...sums)}
    select ${l.accountId}, ${l.allowanceId}, ${month}, ${units('reserve')}, ${units('settle')}, ${units('release')},
      ${units('refund')}
    from ${from} group by 1, 2, 3 order by 2, 3
    ${addOnConflict(t, [t.allowanceId, t.month], sums)}`;
}

function addOnConflict(table: PgTable, key: readonly PgColumn[], sums: readonly PgColumn[]): SQL {
  const added = sums.map(
    (column) => sql`${sql.identifier(column.name)} = ${table}.${sql.identifier(column.name)} + ${excluded(column)}`,
  );
  return sql`on conflict ${columnList(...key)} do update set ${sql.join(added, sql`, `)}`;
}
