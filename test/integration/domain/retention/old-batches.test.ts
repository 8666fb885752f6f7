import { expect, it } from 'vitest';
import { findBatch } from '../../../../src/shared/domain/batches/find-batches.ts';
import { processMaintenance } from '../../../../src/worker/processors/maintenance.ts';
import { newAccount, together } from '../../../support/domain/accounts.ts';
import { newBatch } from '../../../support/domain/batches.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();

/** A batch whose id and times are 100 days old. */
async function oldBatch(status: string, changes = ''): Promise<{ accountId: string; batchId: string }> {
  const deps = await newWorkerDeps(db, url);
  const account = await newAccount(db, { docs: 100 });
  const { batchId } = await newBatch(db, deps.objects, account, { rows: [{}, {}, {}] });
  const id = `bat_01a${batchId.slice(7)}`;
  await pool.query(
    `with renamed as (insert into batches select $2, account_id, template_id, template_version, format, bundle, bundle_name, $3, rows,
        max_failures, callback_url, trace, email_body, input_key, input_bytes, error, bundle_token, bundle_attempts, files,
        now() - interval '100 days', started_at, now() - interval '99 days', null from batches where id = $1)
      select 1`,
    [batchId, id, status],
  );
  await pool.query('update batch_rows set batch_id = $2 where batch_id = $1', [batchId, id]);
  await pool.query('delete from batches where id = $1', [batchId]);
  if (changes !== '') await pool.query(`update batches set ${changes} where id = $1`, [id]);
  return { accountId: account.accountId, batchId: id };
}

const rowsOf = async (batchId: string): Promise<number> =>
  (await pool.query('select 1 from batch_rows where batch_id = $1', [batchId])).rowCount ?? 0;

it('batches behind their retention are removed with their rows, and no others', async () => {
  const old = [await oldBatch('completed'), await oldBatch('failed'), await oldBatch('cancelled')];
  const kept = [
    await oldBatch('running', 'finished_at = null'),
    await oldBatch('completed', 'finished_at = now()'),
    await oldBatch('completed', `expires_at = now() + interval '1 day'`),
  ];
  const deps = await newWorkerDeps(db, url, { RETENTION_DOCUMENTS_DAYS: '92' });
  await together(3, () => processMaintenance(deps, { task: 'retention' }));
  for (const { accountId, batchId } of old) {
    await expect(findBatch(db, accountId, batchId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await rowsOf(batchId)).toBe(0);
  }
  for (const { accountId, batchId } of kept) {
    expect(await findBatch(db, accountId, batchId)).toMatchObject({ id: batchId });
    expect(await rowsOf(batchId)).toBe(3);
  }
});

it('usage by day is removed behind its retention', async () => {
  const { accountId } = await newAccount(db, { docs: 1 });
  await pool.query(
    `insert into usage_days select $1, now()::date - d, '', '', 1, 1, 1, 0, 0 from unnest(array[5, 1099, 1101, 2000]) d`,
    [accountId],
  );
  await processMaintenance(await newWorkerDeps(db, url), { task: 'retention' });
  const { rows } = await pool.query(
    'select now()::date - day as age from usage_days where account_id = $1 order by 1',
    [accountId],
  );
  expect(rows).toEqual([{ age: 5 }, { age: 1_099 }]);
});
