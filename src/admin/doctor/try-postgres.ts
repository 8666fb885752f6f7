import type pg from 'pg';
import type { Database } from '../../shared/db/client.ts';
import { newId } from '../../shared/ids.ts';
import { type Finding, failed, ok, reasonOf } from './finding.ts';

interface Rights {
  /** Tables of the service that the user may not read and write. */
  readonly closed: readonly string[];
  readonly may_create: boolean;
  readonly owns_tables: boolean;
}

const check = 'postgresql rights';

/**
 * Performs each operation of the service once: adds, reads, changes and removes a row, in a transaction that is rolled
 * back. Then checks the rights that only some documents, or only the next month, would need. Requires the current
 * schema.
 */
export async function tryPostgres(db: Database): Promise<Finding> {
  const client = await db.$client.connect();
  try {
    await changeRow(client);
    return describeRights(await readRights(client));
  } catch (error) {
    const fix = 'Allow the user of DATABASE_URL to write, and remove settings of its role or database that forbid it';
    return failed(check, `a row cannot be written and removed: ${reasonOf(error)}`, fix);
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

async function changeRow(client: pg.PoolClient): Promise<void> {
  const id = newId('acc');
  await client.query('begin');
  await client.query('insert into accounts (id, name) values ($1, $2)', [id, 'doctor']);
  await client.query('select id from accounts where id = $1 for update', [id]);
  await client.query('update accounts set name = $2 where id = $1', [id, 'doctor again']);
  await client.query('delete from accounts where id = $1', [id]);
  await client.query('rollback');
}

async function readRights(client: pg.PoolClient): Promise<Rights> {
  const { rows } = await client.query<Rights>(
    `with own as (
      select c.oid, c.relname, c.relowner, c.relnamespace from pg_class c join pg_class a on a.oid = 'accounts'::regclass
      where c.relnamespace = a.relnamespace and c.relowner = a.relowner and c.relkind in ('r', 'p')
    )
    select
      array(select relname::text from own where not (
        has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')) order by relname) as closed,
      has_schema_privilege((select relnamespace from own limit 1), 'create') as may_create,
      pg_has_role((select relowner from own limit 1), 'usage') as owns_tables`,
  );
  const [rights] = rows;
  if (rights === undefined) throw new Error('the server returned no rights');
  return rights;
}

function describeRights({ closed, may_create, owns_tables }: Rights): Finding {
  if (closed.length > 0) {
    const message = `the user may not read and write ${closed.slice(0, 5).join(', ')}${closed.length > 5 ? ', …' : ''}`;
    return failed(check, message, 'Grant it select, insert, update and delete on all tables of the service');
  }
  if (!owns_tables || !may_create)
    return failed(
      check,
      'the user may not create the partitions of the coming months, nor remove old ones',
      'Let the user of DATABASE_URL own the tables, or be a member of their owner, and grant it create on the schema',
    );
  return ok(check, 'rows can be written, and partitions created');
}
