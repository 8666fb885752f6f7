import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Command, parseCommand } from '../../../src/admin/parse-command.ts';
import { runCommand } from '../../../src/admin/run-command.ts';
import { createKeyUseRecorder } from '../../../src/api/middleware/key-use-recorder.ts';
import { findAccount } from '../../../src/shared/domain/accounts/find-account.ts';
import type { ActPage } from '../../../src/shared/domain/audit/list-acts.ts';
import { removeOldActs } from '../../../src/shared/domain/audit/remove-old-entries.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { outcomeOf, together } from '../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { adminOn } from './run-admin.ts';

const { db, pool, url } = await useOwnDatabase();
const operator = { actor: 'ops@night-shift', osUser: 'ada', host: 'console-1' };
const deps = { db, databaseUrl: url };

const admin = adminOn({ db, url }, operator);

const newAccount = async (): Promise<string> =>
  (await admin<{ accountId: string }>('create-account', '--name', 'Wintermute Ltd')).accountId;

const actsOf = async (accountId: string): Promise<ActPage['acts']> =>
  (await admin<ActPage>('audit', '--account', accountId)).acts;

describe('a change by an operator', () => {
  it('is recorded with who, where, what and how, without names or secrets', async () => {
    const accountId = await newAccount();
    const { keyId, apiKey } = await admin<{ keyId: string; apiKey: string }>(
      ...['create-key', '--account', accountId, '--name', 'Straylight', '--scopes', 'generate'],
    );
    await admin('grant-credits', '--account', accountId, '--docs', '5', '--templates', '1');
    await admin('set-budget', '--key', keyId, '--docs', '3');
    await admin('revoke-key', '--key', keyId);
    const acts = await actsOf(accountId);
    const common = { ...operator, accountId, outcome: 'succeeded', error: null, startId: null, at: expect.any(Date) };
    expect(acts.toReversed()).toMatchObject([
      { ...common, action: 'create-account', target: accountId, options: {} },
      { ...common, action: 'create-key', target: keyId, options: { account: accountId, scopes: 'generate' } },
      { ...common, action: 'grant-credits', options: { account: accountId, docs: '5', templates: '1' } },
      { ...common, action: 'set-budget', target: keyId, options: { key: keyId, docs: '3' } },
      { ...common, action: 'revoke-key', target: keyId, options: { key: keyId } },
    ]);
    const text = JSON.stringify(acts);
    for (const secret of ['Wintermute', 'Straylight', apiKey, apiKey.slice(-40)]) expect(text).not.toContain(secret);
  });

  it('is recorded in the same transaction, so that neither exists without the other', async () => {
    const accountId = await newAccount();
    await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refuse before insert on audit_log for each row when (new.action = 'create-key') execute function refuse()`);
    await expect(admin('create-key', '--account', accountId)).rejects.toThrow();
    await pool.query('drop trigger refuse on audit_log');
    expect((await findAccount(db, accountId)).keys).toEqual([]);
    expect(await outcomeOf(admin('create-key', '--account', `acc_${'0'.repeat(26)}`))).toBe('not_found');
    const [failed] = (await admin<ActPage>('audit', '--action', 'create-key', '--limit', '1')).acts;
    expect(failed).toMatchObject({ outcome: 'failed', error: 'not_found', target: `acc_${'0'.repeat(26)}` });
  });

  it('is recorded at its start and at its end if it takes many steps', async () => {
    const accountId = await newAccount();
    const command = (work: () => Promise<object>): Command => ({
      summary: 'A process',
      options: {
        account: { isRequired: true, hint: '<accountId>' },
        recipient: { isRequired: true, hint: '<address>' },
      },
      steps: () => work,
    });
    const start = (work: () => Promise<object>) =>
      runCommand(
        deps,
        parseCommand({ work: command(work) }, ['work', '--account', accountId, '--recipient', 'case@example.com']),
        operator,
      );
    await start(async () => ({ done: 3, to: 'case@example.com' }));
    await expect(start(() => Promise.reject(new Error('case@example.com is busy')))).rejects.toThrow('busy');
    const [failed, second, succeeded, first] = await actsOf(accountId);
    expect(first).toMatchObject({ outcome: 'started', options: { account: accountId } });
    expect(succeeded).toMatchObject({ outcome: 'succeeded', startId: first?.id, counts: { done: 3 } });
    expect(failed).toMatchObject({ outcome: 'failed', error: 'internal', startId: second?.id });
    expect(JSON.stringify(await actsOf(accountId))).not.toContain('case@');
    for (let count = 0; count < 20; count++) await start(async () => ({}));
    const outcomes = (await actsOf(accountId)).slice(0, 40).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => ['succeeded', 'started']).flat());
  });

  it('is not recorded if the command only reads or its line is wrong', async () => {
    const accountId = await newAccount();
    await admin('show-account', '--account', accountId);
    await expect(admin('grant-credits', '--account', accountId, '--docs', 'x', '--templates', '1')).rejects.toThrow();
    expect(await actsOf(accountId)).toHaveLength(1);
  });

  it('can be read in pages, by action and since a time', async () => {
    const accountId = await newAccount();
    for (let i = 0; i < 5; i++) await admin('create-key', '--account', accountId);
    const read = (...more: string[]) => admin<ActPage>('audit', '--account', accountId, ...more);
    const first = await read('--action', 'create-key', '--limit', '3');
    const second = await read('--action', 'create-key', '--limit', '3', '--before', String(first.next));
    expect([first.acts.length, second.acts.length, second.next]).toEqual([3, 2, null]);
    expect(new Set([...first.acts, ...second.acts].map(({ id }) => id)).size).toBe(5);
    expect((await read('--since', new Date(Date.now() + 60_000).toISOString())).acts).toEqual([]);
    expect((await read('--since', '2020-01-01')).acts).toHaveLength(6);
  });
});

describe('the audit log', () => {
  it.each([
    ['an update', "update audit_log set outcome = 'failed'"],
    ['a deletion', 'delete from audit_log'],
    ['truncation', 'truncate audit_log'],
    ['an update by a replication role', "set session_replication_role = replica; update audit_log set actor = 'x'"],
  ])('refuses %s', async (_, statement) => {
    await newAccount();
    const client = await pool.connect();
    try {
      await expect(client.query(statement)).rejects.toThrow('append only');
    } finally {
      client.release(true);
    }
  });

  it('allows entries to be deleted after their retention, and none before a year', async () => {
    const insert = (id: string, days: number) =>
      db.execute(sql`insert into audit_log (id, at, os_user, host, action, options, outcome)
        values (${id}, now() - make_interval(days => ${days}), 'x', 'x', 'old', '{}', 'succeeded')`);
    for (const days of [800, 400, 300]) await insert(`aud_0${days}${'0'.repeat(22)}`, days);
    expect(await removeOldActs(db, 730, 10)).toBe(1);
    await expect(removeOldActs(db, 200, 10)).rejects.toThrow();
    const { acts } = await admin<ActPage>('audit', '--action', 'old');
    expect(acts.map(({ id }) => id.slice(5, 8)).sort()).toEqual(['300', '400']);
  });
});

describe('the use of keys', () => {
  it('has one row for each key, scope and day, however many processes count', async () => {
    const accountId = await newAccount();
    const { keyId } = await admin<{ keyId: string }>('create-key', '--account', accountId);
    const recorders = Array.from({ length: 3 }, () => createKeyUseRecorder(db, createLogger('silent', 'test'), 50));
    for (let i = 0; i < 300; i++) {
      const scope = i % 3 === 0 ? 'generate' : 'templates:read';
      recorders[i % 2]?.note({ keyId, accountId, scope });
    }
    recorders[2]?.note({ keyId: `key_${'0'.repeat(26)}`, accountId, scope: 'generate' });
    await together(3, (i) => recorders[i]?.close() ?? Promise.resolve());
    const { uses } = await admin<{ uses: { scope: string; requests: number }[] }>('key-use', '--account', accountId);
    expect(uses.map(({ scope, requests }) => [scope, requests])).toEqual([
      ['generate', 100],
      ['templates:read', 200],
    ]);
    expect(uses[0]).toMatchObject({ keyId, firstAt: expect.any(Date), lastAt: expect.any(Date) });
  });

  it('can be read in pages', async () => {
    const accountId = await newAccount();
    const { keyId } = await admin<{ keyId: string }>('create-key', '--account', accountId);
    const recorder = createKeyUseRecorder(db, createLogger('silent', 'test'));
    for (const scope of ['generate', 'templates:read', 'templates:write'] as const)
      recorder.note({ keyId, accountId, scope });
    await recorder.close();
    const read = (...more: string[]) =>
      admin<{ uses: { scope: string }[]; next: string | null }>(
        'key-use',
        '--account',
        accountId,
        '--limit',
        '2',
        ...more,
      );
    const first = await read();
    const second = await read('--after', String(first.next));
    expect([...first.uses, ...second.uses].map(({ scope }) => scope)).toEqual([
      ...['generate', 'templates:read', 'templates:write'],
    ]);
    expect(second.next).toBeNull();
  });
});
