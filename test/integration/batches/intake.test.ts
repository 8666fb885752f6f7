import { expect, it } from 'vitest';
import { acceptBatch } from '../../../src/shared/domain/batches/accept-batch.ts';
import type { RowRequest } from '../../../src/shared/domain/batches/insert-rows.ts';
import { newId } from '../../../src/shared/ids.ts';
import { newAccount, type TestAccount } from '../../support/domain/accounts.ts';
import { holdAllowances } from '../../support/faults/held-rows.ts';
import { useDatabase } from '../../support/services/database.ts';

const { db, pool } = useDatabase();

function orderOf({ accountId, templateId }: TestAccount) {
  const batchId = newId('bat');
  return {
    batchId,
    accountId,
    templateId,
    templateVersion: 1,
    templateObjectKey: 'k',
    templateChecksum: 'c',
    includes: [],
    keyId: 'key_none',
    format: 'docx' as const,
    bundle: 'none' as const,
    bundleName: 'b',
    maxFailures: undefined,
    callbackUrl: undefined,
    emailBody: undefined,
    inputKey: `batches/${batchId}`,
    inputBytes: 9,
  };
}

const rowsOf = (count: number): RowRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    documentId: newId('doc'),
    filename: `${index}.docx`,
    dataChecksum: 'c',
    dataOffset: index * 3,
    dataBytes: 2,
    pdfOptions: null,
    renderOptions: null,
    email: null,
  }));

it('the rows of a batch and their ledger entries are written before any lock that other requests need', async () => {
  const account = await newAccount(db, { docs: 5_000 });
  const held = await holdAllowances(pool, account.accountId);
  const accepted = acceptBatch(db, orderOf(account), rowsOf(4_500), undefined);
  const [waiter] = await held.waiters();
  const { rows } = await pool.query<{ query: string }>('select query from pg_stat_activity where pid = $1', [waiter]);
  await held.release();
  expect(rows[0]?.query).toMatch(/from "allowances"\s.*for no key update/s);
  await expect(accepted).resolves.toMatchObject({ isReplay: false });
  const { rows: left } = await pool.query('select docs_held from allowances where account_id = $1', [
    account.accountId,
  ]);
  expect(left).toEqual([{ docs_held: 4_500 }]);
});
