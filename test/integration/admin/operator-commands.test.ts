import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { batchShares } from '../../../src/shared/db/schema/batches.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import type { Quotas } from '../../../src/shared/domain/quota/read-quotas.ts';
import { findPin } from '../../../src/shared/domain/templates/pin-template.ts';
import { reportWorker, requestDrain } from '../../../src/shared/domain/workers.ts';
import { documentRequest, newAccount, outcomeOf, tally, together } from '../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { adminOn } from './run-admin.ts';

const { db, url } = await useOwnDatabase();

const admin = adminOn({ db, url });

const quotasOf = async (account: string): Promise<Quotas> =>
  (await admin<{ readonly quotas: Quotas }>('show-account', '--account', account)).quotas;

describe('commands of several operators at once', () => {
  it('add up all grants of credits, even beyond 32 bits', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 1_000_000_000, templates: 1_000_000_000 });
    const options = ['--account', accountId, '--docs', '1000000000', '--templates', '1000000000'];
    await together(4, () => admin('grant-credits', ...options));
    await admin('grant-credits', '--account', accountId, '--docs', '1', '--templates', '0');
    const { allocated, remaining } = await quotasOf(accountId);
    expect(allocated.total).toEqual({ docs: 5_000_000_001, templates: 5_000_000_000 });
    expect(remaining.total).toEqual({ docs: 5_000_000_001, templates: 4_999_999_999 });
    expect(await outcomeOf(acceptDocument(db, accountId, documentRequest(templateId)))).toBe('ok');
    expect((await quotasOf(accountId)).remaining.total.docs).toBe(5_000_000_000);
  });

  it('create different accounts with the same name', async () => {
    const created = await together(10, () => admin<{ accountId: string }>('create-account', '--name', 'Acme'));
    expect(new Set(created.map(({ accountId }) => accountId)).size).toBe(10);
    for (const { accountId } of created)
      expect(await admin('show-account', '--account', accountId)).toMatchObject({ name: 'Acme', keys: [] });
  });

  it('leave one of the budgets, which counts earlier documents once', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 100 });
    const { keyId } = await admin<{ keyId: string }>('create-key', '--account', accountId);
    const request = () => acceptDocument(db, accountId, documentRequest(templateId, { keyId }));
    await together(3, request);
    await together(10, (i) => admin('set-budget', '--key', keyId, '--docs', String(i % 2 === 0 ? 5 : 6)));
    const { keys } = await admin<{ keys: { docsPerMonth: number }[] }>('show-account', '--account', accountId);
    const budget = keys[0]?.docsPerMonth ?? 0;
    expect([5, 6]).toContain(budget);
    const outcomes = await together(10, () => outcomeOf(request()));
    expect(tally(outcomes)).toEqual({ ok: budget - 3, quota_exceeded: 13 - budget });
  });

  it('leave one of the subscriptions as a whole', async () => {
    const { accountId } = await newAccount(db, { docs: 1 });
    const set = (n: number) =>
      admin(
        'set-subscription',
        ...['--account', accountId, '--docs', `${n}`, '--templates', `${n}`, '--anchor-day', `${n}`],
      );
    await together(12, (i) => set(20 + (i % 2)));
    const shown = await admin<{ subscription: object }>('show-account', '--account', accountId);
    const [one, other] = [20, 21].map((n) => ({ docs: n, templates: n, anchorDay: n }));
    expect([one, other]).toContainEqual(shown.subscription);
    const { docs, templates } = shown.subscription as { docs: number; templates: number };
    expect((await quotasOf(accountId)).remaining.subscriptions).toEqual({ docs, templates: templates - 1 });
  });

  it('leave the same weight of batches in every queue', async () => {
    const { accountId } = await newAccount(db, { docs: 1 });
    const engines = ['pdf@7.4', 'pdf@25.2', 'pdf@26.1'] as const;
    for (const format of engines) await db.insert(batchShares).values({ accountId, format });
    for (let round = 0; round < 20; round++) {
      await together(8, (i) => admin('set-batch-weight', '--account', accountId, '--weight', String(1 + (i % 4))));
      const shares = await db.select().from(batchShares).where(eq(batchShares.accountId, accountId));
      expect(shares.length).toBe(engines.length + 3);
      expect(new Set(shares.map(({ weight }) => weight)).size).toBe(1);
    }
  });

  it('revoke a key once, at the time of the first', async () => {
    const { accountId } = await newAccount(db, { docs: 1 });
    const { keyId } = await admin<{ keyId: string }>('create-key', '--account', accountId);
    const revoked = await together(10, () => admin<{ revokedAt: Date }>('revoke-key', '--key', keyId));
    expect(new Set(revoked.map(({ revokedAt }) => revokedAt.getTime())).size).toBe(1);
  });

  it('run migrations one after another', async () => {
    expect(await together(3, () => admin('migrate'))).toEqual(
      Array(3).fill({ migrated: true, applied: [], contracts: [] }),
    );
  });
});

