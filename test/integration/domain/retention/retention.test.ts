import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPartitions, type PartitionedTable, partitionOf } from '../../../../src/shared/db/partitions.ts';
import { failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { findGeneration, findOwnGeneration } from '../../../../src/shared/domain/generations/find-generations.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { dropRetired } from '../../../../src/shared/domain/retention/drop-retired.ts';
import { retirePartition } from '../../../../src/shared/domain/retention/retire-partition.ts';
import { readUsage } from '../../../../src/shared/domain/usage/read-usage.ts';
import { keepPartitions } from '../../../../src/worker/maintenance/keep-partitions.ts';
import { claimed, finishedDocument, newAccount, type TestAccount, together } from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { addMonth, type Ending, monthName, oldDocument } from '../../../support/domain/old-documents.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();
const client = new pg.Client({ connectionString: url });
client.on('error', () => undefined);
beforeAll(() => client.connect());
afterAll(() => client.end());

const dayMs = 86_400_000;
const short = { RETENTION_DOCUMENTS_DAYS: '92', RETENTION_DELIVERIES_DAYS: '92' };
const keepAll = { ...short, RETENTION_LEDGER_DAYS: '0' };
const keepLittle = { ...short, RETENTION_LEDGER_DAYS: '92' };
const run = async (settings: Record<string, string>): Promise<void> =>
  keepPartitions(await newWorkerDeps(db, url, settings));

const hasMonth = async (table: PartitionedTable, offset: number): Promise<boolean> =>
  (await listPartitions(client, table)).some(({ month }) => month === monthName(offset));

/** Everything that an account can ask about its past. */
async function books({ accountId }: TestAccount, offset: number) {
  const { endMs } = partitionOf('generations', new Date(), offset);
  const period = { from: new Date(endMs - 40 * dayMs), to: new Date(endMs + dayMs) };
  const by = async (groupBy: 'day' | 'template' | 'key') => readUsage(db, { accountId, ...period, groupBy, limit: 50 });
  const allowances = await pool.query('select * from allowances where account_id = $1 order by id', [accountId]);
  return {
    usage: [await by('day'), await by('template'), await by('key')],
    quotas: await readQuotas(db, accountId),
    allowances: allowances.rows,
  };
}

async function totals(table: 'document_months' | 'ledger_months', { accountId }: TestAccount) {
  return (await pool.query(`select *, month::text as month from ${table} where account_id = $1`, [accountId])).rows;
}

const billing = async (): Promise<string[]> => (await violations(pool)).filter((line) => line.startsWith('L1'));

const endings: readonly Ending[] = ['succeeded', 'succeeded', 'failed', 'cancelled', 'refunded', 'test', 'mailed'];

async function monthOf(
  offset: number,
  made: readonly Ending[],
): Promise<{ account: TestAccount; ids: readonly string[] }> {
  await addMonth(client, offset);
  const account = await newAccount(db, { docs: 100 });
  const ids: string[] = [];
  for (const ending of made) ids.push(await oldDocument(db, account, offset, ending));
  await pool.query(`update deliveries set status = 'sent', finished_at = created_at where account_id = $1`, [
    account.accountId,
  ]);
  return { account, ids };
}

describe('a month behind its retention', () => {
  it('is dropped, and usage, quotas and totals balance', async () => {
    const { account, ids } = await monthOf(-5, endings);
    const other = await newAccount(db, { docs: 3 });
    await oldDocument(db, other, -5, 'succeeded');
    const before = await books(account, -5);
    expect(before.usage[0]?.totals).toEqual({ documents: 3, pages: 9, bytes: 3 * 2_048, failures: 1, cancelled: 1 });
    await run(keepAll);
    expect(await hasMonth('generations', -5)).toBe(false);
    expect(await hasMonth('deliveries', -5)).toBe(false);
    expect(await hasMonth('ledger', -5)).toBe(true);
    for (const id of ids)
      await expect(findOwnGeneration(db, account.accountId, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await books(account, -5)).toEqual(before);
    expect(await totals('document_months', account)).toMatchObject([
      ...[
        {
          month: monthName(-5),
          documents: '3',
          pages: '9',
          bytes: '6144',
          failures: '1',
          cancelled: '1',
          refunded: '1',
          tests: '1',
        },
      ],
    ]);
    expect(await totals('document_months', other)).toMatchObject([{ documents: '1', pages: '3' }]);
    expect(await totals('ledger_months', account)).toEqual([]);
    await run(keepLittle);
    expect(await hasMonth('ledger', -5)).toBe(false);
    expect(await books(account, -5)).toEqual(before);
    expect(await totals('ledger_months', account)).toMatchObject([
      { month: monthName(-5), reserved: '6', settled: '4', released: '2', refunded: '1' },
    ]);
    expect(await billing()).toEqual([]);
    expect((await pool.query(`select 1 from ledger_rest union all select 1 from generations_rest`)).rows).toEqual([]);
  });

  it('gives usage of an account that has never asked for it', async () => {
    const { account } = await monthOf(-6, ['succeeded', 'failed']);
    await run(keepLittle);
    expect((await books(account, -6)).usage[0]?.totals).toMatchObject({ documents: 1, pages: 3, failures: 1 });
  });

  it('is kept for ever with 0, and while its time is not over', async () => {
    await monthOf(-7, ['succeeded']);
    await run({ RETENTION_DOCUMENTS_DAYS: '0', RETENTION_DELIVERIES_DAYS: '0', RETENTION_LEDGER_DAYS: '1' });
    expect(await hasMonth('generations', -7)).toBe(true);
    expect(await hasMonth('ledger', -7)).toBe(true);
    await run({ RETENTION_DOCUMENTS_DAYS: '400', RETENTION_DELIVERIES_DAYS: '400', RETENTION_LEDGER_DAYS: '1' });
    expect(await hasMonth('generations', -7)).toBe(true);
    await run(keepLittle);
    expect(await hasMonth('generations', -7)).toBe(false);
  });

  it('is totalled once when several workers drop it', async () => {
    const { account } = await monthOf(-8, ['succeeded', 'failed', 'succeeded']);
    const deps = await newWorkerDeps(db, url, keepLittle);
    await together(4, () => keepPartitions(deps).catch(() => undefined));
    await run(keepLittle);
    expect(await hasMonth('generations', -8)).toBe(false);
    expect(await totals('document_months', account)).toMatchObject([{ documents: '2', failures: '1' }]);
    expect(await totals('ledger_months', account)).toMatchObject([{ reserved: '3', settled: '2', released: '1' }]);
    expect(await billing()).toEqual([]);
  });
});

describe('what has not ended', () => {
  it('stays available while its month is dropped, and ends as any other', async () => {
    const { account, ids } = await monthOf(-5, ['queued', 'running', 'kept', 'succeeded', 'mailed']);
    const [queued = '', running = '', kept = '', done = '', mailed = ''] = ids;
    await pool.query(`update deliveries set status = 'pending', finished_at = null where generation_id = $1`, [mailed]);
    const token = (await findToken(running)) ?? '';
    await run(keepLittle);
    expect(await hasMonth('generations', -5)).toBe(false);
    for (const id of [queued, running, kept, mailed]) expect(await findGeneration(db, id)).toMatchObject({ id });
    expect(await findGeneration(db, done)).toBeUndefined();
    expect((await pool.query('select 1 from deliveries where generation_id = $1', [mailed])).rowCount).toBe(1);
    expect(await billing()).toEqual([]);
    const claim = await claimed(db, queued);
    expect(await succeedGeneration(db, claim, finishedDocument(claim))).toBe(true);
    expect(await failGeneration(db, { id: running, attemptToken: token }, { code: 'internal', message: 'm' })).toBe(
      true,
    );
    expect(await billing()).toEqual([]);
    const { rows } = await pool.query(
      `select kind, count(*)::int as count from ledger where generation_id = any($1) group by kind order by kind`,
      [[queued, running]],
    );
    expect(rows).toEqual([
      { kind: 'release', count: 1 },
      { kind: 'reserve', count: 2 },
      { kind: 'settle', count: 1 },
    ]);
    await endAll(account, -5);
    await run(keepLittle);
    await run(keepLittle);
    for (const id of ids) expect(await findGeneration(db, id)).toBeUndefined();
    expect(await totals('document_months', account)).toMatchObject([{ documents: '4', failures: '1' }]);
    expect(await totals('ledger_months', account)).toMatchObject([{ reserved: '5', settled: '4', released: '1' }]);
    expect(await billing()).toEqual([]);
  });

  it('of one account does not delay the others, however much it is', { timeout: 120_000 }, async () => {
    const { account: other } = await monthOf(-9, ['succeeded', 'failed']);
    const greedy = await newAccount(db, { docs: 10 });
    const { from, endMs } = partitionOf('generations', new Date(), -9);
    const insert = `insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format,
        filename, is_kept, status, data_checksum, accepted_at, finished_at, result_store, result_key, is_test)
      select $1 || lpad(n::text, 16, '0'), $2, $3, 1, 'k', 'c', 'pdf', 'f', true, 'succeeded', 'c', $4, $4, 'object', 'k', true
      from generate_series(1, 6000) n`;
    await pool.query(insert, [from, greedy.accountId, greedy.templateId, new Date(endMs - 20 * dayMs)]);
    await run(keepLittle);
    await run(keepLittle);
    expect(await hasMonth('generations', -9)).toBe(true);
    expect(await totals('document_months', other)).toMatchObject([{ documents: '1', failures: '1' }]);
    const left = await pool.query('select count(*)::int as count from generations where account_id = $1', [
      greedy.accountId,
    ]);
    expect(left.rows).toEqual([{ count: 6_000 }]);
    await pool.query('update generations set result_store = null where account_id = $1', [greedy.accountId]);
    await run(keepLittle);
    expect(await hasMonth('generations', -9)).toBe(false);
    expect(await totals('document_months', greedy)).toMatchObject([{ documents: '0', tests: '6000' }]);
    expect(await totals('document_months', other)).toMatchObject([{ documents: '1', failures: '1' }]);
  });

  it('includes what a process with a wrong clock has just written', async () => {
    const { account, ids } = await monthOf(-5, ['succeeded', 'succeeded']);
    const [late = ''] = ids;
    await pool.query('update generations set accepted_at = now(), finished_at = now() where id = $1', [late]);
    await run(keepLittle);
    expect(await findGeneration(db, late)).toMatchObject({ id: late });
    expect(await totals('document_months', account)).toMatchObject([{ documents: '1' }]);
  });
});

describe('a process that dies', () => {
  it('before a retired month is dropped leaves it to the next run', async () => {
    const { account, ids } = await monthOf(-10, ['succeeded', 'queued']);
    const partition = partitionOf('generations', new Date(), -10);
    expect(await retirePartition(client, partition, new Date(Date.now() - 92 * dayMs))).toBe('retired');
    expect(await findGeneration(db, ids[1] ?? '')).toMatchObject({ status: 'queued' });
    expect(await totals('document_months', account)).toEqual([]);
    expect(await retirePartition(client, partition, new Date(Date.now() - 92 * dayMs))).toBe('gone');
    expect(await dropRetired(client)).toEqual([partition.name]);
    expect(await dropRetired(client)).toEqual([]);
    expect(await totals('document_months', account)).toMatchObject([{ documents: '1' }]);
    await run(keepLittle);
  });

  it.each([
    ['document_months', -11],
    ['retired_partitions', -12],
  ])('while %s is written totals nothing twice', async (table, offset) => {
    const { account } = await monthOf(offset, ['succeeded', 'succeeded']);
    await retirePartition(client, partitionOf('generations', new Date(), offset), new Date(Date.now() - 92 * dayMs));
    const doomed = new pg.Client({ connectionString: url });
    doomed.on('error', () => undefined);
    await doomed.connect();
    const query = doomed.query.bind(doomed);
    const isReached =
      table === 'document_months' ? /insert into "document_months"/ : /delete from "retired_partitions"/;
    doomed.query = (async (text: string, values?: unknown[]) => {
      const result = await query(text, values);
      if (isReached.test(text)) {
        const [pid] = (await query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
        await pool.query('select pg_terminate_backend($1)', [pid?.pid]);
      }
      return result;
    }) as unknown as typeof doomed.query;
    await expect(dropRetired(doomed)).rejects.toThrow();
    expect(await totals('document_months', account)).toEqual([]);
    expect(await dropRetired(client)).toHaveLength(1);
    expect(await totals('document_months', account)).toMatchObject([{ documents: '2' }]);
    await run(keepLittle);
    expect(await billing()).toEqual([]);
  });
});

async function findToken(id: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ attempt_token: string }>('select attempt_token from generations where id = $1', [
    id,
  ]);
  return rows[0]?.attempt_token;
}

/** Ends what is left, long ago. */
async function endAll({ accountId }: TestAccount, offset: number): Promise<void> {
  const at = new Date(partitionOf('generations', new Date(), offset).endMs - 15 * dayMs);
  await pool.query(`update generations set result_store = null, finished_at = $2 where account_id = $1`, [
    accountId,
    at,
  ]);
  await pool.query(`update deliveries set status = 'sent', finished_at = $2 where account_id = $1`, [accountId, at]);
  await pool.query(`update ledger set created_at = $2 where account_id = $1`, [accountId, at]);
}
