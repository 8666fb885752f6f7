import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePartitions } from '../../../../src/shared/db/make-partitions.ts';
import { listPartitions, partitionOf } from '../../../../src/shared/db/partitions.ts';
import { findDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import { newId } from '../../../../src/shared/ids.ts';
import { type NewAccount, newAccount } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';

const { db, pool, url } = await useOwnDatabase();
const client = new pg.Client({ connectionString: url });
client.on('error', () => undefined);
beforeAll(() => client.connect());
afterAll(() => client.end());
let account: NewAccount;
beforeEach(async () => {
  account = await newAccount(db, { docs: 50 });
  await makePartitions(client);
});

const tables = ['generations', 'ledger', 'deliveries'] as const;
const next = (table: (typeof tables)[number], offset: number) => partitionOf(table, new Date(), offset);

const accept = (atMs: number): Promise<string> => account.accept({ id: newId('doc', atMs) });

const placeOf = async (table: 'generations' | 'ledger', key: string, id: string): Promise<string | undefined> =>
  (await pool.query<{ name: string }>(`select tableoid::regclass::text as name from ${table} where ${key} = $1`, [id]))
    .rows[0]?.name;

/** Puts a document of a coming month into the default partition, as if none had been created for a long time. */
async function skipMonth(offset: number): Promise<string> {
  for (const table of tables) {
    await client.query(`drop table if exists ${next(table, offset).name}`);
  }
  return accept(next('generations', offset).endMs - 86_400_000);
}

describe('partitions', () => {
  it('exist for this month and the next three after a migration', async () => {
    for (const table of tables) {
      const names = (await listPartitions(client, table)).map(({ name }) => name);
      expect(names).toEqual([0, 1, 2, 3].map((offset) => next(table, offset).name));
    }
    expect(await makePartitions(client)).toEqual([]);
  });

  it('hold a document and its ledger entries in the month in which its id was created', async () => {
    const id = await accept(Date.now());
    expect(await placeOf('generations', 'id', id)).toBe(next('generations', 0).name);
    expect(await placeOf('ledger', 'generation_id', id)).toBe(next('ledger', 0).name);
  });

  it.each([
    ['years behind', Date.UTC(2019, 1)],
    ['years ahead', Date.UTC(2090, 1)],
  ])('a process whose clock is %s loses no document', async (_case, atMs) => {
    const id = await accept(atMs);
    expect(await placeOf('generations', 'id', id)).toBe('generations_rest');
    expect(await findDocument(db, id)).toMatchObject({ id, status: 'queued' });
  });

  it('are not created for a month that already has rows in the default partition; its documents stay available', async () => {
    const id = await skipMonth(2);
    expect(await makePartitions(client)).toEqual([next('generations', 2).name, next('ledger', 2).name]);
    expect(await findDocument(db, id)).toMatchObject({ id });
    await client.query('delete from generations_rest where id = $1', [id]);
    await client.query('delete from ledger_rest where generation_id = $1', [id]);
    expect(await makePartitions(client)).toEqual([]);
  });

  it('are created beside a large default partition without reading it while statements wait', async () => {
    for (const table of tables) {
      await client.query(`drop table ${next(table, 3).name}`);
    }
    const old = partitionOf('ledger', new Date(Date.UTC(2020, 1))).from;
    await client.query(
      `insert into ledger (account_id, generation_id, allowance_id, kind, units)
        select $1, $2 || lpad(n::text, 16, '0'), 'alw_1', 'reserve', 1 from generate_series(1, 60000) n`,
      [account.accountId, old],
    );
    const notices: string[] = [];
    client.on('notice', ({ message = '' }) => notices.push(message));
    await client.query(`set client_min_messages = 'debug1'`);
    expect(await makePartitions(client)).toEqual([]);
    await client.query('reset client_min_messages');
    expect(notices.filter((notice) => notice.includes('ledger_rest" is implied by existing constraints'))).toHaveLength(
      1,
    );
    const left = await client.query(`select 1 from pg_constraint where conname like '%is_elsewhere'`);
    expect(left.rowCount).toBe(0);
    await client.query('delete from ledger_rest where generation_id like $1', [`${old}%`]);
  });

  it('let other statements run while their creation waits for a lock, and are created later', async () => {
    await client.query(`drop table ${next('deliveries', 3).name}`);
    const reader = await pool.connect();
    try {
      await reader.query('begin; select count(*) from deliveries');
      const making = makePartitions(client);
      // Ends although the lock stays held.
      await pool.query('select count(*) from deliveries');
      expect(await making).toEqual([next('deliveries', 3).name]);
    } finally {
      await reader.query('rollback');
      reader.release();
    }
    expect(await makePartitions(client)).toEqual([]);
  });
});

it.each([
  ['reserve', 'reserve'],
  ['settle', 'settle'],
  ['settle', 'release'],
  ['refund', 'refund'],
])('the database refuses a %s and a %s of one document', async (first, second) => {
  const id = newId('doc');
  const add = (kind: string) =>
    pool.query(
      `insert into ledger (account_id, generation_id, allowance_id, kind, units) values ($1, $2, 'alw_1', $3, 1)`,
      [account.accountId, id, kind],
    );
  await add(first);
  await expect(add(second)).rejects.toMatchObject({ code: '23505' });
  await pool.query('delete from ledger where generation_id = $1', [id]);
});
