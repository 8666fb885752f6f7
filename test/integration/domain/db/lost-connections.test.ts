import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { DatabaseHandle } from '../../../../src/shared/db/client.ts';
import { acceptOnce } from '../../../../src/shared/domain/generations/accept-once.ts';
import { findGeneration } from '../../../../src/shared/domain/generations/find-generations.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { documentRequest, newAccount, outcomeOf, tally, together } from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { type FaultProxy, startFaultProxy } from '../../../support/faults/fault-proxy.ts';
import { holdAllowances } from '../../../support/faults/held-rows.ts';
import { openTestDatabase, useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();

const claim = (key: string) => ({ key, operation: 'POST generate', requestHash: 'same', ttlSeconds: 3_600 });

/** A pool whose connections go through a proxy. */
async function faultyDatabase(timeoutMs: number, poolSize = 2): Promise<{ faulty: DatabaseHandle; proxy: FaultProxy }> {
  const proxy = await startFaultProxy({ port: Number(new URL(inject('databaseUrl')).port) });
  const faulty = openTestDatabase({ port: proxy.port, poolSize, timeoutMs });
  onTestFinished(async () => {
    await proxy.heal();
    proxy.resetAll();
    await faulty.close();
    await proxy.close();
  });
  return { faulty, proxy };
}

describe('a connection that is lost', () => {
  it('during an acceptance leaves nothing behind, and a retry produces one document', async () => {
    const account = await newAccount(db, { docs: 5 });
    const hold = await holdAllowances(pool, account.accountId);
    const request = documentRequest(account.templateId);
    const cut = outcomeOf(acceptOnce(db, account.accountId, request, claim('k')));
    await pool.query('select pg_terminate_backend($1)', [(await hold.waiters())[0]]);
    expect(await cut).toBe('unavailable');
    await hold.release();
    expect(await findGeneration(db, request.id)).toBeUndefined();
    const again = await acceptOnce(db, account.accountId, documentRequest(account.templateId), claim('k'));
    expect(again.isReplay).toBe(false);
    expect((await readQuotas(db, account.accountId)).remaining.total.docs).toBe(4);
  });

  it('between two statements of a transaction does not end the process', async () => {
    const account = await newAccount(db, { docs: 5 });
    const { faulty, proxy } = await faultyDatabase(10_000);
    const statements: string[] = [];
    proxy.set({
      intercept: ({ direction, bytes }) => {
        if (direction === 'up') statements.push(bytes.toString('latin1'));
        return direction === 'up' && bytes.includes('with requests as') ? 'reset' : 'pass';
      },
    });
    expect(
      await outcomeOf(acceptOnce(faulty.db, account.accountId, documentRequest(account.templateId), claim('k'))),
    ).toBe('unavailable');
    expect(statements.some((text) => text.includes('insert into "idempotency_keys"'))).toBe(true);
    await proxy.heal();
    const again = await acceptOnce(faulty.db, account.accountId, documentRequest(account.templateId), claim('k'));
    expect(again.isReplay).toBe(false);
  });

  it('just after the commit is reported as an outage, and the repeated request finds the document', async () => {
    const account = await newAccount(db, { docs: 5 });
    const { faulty, proxy } = await faultyDatabase(10_000);
    let isCommitting = false;
    proxy.set({
      intercept: ({ direction, bytes }) => {
        if (direction === 'up' && bytes.includes('commit')) isCommitting = true;
        return direction === 'down' && isCommitting ? 'reset' : 'pass';
      },
    });
    const request = documentRequest(account.templateId);
    expect(await outcomeOf(acceptOnce(faulty.db, account.accountId, request, claim('k')))).toBe('unavailable');
    await proxy.heal();
    const again = await acceptOnce(faulty.db, account.accountId, documentRequest(account.templateId), claim('k'));
    expect(again).toMatchObject({ id: request.id, isReplay: true });
    expect((await readQuotas(db, account.accountId)).remaining.total.docs).toBe(4);
  });
});

describe('a server that stops answering', () => {
  it('is reported as an outage in time, and its dead connections are not used again', async () => {
    const account = await newAccount(db, { docs: 50 });
    const { faulty, proxy } = await faultyDatabase(3_000, 4);
    const accept = () =>
      acceptOnce(faulty.db, account.accountId, documentRequest(account.templateId), claim(randomUUID()));
    expect(tally(await together(8, () => outcomeOf(accept())))).toEqual({ ok: 8 });
    const before = proxy.totalConnections;
    proxy.set({ intercept: ({ connection }) => (connection <= before ? 'freeze' : 'pass') });
    expect(tally(await together(4, () => outcomeOf(accept())))).toEqual({ unavailable: 4 });
    expect(tally(await together(8, () => outcomeOf(accept())))).toEqual({ ok: 8 });
  });

  it('leaves every connection in the pool even when a transaction cannot begin', async () => {
    const account = await newAccount(db, { docs: 50 });
    const { faulty, proxy } = await faultyDatabase(2_500, 2);
    const accept = () =>
      acceptOnce(faulty.db, account.accountId, documentRequest(account.templateId), claim(randomUUID()));
    for (let round = 0; round < 2; round++) {
      expect(await outcomeOf(accept())).toBe('ok');
      proxy.set({ intercept: ({ bytes }) => (bytes.includes('begin') ? 'freeze' : 'pass') });
      expect(await outcomeOf(accept())).toBe('unavailable');
      await proxy.heal();
    }
    expect(tally(await together(6, () => outcomeOf(accept())))).toEqual({ ok: 6 });
  });

  it('is reported quickly when all connections are busy, and recovers when they are free', async () => {
    const account = await newAccount(db, { docs: 50 });
    const small = openTestDatabase({ poolSize: 3, timeoutMs: 3_000 });
    onTestFinished(() => small.close());
    const hold = await holdAllowances(pool, account.accountId);
    const accept = () =>
      acceptOnce(small.db, account.accountId, documentRequest(account.templateId), claim(randomUUID()));
    expect(tally(await together(40, () => outcomeOf(accept())))).toEqual({ unavailable: 40 });
    await hold.release();
    expect(tally(await together(20, () => outcomeOf(accept())))).toEqual({ ok: 20 });
    expect(await violations(pool)).toEqual([]);
  });
});
