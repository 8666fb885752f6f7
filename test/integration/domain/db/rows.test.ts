import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { bool, int4, rowOf, text } from '../../../../src/shared/db/row.ts';
import { query } from '../../../../src/shared/db/statement.ts';
import { readBudget, setKeyBudget } from '../../../../src/shared/domain/api-keys/budget.ts';
import { createKey } from '../../../../src/shared/domain/api-keys/create-key.ts';
import { readWarnings } from '../../../../src/shared/domain/batches/read-progress.ts';
import { requireTemplateQuota } from '../../../../src/shared/domain/templates/create-template.ts';
import { newAccount } from '../../../support/domain/accounts.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();

it('a row that does not match what PostgreSQL returns fails the test that reads it', async () => {
  const statement = sql`select 1 as size, 'a' as name`;
  expect(await query(db, rowOf({ size: int4, name: text }), statement)).toEqual([{ size: 1, name: 'a' }]);
  await expect(query(db, rowOf({ size: bool, name: text }), statement)).rejects.toThrow(/size: 23/);
  await expect(query(db, rowOf({ size: int4 }), statement)).rejects.toThrow(/name: 25/);
  await expect(query(db, rowOf({ size: int4 }), sql`select null::int as size`)).rejects.toThrow(/null in "size"/);
});

// The tests in the other folders cover all other rows.
it('the rows of statements that only the HTTP tests reach match too', async () => {
  const { accountId } = await newAccount(db, { docs: 5, templates: 2 });
  const { keyId } = await createKey(db, { accountId });
  await setKeyBudget(db, keyId, 7);
  expect(await readBudget(db, keyId)).toBe(7);
  await requireTemplateQuota(db, accountId, undefined);
  await pool.query(
    `insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format,
       filename, batch_id, status, data_checksum, accepted_at, warnings)
     values ('doc_' || $1, $1, 't', 1, 'k', 'c', 'pdf', 'f', 'bat_' || $1, 'succeeded', 'c', now(),
       '[{"code": "font", "message": "missing"}]')`,
    [accountId],
  );
  expect(await readWarnings(db, `bat_${accountId}`)).toEqual([{ code: 'font', message: 'missing', rows: 1 }]);
});
