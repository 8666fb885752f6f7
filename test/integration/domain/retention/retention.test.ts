import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePartitions } from '../../../../src/shared/db/make-partitions.ts';
import { listPartitions, type PartitionedTable, partitionOf } from '../../../../src/shared/db/partitions.ts';
import { beginDeletion, deleteRows, endDeletion } from '../../../../src/shared/domain/accounts/delete-account.ts';
import { findBatch } from '../../../../src/shared/domain/batches/find-batches.ts';
import { putDictionary } from '../../../../src/shared/domain/dictionaries/put-dictionary.ts';
import { cancelDocument, failDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { findDocument, findOwnDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import { succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { dropRetired } from '../../../../src/shared/domain/retention/drop-retired.ts';
import { retirePartition } from '../../../../src/shared/domain/retention/retire-partition.ts';
import { readUsage } from '../../../../src/shared/domain/usage/read-usage.ts';
import { startRun } from '../../../../src/worker/job-run.ts';
import { keepPartitions } from '../../../../src/worker/maintenance/keep-partitions.ts';
import { processMaintenance } from '../../../../src/worker/processors/maintenance.ts';
import {
  claimed,
  finishedDocument,
  internalError,
  newAccount,
  outcomeOf,
  type TestAccount,
  together,
} from '../../../support/domain/accounts.ts';
import { newBatch } from '../../../support/domain/batches.ts';
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
const cutoff = () => new Date(Date.now() - 92 * dayMs);
const short = { RETENTION_DOCUMENTS_DAYS: '92', RETENTION_DELIVERIES_DAYS: '92' };
const keepAll = { ...short, RETENTION_LEDGER_DAYS: '0' };
const keepLittle = { ...short, RETENTION_LEDGER_DAYS: '92' };
const run = async (settings: Record<string, string>): Promise<void> =>
  keepPartitions(await newWorkerDeps(db, url, settings));

const hasMonth = async (table: PartitionedTable, offset: number): Promise<boolean> =>
  (await listPartitions(client, table)).some(({ month }) => month === monthName(offset));

const query = async (text: string, ...values: readonly unknown[]) => (await pool.query(text, [...values])).rows;

/** Everything that an account can request about its past. */
async function books({ accountId }: TestAccount, offset: number) {
  const { endMs } = partitionOf('generations', new Date(), offset);
  const period = { from: new Date(endMs - 40 * dayMs), to: new Date(endMs + dayMs) };
  const by = async (groupBy: 'day' | 'template' | 'key') => readUsage(db, { accountId, ...period, groupBy, limit: 50 });
  return {
    usage: [await by('day'), await by('template'), await by('key')],
    quotas: await readQuotas(db, accountId),
    allowances: await query('select * from allowances where account_id = $1 order by id', accountId),
  };
}

const totals = (table: 'document_months' | 'ledger_months', { accountId }: TestAccount) =>
  query(`select *, month::text as month from ${table} where account_id = $1`, accountId);

const billing = async (): Promise<string[]> => (await violations(pool)).filter((line) => line.startsWith('L1'));

async function monthOf(offset: number, ...made: readonly Ending[]) {
  await addMonth(client, offset);
  const account = await newAccount(db, { docs: 100 });
  const ids: string[] = [];
  for (const ending of made) ids.push(await oldDocument(db, account, offset, ending));
  await query(
    `update deliveries set status = 'sent', finished_at = created_at where account_id = $1`,
    account.accountId,
  );
  return { account, ids };
}

describe('a month past its retention', () => {
  it('is dropped, and usage, quotas and totals balance', async () => {
    const endings = ['succeeded', 'succeeded', 'failed', 'cancelled', 'refunded', 'test', 'mailed'] as const;
    const { account, ids } = await monthOf(-5, ...endings);
    const other = await newAccount(db, { docs: 3 });
    await oldDocument(db, other, -5, 'succeeded');
    const before = await books(account, -5);
    expect(before.usage[0]?.totals).toEqual({ documents: 3, pages: 9, bytes: 3 * 2_048, failures: 1, cancelled: 1 });
    await run(keepAll);
    expect(await hasMonth('generations', -5)).toBe(false);
    expect(await hasMonth('deliveries', -5)).toBe(false);
    expect(await hasMonth('ledger', -5)).toBe(true);
    for (const id of ids)
      await expect(findOwnDocument(db, account.accountId, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await books(account, -5)).toEqual(before);
    const made = { documents: '3', pages: '9', bytes: '6144' };
    const others = { failures: '1', cancelled: '1', refunded: '1', tests: '1' };
    expect(await totals('document_months', account)).toMatchObject([{ month: monthName(-5), ...made, ...others }]);
    expect(await totals('document_months', other)).toMatchObject([{ documents: '1', pages: '3' }]);
    expect(await totals('ledger_months', account)).toEqual([]);
    await run(keepLittle);
    expect(await hasMonth('ledger', -5)).toBe(false);
    expect(await books(account, -5)).toEqual(before);
    expect(await totals('ledger_months', account)).toMatchObject([
      { month: monthName(-5), reserved: '6', settled: '4', released: '2', refunded: '1' },
    ]);
    expect(await billing()).toEqual([]);
    expect(await query('select 1 from ledger_rest union all select 1 from generations_rest')).toEqual([]);
  });

  it('still counts in the usage of an account that had never requested it', async () => {
    const { account } = await monthOf(-6, 'succeeded', 'failed');
    await run(keepLittle);
    expect((await books(account, -6)).usage[0]?.totals).toMatchObject({ documents: 1, pages: 3, failures: 1 });
  });

  it('is kept forever with 0, and otherwise until its retention ends', async () => {
    await monthOf(-7, 'succeeded');
    await run({ RETENTION_DOCUMENTS_DAYS: '0', RETENTION_DELIVERIES_DAYS: '0', RETENTION_LEDGER_DAYS: '1' });
    expect(await hasMonth('generations', -7)).toBe(true);
    expect(await hasMonth('ledger', -7)).toBe(true);
    await run({ RETENTION_DOCUMENTS_DAYS: '400', RETENTION_DELIVERIES_DAYS: '400', RETENTION_LEDGER_DAYS: '1' });
    expect(await hasMonth('generations', -7)).toBe(true);
    await run(keepLittle);
    expect(await hasMonth('generations', -7)).toBe(false);
  });

  it('is totalled once when several workers drop it', async () => {
    const { account } = await monthOf(-8, 'succeeded', 'failed', 'succeeded');
    const deps = await newWorkerDeps(db, url, keepLittle);
    await together(4, () => keepPartitions(deps).catch(() => undefined));
    await run(keepLittle);
    expect(await hasMonth('generations', -8)).toBe(false);
    expect(await totals('document_months', account)).toMatchObject([{ documents: '2', failures: '1' }]);
    expect(await totals('ledger_months', account)).toMatchObject([{ reserved: '3', settled: '2', released: '1' }]);
    expect(await billing()).toEqual([]);
  });
});

describe('work that has not ended', () => {
  it('stays available while its month is dropped, and ends like any other', async () => {
    const { account, ids } = await monthOf(-5, 'queued', 'running', 'kept', 'succeeded', 'mailed');
    const [queued = '', running = '', kept = '', done = '', mailed = ''] = ids;
    await query(`update deliveries set status = 'pending', finished_at = null where generation_id = $1`, mailed);
    const [{ attemptToken }] = await query(
      'select attempt_token as "attemptToken" from generations where id = $1',
      running,
    );
    await run(keepLittle);
    expect(await hasMonth('generations', -5)).toBe(false);
    for (const id of [queued, running, kept, mailed]) expect(await findDocument(db, id)).toMatchObject({ id });
    expect(await findDocument(db, done)).toBeUndefined();
    expect(await query('select 1 from deliveries where generation_id = $1', mailed)).toHaveLength(1);
    expect(await billing()).toEqual([]);
    const claim = await claimed(db, queued);
    expect(await succeedDocument(db, claim, finishedDocument(claim))).toBe(true);
    expect(await failDocument(db, { id: running, attemptToken }, internalError)).toBe(true);
    expect(await billing()).toEqual([]);
    const entries = await query('select kind from ledger where generation_id = any($1) order by kind', [
      queued,
      running,
    ]);
    expect(entries.map(({ kind }) => kind)).toEqual(['release', 'reserve', 'reserve', 'settle']);
    await endAll(account, -5);
    for (let time = 0; time < 2; time++) await run(keepLittle);
    for (const id of ids) expect(await findDocument(db, id)).toBeUndefined();
    expect(await totals('document_months', account)).toMatchObject([{ documents: '4', failures: '1' }]);
    expect(await totals('ledger_months', account)).toMatchObject([{ reserved: '5', settled: '4', released: '1' }]);
    expect(await billing()).toEqual([]);
  });

  /** Ends everything that is left, as of long ago. */
  async function endAll({ accountId }: TestAccount, offset: number): Promise<void> {
    const at = new Date(partitionOf('generations', new Date(), offset).endMs - 15 * dayMs);
    await query(`update generations set result_store = null, finished_at = $2 where account_id = $1`, accountId, at);
    await query(`update deliveries set status = 'sent', finished_at = $2 where account_id = $1`, accountId, at);
    await query(`update ledger set created_at = $2 where account_id = $1`, accountId, at);
  }

  it('of one account does not delay other accounts, however much there is', async () => {
    const { account: other } = await monthOf(-9, 'succeeded', 'failed');
    const greedy = await newAccount(db, { docs: 10 });
    const { from, endMs } = partitionOf('generations', new Date(), -9);
    await query(
      `insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format,
          filename, is_kept, status, data_checksum, accepted_at, finished_at, result_store, result_key, is_test)
        select $1 || lpad(n::text, 16, '0'), $2, $3, 1, 'k', 'c', 'pdf', 'f', true, 'succeeded', 'c', $4, $4, 'object', 'k', true
        from generate_series(1, 6000) n`,
      from,
      greedy.accountId,
      greedy.templateId,
      new Date(endMs - 20 * dayMs),
    );
    for (let time = 0; time < 2; time++) await run(keepLittle);
    expect(await hasMonth('generations', -9)).toBe(true);
    expect(await totals('document_months', other)).toMatchObject([{ documents: '1', failures: '1' }]);
    expect(await query('select 1 from generations where account_id = $1', greedy.accountId)).toHaveLength(6_000);
    await query('update generations set result_store = null where account_id = $1', greedy.accountId);
    await run(keepLittle);
    expect(await hasMonth('generations', -9)).toBe(false);
    expect(await totals('document_months', greedy)).toMatchObject([{ documents: '0', tests: '6000' }]);
    expect(await totals('document_months', other)).toMatchObject([{ documents: '1', failures: '1' }]);
  });

  it('includes what a process with a wrong clock has just written', async () => {
    const { account, ids } = await monthOf(-5, 'succeeded', 'succeeded');
    const [late = ''] = ids;
    await query('update generations set accepted_at = now(), finished_at = now() where id = $1', late);
    await run(keepLittle);
    expect(await findDocument(db, late)).toMatchObject({ id: late });
    expect(await totals('document_months', account)).toMatchObject([{ documents: '1' }]);
  });
});

describe('a process that dies', () => {
  it('before a retired month is dropped leaves it to the next run', async () => {
    const { account, ids } = await monthOf(-10, 'succeeded', 'queued');
    const partition = partitionOf('generations', new Date(), -10);
    expect(await retirePartition(client, partition, cutoff())).toBe('retired');
    expect(await findDocument(db, ids[1] ?? '')).toMatchObject({ status: 'queued' });
    expect(await totals('document_months', account)).toEqual([]);
    expect(await retirePartition(client, partition, cutoff())).toBe('gone');
    expect(await dropRetired(client)).toEqual([partition.name]);
    expect(await dropRetired(client)).toEqual([]);
    expect(await totals('document_months', account)).toMatchObject([{ documents: '1' }]);
    await run(keepLittle);
  });

  it.each([
    ['document_months', -11, /insert into "document_months"/],
    ['retired_partitions', -12, /delete from "retired_partitions"/],
  ])('while %s is written totals nothing twice', async (_table, offset, lastStatement) => {
    const { account } = await monthOf(offset, 'succeeded', 'succeeded');
    await retirePartition(client, partitionOf('generations', new Date(), offset), cutoff());
    const doomed = new pg.Client({ connectionString: url });
    doomed.on('error', () => undefined);
    await doomed.connect();
    const send = doomed.query.bind(doomed);
    doomed.query = (async (text: string, values?: unknown[]) => {
      const result = await send(text, values);
      if (lastStatement.test(text)) {
        const [process] = (await send<{ pid: number }>('select pg_backend_pid() as pid')).rows;
        // Waits for the end of the process: until then it holds its locks.
        await query('select pg_terminate_backend($1, 60000)', process?.pid);
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

/** A connection that counts the rows of a month that are read one after the other while its whole table is locked. */
class WatchedClient extends pg.Client {
  readonly rowsReadUnderLock: number[] = [];
  private before: number | undefined;
  override query = (async (text: string, values?: unknown[]) => {
    if (text === 'commit' && this.before !== undefined) {
      this.rowsReadUnderLock.push((await this.rowsRead()) - this.before);
      this.before = undefined;
    }
    const result = await super.query(text, values);
    if (/^lock table/.test(text)) this.before = await this.rowsRead();
    return result;
  }) as unknown as pg.Client['query'];

  private async rowsRead(): Promise<number> {
    const { rows } = await super.query<{ rows: number }>(
      `select coalesce(sum(seq_tup_read), 0)::int as rows from pg_stat_xact_user_tables
        where relname ~ '^(generations|deliveries|ledger)_2'`,
    );
    return rows[0]?.rows ?? 0;
  }
}

it('months are detached without reading their rows under a lock, while documents are accepted', async () => {
  const offsets = [-13, -14];
  const made = Array<Ending>(20).fill('succeeded');
  const months = [await monthOf(-13, ...made, 'queued'), await monthOf(-14, ...made, 'queued')];
  await query('analyze');
  const account = await newAccount(db, { docs: 1_000_000 });
  const watched = new WatchedClient({ connectionString: url });
  await watched.connect();
  let isDone = false;
  try {
    const accepting = (async () => {
      while (!isDone) await account.accept();
    })();
    for (const table of ['generations', 'deliveries', 'ledger'] as const)
      for (const offset of offsets) {
        let outcome: string;
        do outcome = await retirePartition(watched, partitionOf(table, new Date(), offset), cutoff());
        while (outcome === 'busy');
        expect(outcome).toBe('retired');
      }
    while ((await query('select 1 from retired_partitions')).length > 0) await dropRetired(watched);
    isDone = true;
    await accepting;
    expect(await account.docsLeft()).toBeLessThan(1_000_000);
    expect(watched.rowsReadUnderLock.length).toBeGreaterThanOrEqual(3 * offsets.length);
    expect(watched.rowsReadUnderLock.filter((rows) => rows > 0)).toEqual([]);
  } finally {
    isDone = true;
    await watched.end();
  }
  for (const { account: one, ids } of months) {
    expect(await findDocument(db, ids.at(-1) ?? '')).toMatchObject({ status: 'queued' });
    expect(await totals('document_months', one)).toMatchObject([{ documents: '20' }]);
    expect(await totals('ledger_months', one)).toMatchObject([{ reserved: '20', settled: '20' }]);
  }
  expect(await query('select 1 from retired_partitions')).toEqual([]);
  expect(await makePartitions(client)).toEqual([]);
  expect(await billing()).toEqual([]);
});

describe('the retention of other rows', () => {
  /** A batch whose id and times are 100 days old. */
  async function oldBatch(status: string, changes = ''): Promise<{ accountId: string; batchId: string }> {
    const account = await newAccount(db, { docs: 100 });
    const { batchId } = await newBatch(db, { put: async () => undefined }, account, { rows: [{}, {}, {}] });
    const id = `bat_01a${batchId.slice(7)}`;
    await query(
      `insert into batches select $2, account_id, template_id, template_version, format, bundle, bundle_name, $3, rows,
          max_failures, callback_url, trace, email_body, input_key, input_bytes, error, bundle_token, bundle_attempts, files,
          now() - interval '100 days', started_at, now() - interval '99 days', null from batches where id = $1`,
      batchId,
      id,
      status,
    );
    await query('update batch_rows set batch_id = $2 where batch_id = $1', batchId, id);
    await query('delete from batches where id = $1', batchId);
    if (changes !== '') await query(`update batches set ${changes} where id = $1`, id);
    return { accountId: account.accountId, batchId: id };
  }

  it('removes old batches with their rows, and no others', async () => {
    const old = [await oldBatch('completed'), await oldBatch('failed'), await oldBatch('cancelled')];
    const kept = [
      await oldBatch('running', 'finished_at = null'),
      await oldBatch('completed', 'finished_at = now()'),
      await oldBatch('completed', `expires_at = now() + interval '1 day'`),
    ];
    const deps = await newWorkerDeps(db, url, { RETENTION_DOCUMENTS_DAYS: '92' });
    await together(3, () => processMaintenance(deps, startRun(deps), { task: 'retention' }));
    for (const [batches, outcome, rows] of [
      [old, 'not_found', 0],
      [kept, 'ok', 3],
    ] as const)
      for (const { accountId, batchId } of batches) {
        expect(await outcomeOf(findBatch(db, accountId, batchId))).toBe(outcome);
        expect(await query('select 1 from batch_rows where batch_id = $1', batchId)).toHaveLength(rows);
      }
  });

  it('removes old usage by day', async () => {
    const { accountId } = await newAccount(db, { docs: 1 });
    await query(
      `insert into usage_days select $1, now()::date - d, '', '', 1, 1, 1, 0, 0 from unnest(array[5, 1099, 1101, 2000]) d`,
      accountId,
    );
    const deps = await newWorkerDeps(db, url);
    await processMaintenance(deps, startRun(deps), { task: 'retention' });
    const left = await query(
      'select now()::date - day as age from usage_days where account_id = $1 order by 1',
      accountId,
    );
    expect(left).toEqual([{ age: 5 }, { age: 1_099 }]);
  });
});

it('deleting an account requires its name, ends its quota and leaves totals that balance; it can be repeated', async () => {
  const [gone, other] = [await newAccount(db, { docs: 100 }), await newAccount(db, { docs: 100 })];
  for (const account of [gone, other]) {
    for (let index = 0; index < 3; index++) await account.produce();
    await cancelDocument(db, account.accountId, await account.accept());
  }
  const { accountId } = gone;
  expect(await outcomeOf(beginDeletion(db, accountId, 'another'))).toBe('conflict');
  await putDictionary(db, { accountId, words: { de: { total: 'Summe' } } });
  await beginDeletion(db, accountId, 'test');
  expect(await outcomeOf(gone.accept())).toBe('quota_exceeded');
  expect(await endDeletion(db, accountId)).toBe(false);
  for (let time = 0; time < 2; time++) {
    await deleteRows(db, accountId);
    expect(await endDeletion(db, accountId)).toBe(true);
    await beginDeletion(db, accountId, 'test');
  }
  const made = { documents: '3', cancelled: '1', bytes: `${3 * 2_048}` };
  expect(await totals('document_months', gone)).toMatchObject([made]);
  const units = { reserved: '4', settled: '3', released: '1', refunded: '0' };
  expect(await totals('ledger_months', gone)).toMatchObject([units]);
  for (const table of ['generations', 'ledger', 'templates', 'dictionaries', 'allowances', 'api_keys'])
    expect(await query(`select 1 from ${table} where account_id = $1`, accountId), table).toEqual([]);
  expect(await query('select 1 from generations where account_id = $1', other.accountId)).toHaveLength(4);
  expect(await query('select name from accounts where id = $1', accountId)).toEqual([{ name: 'deleted account' }]);
});
