import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { int4, rowOf } from '../../../../src/shared/db/row.ts';
import { inspectResults, query } from '../../../../src/shared/db/statement.ts';
import { inTransaction } from '../../../../src/shared/db/transaction.ts';
import { readBudget, setKeyBudget } from '../../../../src/shared/domain/api-keys/budget.ts';
import { createKey } from '../../../../src/shared/domain/api-keys/create-key.ts';
import { readWarnings } from '../../../../src/shared/domain/batches/read-progress.ts';
import { requireTemplateQuota } from '../../../../src/shared/domain/templates/create-template.ts';
import { randomText } from '../../../../src/shared/ids.ts';
import { newAccount } from '../../../support/domain/accounts.ts';
import { useDatabase, useOwnDatabase } from '../../../support/services/database.ts';

// A database of its own: one of the rows breaks the rules of billing.
const { url } = await useOwnDatabase();
const { db, pool } = useDatabase({ url, poolSize: 2 });
const row = rowOf({ size: int4 });

// The tests in the other folders cover all other rows.
it('rows of statements that only HTTP tests reach match their descriptions too', async () => {
  await expect(query(db, row, sql`select null::int as size`)).rejects.toThrow(/null in "size"/);
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

describe('a statement that PostgreSQL keeps prepared', () => {
  // The column changes its type during the tests, so the rows are not compared with their description.
  beforeAll(() => inspectResults(undefined));

  /** A separate table, and a statement that is prepared on both connections of the pool. */
  async function newTable() {
    const table = sql.identifier(`probe_${randomText(12)}`);
    await db.execute(sql`create table ${table} (size int)`);
    await db.execute(sql`insert into ${table} values (1)`);
    const read = () => query(db, row, sql`select size from ${table}`);
    await Promise.all([read(), read()]);
    return { table, read };
  }

  it('keeps working when a migration changes its result type', async () => {
    const { table, read } = await newTable();
    await db.execute(sql`alter table ${table} alter column size type bigint`);
    expect(await Promise.all([read(), read(), read(), read()])).toEqual(Array(4).fill([{ size: '1' }]));
  });

  it('keeps working when its connections have dropped it', async () => {
    const { read } = await newTable();
    await Promise.all([pool.query('deallocate all'), pool.query('deallocate all')]);
    expect(await Promise.all([read(), read(), read(), read()])).toEqual(Array(4).fill([{ size: 1 }]));
  });

  it('fails once as an outage inside a transaction, and not again', async () => {
    const { table, read } = await newTable();
    await db.execute(sql`alter table ${table} alter column size type bigint`);
    const inOne = () => inTransaction(db, (tx) => query(tx, row, sql`select size from ${table}`));
    await expect(inOne()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await Promise.all([inOne(), inOne(), inOne()])).toEqual(Array(3).fill([{ size: '1' }]));
    expect(await read()).toEqual([{ size: '1' }]);
  });
});
