import { expect, it } from 'vitest';
import { beginDeletion, deleteRows, endDeletion } from '../../../../src/shared/domain/accounts/delete-account.ts';
import { putDictionary } from '../../../../src/shared/domain/dictionaries/put-dictionary.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { cancelGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { claimed, documentRequest, finishedDocument, newAccount, outcomeOf } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';

const { db, pool } = await useOwnDatabase();

it('a deletion needs the name, ends the quota, and leaves totals that balance; it can be repeated', async () => {
  const [gone, other] = [await newAccount(db, { docs: 100 }), await newAccount(db, { docs: 100 })];
  for (const { accountId, templateId } of [gone, other]) {
    for (let index = 0; index < 3; index++) {
      const request = documentRequest(templateId);
      await acceptGeneration(db, accountId, request);
      const claim = await claimed(db, request.id);
      await succeedGeneration(db, claim, finishedDocument(claim));
    }
    const request = documentRequest(templateId);
    await acceptGeneration(db, accountId, request);
    await cancelGeneration(db, accountId, request.id);
  }
  const { accountId } = gone;
  expect(await outcomeOf(beginDeletion(db, accountId, 'another'))).toBe('conflict');
  await putDictionary(db, { accountId, words: { de: { total: 'Summe' } } });
  await beginDeletion(db, accountId, 'test');
  expect(await outcomeOf(acceptGeneration(db, accountId, documentRequest(gone.templateId)))).toBe('quota_exceeded');
  expect(await endDeletion(db, accountId)).toBe(false);
  for (let time = 0; time < 2; time++) {
    await deleteRows(db, accountId);
    expect(await endDeletion(db, accountId)).toBe(true);
    await beginDeletion(db, accountId, 'test');
  }
  const totals = async (table: string, columns: string, account: string) =>
    (await pool.query(`select ${columns} from ${table} where account_id = $1`, [account])).rows;
  expect(await totals('document_months', 'documents::int, cancelled::int, bytes::int', accountId)).toEqual([
    { documents: 3, cancelled: 1, bytes: 3 * 2_048 },
  ]);
  const units = 'reserved::int, settled::int, released::int, refunded::int';
  expect(await totals('ledger_months', units, accountId)).toEqual([
    { reserved: 4, settled: 3, released: 1, refunded: 0 },
  ]);
  for (const table of ['generations', 'ledger', 'templates', 'dictionaries', 'allowances', 'api_keys'])
    expect(await totals(table, '1', accountId), table).toEqual([]);
  expect(await totals('generations', '1', other.accountId)).toHaveLength(4);
  expect((await pool.query('select name from accounts where id = $1', [accountId])).rows).toEqual([
    { name: 'deleted account' },
  ]);
});
