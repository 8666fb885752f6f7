import { expect, onTestFinished, test } from 'vitest';
import { withConnection } from '../../../../src/shared/db/partitions.ts';
import { randomText } from '../../../../src/shared/ids.ts';
import { openTestDatabase, useOwnDatabase } from '../../../support/services/database.ts';

const { pool, url } = await useOwnDatabase();

/** A member of the owner of the tables whose sessions start with these settings. */
async function roleWith(settings: Readonly<Record<string, string>>): Promise<string> {
  const role = `test_${randomText(12)}`;
  const own = new URL(url);
  await pool.query(`create role ${role} login password 'role' in role ${own.username}`);
  onTestFinished(async () => void (await pool.query(`drop role ${role}`)));
  for (const [name, value] of Object.entries(settings)) await pool.query(`alter role ${role} set ${name} = '${value}'`);
  [own.username, own.password] = [role, 'role'];
  return own.href;
}

const unusual = {
  default_transaction_read_only: 'on',
  default_transaction_isolation: 'serializable',
  idle_session_timeout: '5min',
  statement_timeout: '5min',
  jit_above_cost: '0',
};

function openAs(href: string) {
  const handle = openTestDatabase({ url: href, poolSize: 1, timeoutMs: 20_000 });
  onTestFinished(() => handle.close());
  return handle.pool;
}

test('settings of a role or a database do not reach the connections of the service', async () => {
  const service = openAs(await roleWith(unusual));
  const names = ['default_transaction_read_only', 'default_transaction_isolation', 'idle_session_timeout'];
  const values = names.map((name) => `current_setting('${name}') as ${name}`);
  const { rows } = await service.query(`select ${values.join(', ')}, current_setting('statement_timeout') as limit`);
  expect(rows).toEqual([
    {
      default_transaction_read_only: 'off',
      default_transaction_isolation: 'read committed',
      idle_session_timeout: '0',
      limit: '20s',
    },
  ]);
});

test('nor the connection that makes partitions', async () => {
  const write = (href: string) =>
    withConnection(href, async (client) => {
      await client.query('create table made_here (a int)');
      await client.query('drop table made_here');
      return 'written';
    });
  expect(await write(await roleWith(unusual))).toBe('written');
});

test('statements are not compiled, however dear PostgreSQL takes their plans to be', async () => {
  const service = openAs(await roleWith(unusual));
  const { rows } = await service.query<{ available: boolean }>('select pg_jit_available() as available');
  const explain = async (): Promise<string> => {
    const plan = await service.query<Record<'QUERY PLAN', string>>('explain (analyze) select count(*) from accounts');
    return plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  expect(rows).toEqual([{ available: false }]);
  expect(await explain()).not.toContain('JIT:');
  // Where PostgreSQL was built with a compiler, the same statement is compiled as soon as it may be.
  await service.query('set jit = on');
  const [after] = (await service.query<{ available: boolean }>('select pg_jit_available() as available')).rows;
  expect((await explain()).includes('JIT:')).toBe(after?.available);
});
