import type pg from 'pg';
import { partitionOf } from '../../../src/shared/db/partitions.ts';
import { lowestId } from '../../../src/shared/ids.ts';

const prefixesPerMonth = 1_000;

/**
 * Inserts documents of past months, each with its reservation and its settlement in the ledger, into partitions of
 * their own. A partition is filled before it is attached, so that its indexes are built at once.
 */
export async function fillHistory(pool: pg.Pool, accountId: string, documents: number, months: number): Promise<void> {
  for (let offset = -months; offset < 0; offset++) {
    const generations = partitionOf('generations', new Date(), offset);
    const ledger = partitionOf('ledger', new Date(), offset);
    const startMs = Date.parse(generations.month);
    const stepMs = (generations.endMs - startMs) / prefixesPerMonth;
    const times = Array.from({ length: prefixesPerMonth }, (_, index) => Math.floor(startMs + index * stepMs));
    const prefixes = times.map((ms) => lowestId('doc', ms));
    await pool.query(`create table ${generations.name} (like generations including defaults including constraints)`);
    await pool.query(
      `insert into ${generations.name} (id, account_id, template_id, template_version, template_object_key, template_checksum,
          format, filename, status, attempts, data_checksum, accepted_at, started_at, finished_at, pages, result_bytes)
        select prefix || substr(md5(prefix || i), 1, 16), $1, 'tpl_history_' || i % 50, 1, 'templates/history', md5('t'),
          case when i % 3 = 0 then 'pdf' else 'docx' end, 'history.docx', 'succeeded', 1, md5(i::text), at, at, at, 1, 20000
        from (select prefix, to_timestamp(ms / 1000.0) as at from unnest($2::text[], $3::bigint[]) u(prefix, ms)) times
          cross join generate_series(1, $4::int) i`,
      [accountId, prefixes, times, Math.ceil(documents / months / prefixesPerMonth)],
    );
    await pool.query(`create table ${ledger.name} (like ledger including defaults including constraints)`);
    await pool.query(
      `insert into ${ledger.name} (account_id, generation_id, allowance_id, kind, units, created_at)
        select account_id, id, 'alw_history', kind, 1, accepted_at
        from ${generations.name} cross join unnest(array['reserve', 'settle']) kind`,
    );
    for (const { table, name, from, to } of [generations, ledger]) {
      await pool.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`);
    }
  }
  await pool.query('analyze generations');
  await pool.query('analyze ledger');
}
