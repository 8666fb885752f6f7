import pg from 'pg';
import { expect, it } from 'vitest';
import { makePartitions } from '../../../../src/shared/db/make-partitions.ts';
import { type PartitionedTable, partitionOf } from '../../../../src/shared/db/partitions.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { dropRetired } from '../../../../src/shared/domain/retention/drop-retired.ts';
import { retirePartition } from '../../../../src/shared/domain/retention/retire-partition.ts';
import { documentRequest, newAccount } from '../../../support/domain/accounts.ts';
import { addMonth } from '../../../support/domain/old-documents.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';

const { db, pool, url } = await useOwnDatabase();
const months = Array.from({ length: 12 }, (_, index) => -16 + index);
const perMonth = 5_000;
const dayMs = 86_400_000;

/** A connection that measures how long each transaction holds a lock on a whole table. */
class MeasuredClient extends pg.Client {
  readonly heldMs: number[] = [];
  private sinceMs: number | undefined;
  override query = (async (text: string, values?: unknown[]) => {
    const result = await super.query(text, values);
    if (/^lock table/.test(text)) this.sinceMs ??= performance.now();
    if (/^(commit|rollback)$/.test(text)) {
      if (this.sinceMs !== undefined) this.heldMs.push(performance.now() - this.sinceMs);
      this.sinceMs = undefined;
    }
    return result;
  }) as unknown as pg.Client['query'];
}

async function fill(client: pg.Client, accountId: string, templateId: string, offset: number): Promise<void> {
  await addMonth(client, offset);
  const { from, endMs } = partitionOf('generations', new Date(), offset);
  const at = new Date(endMs - 15 * dayMs);
  await client.query(
    `insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
        is_kept, status, data_checksum, accepted_at, finished_at, pages, result_bytes)
      select $1 || lpad(n::text, 16, '0'), $2, $3, 1, 'k', 'c', 'pdf', 'f', false, case n when 1 then 'queued' else 'succeeded' end, 'c',
        $4, $4, 1, 10 from generate_series(1, ${perMonth}) n`,
    [from, accountId, templateId, at],
  );
  await client.query(
    `insert into ledger (account_id, generation_id, allowance_id, kind, units, created_at)
      select $2, id, 'alw_1', kind, 1, $3 from generations, unnest('{reserve,settle}'::text[]) kind where id like $1`,
    [`${from}%`, accountId, at],
  );
}

it('twelve months are dropped with locks of less than a second, while documents are accepted', {
  timeout: 240_000,
}, async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 1_000_000 });
  const client = new MeasuredClient({ connectionString: url });
  await client.connect();
  try {
    for (const offset of months) await fill(client, accountId, templateId, offset);
    await client.query('analyze');
    client.heldMs.length = 0;
    let isDone = false;
    let accepted = 0;
    const accepting = (async () => {
      for (; !isDone; accepted++) await acceptGeneration(db, accountId, documentRequest(templateId));
    })();
    const cutoff = new Date(Date.now() - 92 * dayMs);
    const tables: readonly PartitionedTable[] = ['generations', 'deliveries', 'ledger'];
    for (const table of tables) {
      for (const offset of months) {
        const partition = partitionOf(table, new Date(), offset);
        let outcome = 'busy';
        for (let attempt = 0; outcome === 'busy' && attempt < 50; attempt++) {
          outcome = await retirePartition(client, partition, cutoff);
        }
        expect(outcome).toBe('retired');
      }
    }
    const heldMs = [...client.heldMs];
    for (let attempt = 0; attempt < 50; attempt++) await dropRetired(client);
    isDone = true;
    await accepting;
    expect(accepted).toBeGreaterThan(10);
    // The lower quartile, because a busy machine stops any process for a while.
    const typicalMs = heldMs.toSorted((a, b) => a - b)[Math.floor(heldMs.length / 4)] ?? 0;
    expect(heldMs.length).toBeGreaterThanOrEqual(tables.length * months.length);
    expect(typicalMs * heldMs.length).toBeLessThan(1_000);
    const left = await pool.query(
      `select (select count(*)::int from generations_rest) as documents, (select count(*)::int from ledger_rest) as entries,
        (select sum(documents)::int from document_months) as totalled, (select sum(settled)::int from ledger_months) as settled,
        (select count(*)::int from retired_partitions) as retired`,
    );
    expect(left.rows).toEqual([
      {
        documents: 12,
        entries: 24,
        totalled: 12 * (perMonth - 1),
        settled: 12 * (perMonth - 1),
        retired: 0,
      },
    ]);
    expect(await makePartitions(client)).toEqual([]);
  } finally {
    await client.end();
  }
});