describe('what does not exist', () => {
  const none = (kind: string) => `${kind}_${'0'.repeat(26)}`;

  it.each([
    [['create-key', '--account', none('acc')], 'There is no account acc_'],
    [['set-subscription', '--account', none('acc'), '--docs=1', '--templates=1'], 'There is no account acc_'],
    [['grant-credits', '--account', none('acc'), '--docs=1', '--templates=1'], 'There is no account acc_'],
    [['set-batch-weight', '--account', none('acc'), '--weight=2'], 'There is no account acc_'],
    [['list-quarantine', '--account', none('acc')], 'There is no account acc_'],
    [['show-account', '--account', none('acc')], 'There is no account acc_'],
    [['revoke-key', '--key', none('key')], 'There is no key key_'],
    [['set-budget', '--key', none('key'), '--docs=1'], 'There is no key key_'],
    [['set-budget', '--key', none('key')], 'There is no key key_'],
    [['pin-template', '--template', none('tpl'), '--engine=25.2'], 'There is no template tpl_'],
    [['lift-quarantine', '--template', none('tpl')], 'No document of the template tpl_'],
    [['lift-quarantine', '--fingerprint', '0'.repeat(64)], 'No document has the fingerprint 0'],
  ])('is reported, and nothing is written: %j', async (line, problem) => {
    await expect(admin(...line)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(problem),
    });
  });
});

describe('a pin', () => {
  const worker = (engine: string, id = `wrk_${engine}`): Promise<boolean> =>
    reportWorker(db, {
      workerId: id,
      host: 'host',
      pid: 1,
      release: '1.0.0',
      queues: ['pdf', 'pdf-batch', `pdf@${engine}`, `pdf-batch@${engine}`],
      jobs: {},
      recent: {},
    });

  it('is refused with advice and changes nothing when no live worker has the version', async () => {
    const { templateId } = await newAccount(db, { docs: 1 });
    const pin = (engine: string, ...more: string[]) =>
      admin('pin-template', '--template', templateId, '--engine', engine, ...more);
    await expect(pin('25.2')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('no worker for PDFs is running'),
    });
    await worker('25.2');
    await worker('7.4');
    await expect(pin('25.8')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/LibreOffice 25\.8.*have 25\.2 and 7\.4.*Start a worker.*--without-worker/),
    });
    expect(await findPin(db, templateId)).toBeNull();
    expect(await pin('7.4')).toEqual({ templateId, engine: '7.4' });
    await requestDrain(db, 'wrk_7.4');
    await expect(pin('7.4')).rejects.toMatchObject({ code: 'conflict' });
    expect(await pin('25.8', '--without-worker')).toEqual({ templateId, engine: '25.8' });
    expect(await admin('pin-template', '--template', templateId, '--unpin')).toEqual({ templateId, engine: null });
  });
});
