import { sql } from 'drizzle-orm';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../src/shared/db/client.ts';
import { execute } from '../../../../src/shared/db/statement.ts';
import { useDatabase } from '../../../support/services/database.ts';
import { silent } from '../../../support/services/redis.ts';

const { pool } = useDatabase();

/** What a statement answers through a URL. */
async function answerThrough(change: (url: URL) => void): Promise<unknown> {
  const url = new URL(inject('databaseUrl'));
  change(url);
  const options = { url: url.href, poolSize: 1, timeoutMs: 4_000, applicationName: 'test' };
  const database = openDatabase(options, silent);
  onTestFinished(() => database.close());
  return execute(database.db, sql`create temporary table refused (id int)`).then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

const outage = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 2 });

describe('a PostgreSQL that refuses', () => {
  it('a database that does not exist is out of service', async () => {
    expect(await answerThrough((url) => (url.pathname = '/missing'))).toEqual(outage);
  });

  it('a user is out of service', async () => {
    expect(await answerThrough((url) => (url.username = 'nobody_of_this_name'))).toEqual(outage);
  });

  it('TLS is out of service', async () => {
    expect(await answerThrough((url) => url.searchParams.set('sslmode', 'require'))).toEqual(outage);
  });

  it('connections at a closed port is out of service', async () => {
    expect(await answerThrough((url) => (url.port = '1'))).toEqual(outage);
  });

  it('writes, as a replica does, is out of service', async () => {
    await pool.query('create role reader_only login superuser');
    await pool.query('alter role reader_only set default_transaction_read_only = on');
    onTestFinished(async () => void (await pool.query('drop role reader_only')));
    const url = new URL(inject('databaseUrl'));
    url.username = 'reader_only';
    const database = openDatabase({ url: url.href, poolSize: 1, timeoutMs: 4_000, applicationName: 'test' }, silent);
    onTestFinished(() => database.close());
    await expect(execute(database.db, sql`create table refused (id int)`)).rejects.toEqual(outage);
  });
});
