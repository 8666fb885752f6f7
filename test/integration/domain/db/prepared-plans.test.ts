import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { int4, rowOf } from '../../../../src/shared/db/row.ts';
import { inspectResults, query } from '../../../../src/shared/db/statement.ts';
import { inTransaction } from '../../../../src/shared/db/transaction.ts';
import { randomText } from '../../../../src/shared/ids.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase({ poolSize: 2 });

const row = rowOf({ size: int4 });
// The column changes its type during the test, so the rows are not compared with their description.
inspectResults(undefined);

/** A separate table, and a statement that is prepared on both connections of the pool. */
async function newTable() {
  const table = sql.identifier(`probe_${randomText(12)}`);
  await db.execute(sql`create table ${table} (size int)`);
  await db.execute(sql`insert into ${table} values (1)`);
  const read = () => query(db, row, sql`select size from ${table}`);
  await Promise.all([read(), read()]);
  return { table, read };
}

describe('a statement that PostgreSQL keeps prepared', () => {
  it('keeps working when a migration changes its result type', async () => {
    const { table, read } = await newTable();
    await db.execute(sql`alter table ${table} alter column size type bigint`);
    expect(await Promise.all([read(), read(), read(), read()])).toEqual(Array(4).fill([{ size: '1' }]));
    await db.execute(sql`drop table ${table}`);
  });

  it('keeps working when its connections have dropped it', async () => {
    const { table, read } = await newTable();
    await Promise.all([pool.query('deallocate all'), pool.query('deallocate all')]);
    expect(await Promise.all([read(), read(), read(), read()])).toEqual(Array(4).fill([{ size: 1 }]));
    await db.execute(sql`drop table ${table}`);
  });

  it('of a transaction is refused once as an outage, and not again', async () => {
    const { table, read } = await newTable();
    await db.execute(sql`alter table ${table} alter column size type bigint`);
    const inOne = () => inTransaction(db, (tx) => query(tx, row, sql`select size from ${table}`));
    await expect(inOne()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await Promise.all([inOne(), inOne(), inOne()])).toEqual(Array(3).fill([{ size: '1' }]));
    expect(await read()).toEqual([{ size: '1' }]);
    await db.execute(sql`drop table ${table}`);
  });
});
