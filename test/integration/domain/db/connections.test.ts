import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Database, DatabaseHandle } from '../../../../src/shared/db/client.ts';
import { execute } from '../../../../src/shared/db/statement.ts';
import { createAcceptor } from '../../../../src/shared/domain/documents/accept-document.ts';
import { acceptOnce, createOnceAcceptor } from '../../../../src/shared/domain/documents/accept-once.ts';
import { findDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import { openMonth } from '../../../../src/shared/domain/quota/open-month.ts';
import { claimWebhookDelivery } from '../../../../src/shared/domain/webhooks/claim-webhook-delivery.ts';
import { documentRequest, newAccount, outcomeOf, tally, together } from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { newEndpoint } from '../../../support/domain/webhooks.ts';
import { type FaultProxy, startFaultProxy } from '../../../support/faults/fault-proxy.ts';
import { holdAllowances } from '../../../support/faults/held-rows.ts';
import { openTestDatabase, useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
keepRules(pool);

const keyOf = (key: string) => ({ key, operation: 'POST generate', requestHash: 'same', ttlSeconds: 3_600 });

/** A pool that is closed after the test. */
function openPool(poolSize: number, timeoutMs: number): DatabaseHandle {
  const handle = openTestDatabase({ poolSize, timeoutMs });
  onTestFinished(() => handle.close());
  return handle;
}

/** A database behind a proxy. */
async function faultyDatabase(timeoutMs: number, poolSize = 2): Promise<{ faulty: Database; proxy: FaultProxy }> {
  const proxy = await startFaultProxy({ port: Number(new URL(inject('databaseUrl')).port) });
  const { db: faulty, close } = openTestDatabase({ port: proxy.port, poolSize, timeoutMs });
  onTestFinished(async () => {
    await proxy.heal();
    proxy.resetAll();
    await close();
    await proxy.close();
  });
  return { faulty, proxy };
}

/** An account and its requests with idempotency keys. */
async function newClient() {
  const account = await newAccount(db, { docs: 100 });
  const accept = (through: Database, key: string = randomUUID(), request = documentRequest(account.templateId)) =>
    acceptOnce(through, account.accountId, request, keyOf(key));
  return { ...account, accept };
}

describe('a connection that is lost', () => {
  it('during an acceptance leaves nothing behind, and a retry produces one document', async () => {
    const { accountId, templateId, accept, docsLeft } = await newClient();
    const hold = await holdAllowances(pool, accountId);
    const request = documentRequest(templateId);
    const cut = outcomeOf(accept(db, 'k', request));
    await pool.query('select pg_terminate_backend($1)', [(await hold.waiters())[0]]);
    expect(await cut).toBe('unavailable');
    await hold.release();
    expect(await findDocument(db, request.id)).toBeUndefined();
    expect(await accept(db, 'k')).toMatchObject({ isReplay: false });
    expect(await docsLeft()).toBe(99);
  });

  it('between two statements of a transaction does not end the process', async () => {
    const { accept } = await newClient();
    const { faulty, proxy } = await faultyDatabase(60_000);
    const statements: string[] = [];
    proxy.set({
      intercept: ({ direction, bytes }) => {
        if (direction === 'up') statements.push(bytes.toString('latin1'));
        return direction === 'up' && bytes.includes('with requests as') ? 'reset' : 'pass';
      },
    });
    expect(await outcomeOf(accept(faulty, 'k'))).toBe('unavailable');
    expect(statements.some((text) => text.includes('insert into "idempotency_keys"'))).toBe(true);
    await proxy.heal();
    expect(await accept(faulty, 'k')).toMatchObject({ isReplay: false });
  });

  it('just after the commit is reported as an outage, and the repeated request finds the document', async () => {
    const { templateId, accept, docsLeft } = await newClient();
    const { faulty, proxy } = await faultyDatabase(60_000);
    let isCommitting = false;
    proxy.set({
      intercept: ({ direction, bytes }) => {
        // Not the settings of a new connection, which name `read committed`.
        if (direction === 'up' && /\bcommit\b/.test(bytes.toString('latin1'))) isCommitting = true;
        return direction === 'down' && isCommitting ? 'reset' : 'pass';
      },
    });
    const request = documentRequest(templateId);
    expect(await outcomeOf(accept(faulty, 'k', request))).toBe('unavailable');
    await proxy.heal();
    expect(await accept(faulty, 'k')).toMatchObject({ id: request.id, isReplay: true });
    expect(await docsLeft()).toBe(99);
  });
});

describe('a server that stops answering', () => {
  it('is reported as an outage in time, and its dead connections are not used again', async () => {
    const { accept } = await newClient();
    const { faulty, proxy } = await faultyDatabase(6_000, 4);
    const outcomes = async (count: number) => tally(await together(count, () => outcomeOf(accept(faulty))));
    expect(await outcomes(8)).toEqual({ ok: 8 });
    const before = proxy.totalConnections;
    proxy.set({ intercept: ({ connection }) => (connection <= before ? 'freeze' : 'pass') });
    expect(await outcomes(4)).toEqual({ unavailable: 4 });
    expect(await outcomes(8)).toEqual({ ok: 8 });
  });

  it('leaves every connection in the pool even when a transaction cannot begin', async () => {
    const { accept } = await newClient();
    const { faulty, proxy } = await faultyDatabase(6_000, 2);
    for (let round = 0; round < 2; round++) {
      expect(await outcomeOf(accept(faulty))).toBe('ok');
      proxy.set({ intercept: ({ bytes }) => (bytes.includes('begin') ? 'freeze' : 'pass') });
      expect(await outcomeOf(accept(faulty))).toBe('unavailable');
      await proxy.heal();
    }
    expect(tally(await together(6, () => outcomeOf(accept(faulty))))).toEqual({ ok: 6 });
  });
});

describe('a pool without a free connection', () => {
  it('is reported as an outage when rows are locked, and recovers when they are free', async () => {
    const { accountId, accept } = await newClient();
    const { db: small } = openPool(3, 10_000);
    const hold = await holdAllowances(pool, accountId);
    expect(tally(await together(40, () => outcomeOf(accept(small))))).toEqual({ unavailable: 40 });
    await hold.release();
    expect(tally(await together(20, () => outcomeOf(accept(small))))).toEqual({ ok: 20 });
  });

  it.each<[string, (single: Database, accountId: string) => Promise<unknown>]>([
    ['a month is opened', openMonth],
    ['a webhook is made', (single, accountId) => newEndpoint(single, accountId, 'https://example.com')],
  ])('is reported as an outage when %s', async (_what, work) => {
    const { accountId } = await newAccount(db, { docs: 1 });
    const single = openPool(1, 5_000);
    const busyConnection = await single.pool.connect();
    expect(await outcomeOf(work(single.db, accountId))).toBe('unavailable');
    busyConnection.release();
  });
});

describe('an account leaves connections to others', () => {
  it('however many requests with idempotency keys it sends while its allowance is locked', async () => {
    const small = openPool(6, 120_000);
    const once = createOnceAcceptor(small.db, 6, 120_000);
    const accept = createAcceptor(small.db, 120_000);
    const [held, other] = [await newAccount(db, { docs: 100 }), await newAccount(db, { docs: 100 })];
    const hold = await holdAllowances(pool, held.accountId);
    const orders = together(40, (index) =>
      outcomeOf(once(held.accountId, documentRequest(held.templateId), keyOf(`key ${index}`))),
    );
    await expect.poll(() => small.pool.totalCount - small.pool.idleCount).toBeGreaterThan(0);
    for (let order = 0; order < 5; order++) {
      expect(await outcomeOf(accept(other.accountId, documentRequest(other.templateId)))).toBe('ok');
      const withKey = once(other.accountId, documentRequest(other.templateId), keyOf(`${order}`));
      expect(await outcomeOf(withKey)).toBe('ok');
    }
    expect(small.pool.waitingCount).toBe(0);
    await hold.release();
    expect(tally(await orders)).toEqual({ ok: 40 });
  });

  it('however many of its jobs run while another worker claims its webhooks', async () => {
    const small = openPool(6, 120_000);
    const [loud, other] = [await newAccount(db, { docs: 100 }), await newAccount(small.db, { docs: 100 })];
    await newEndpoint(db, loud.accountId, 'https://example.com');
    await loud.produce();
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('webhooks ' || $1, 0))`, [loud.accountId]);
    const limits = { leaseMs: 60_000, perTarget: 4, perAccount: 8 };
    const claims = together(32, () => claimWebhookDelivery(small.db, loud.accountId, limits));
    for (let document = 0; document < 5; document++) await other.produce();
    expect(new Set(await claims)).toEqual(new Set(['busy']));
    expect(small.pool.totalCount - small.pool.idleCount).toBe(0);
    await holder.query('rollback');
    holder.release();
    expect(await claimWebhookDelivery(small.db, loud.accountId, limits)).toMatchObject({ attempts: 1 });
  });
});

describe('a PostgreSQL that refuses', () => {
  it.each<[string, (url: URL) => unknown]>([
    ['a database that does not exist', (url) => (url.pathname = '/missing')],
    ['a user', (url) => (url.username = 'nobody_of_this_name')],
    ['TLS', (url) => url.searchParams.set('sslmode', 'require')],
    ['connections at a closed port', (url) => (url.port = '1')],
  ])('%s is out of service', async (_what, change) => {
    const url = new URL(inject('databaseUrl'));
    change(url);
    const refusing = openTestDatabase({ url: url.href, poolSize: 1, timeoutMs: 4_000 });
    onTestFinished(() => refusing.close());
    const outage = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 2 });
    await expect(execute(refusing.db, sql`create table refused (id int)`)).rejects.toEqual(outage);
  });

  it('to write, as a replica does, is out of service', async () => {
    const { db: refusing } = openPool(1, 20_000);
    await execute(refusing, sql`set default_transaction_read_only = on`);
    const outage = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 2 });
    await expect(execute(refusing, sql`create table refused (id int)`)).rejects.toEqual(outage);
  });
});
