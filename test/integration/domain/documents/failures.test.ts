import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../../src/admin/commands.ts';
import { parseCommand } from '../../../../src/admin/parse-command.ts';
import { runCommand } from '../../../../src/admin/run-command.ts';
import { templateFailures } from '../../../../src/shared/db/schema/documents.ts';
import { countConversionFailures, recordConversionFailure } from '../../../../src/shared/domain/conversion-failures.ts';
import {
  forgetTemplateFailures,
  listTemplateFailures,
  recordTemplateFailure,
} from '../../../../src/shared/domain/template-failures.ts';
import { claimed, newAccount, outcomeOf, together } from '../../../support/domain/accounts.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const minuteMs = 60_000;

const admin = async (name: string, options: Record<string, string>): Promise<object> => {
  const line = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
  return await runCommand({ db, databaseUrl: '' }, parseCommand(commands, [name, ...line]));
};

it('the operator lists quarantined documents with their reasons, and releases them', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const [once, twice] = [randomUUID(), randomUUID()];
  const failure = { accountId, templateId: 'tpl_1', templateVersion: 3, reason: 'conversion_timeout' };
  const fail = (fingerprint: string, evidenceKey?: string) =>
    recordConversionFailure(db, { ...failure, fingerprint, documentId: 'doc_1', evidenceKey, sizeBytes: 9 });
  await fail(twice, 'quarantine/a.docx');
  expect(await fail(twice)).toBe(2);
  // The list begins with the latest failure; two within a millisecond have no order.
  await pool.query(`update conversion_failures set updated_at = now() - interval '1 minute' where account_id = $1`, [
    accountId,
  ]);
  await fail(once);
  const about = { ...failure, documentId: 'doc_1', updatedAt: expect.any(Date) };
  expect(await admin('list-quarantine', { account: accountId })).toEqual({
    documents: [
      { ...about, fingerprint: once, failures: 1, isQuarantined: false, evidenceKey: null },
      { ...about, fingerprint: twice, failures: 2, isQuarantined: true, evidenceKey: 'quarantine/a.docx' },
    ],
    templates: [],
  });
  expect(await admin('list-quarantine', {})).toMatchObject({
    documents: expect.arrayContaining([expect.objectContaining({ fingerprint: twice })]),
  });
  expect(await admin('lift-quarantine', { fingerprint: twice })).toEqual({ fingerprint: twice });
  expect(await countConversionFailures(db, twice)).toBe(0);
  expect(await outcomeOf(admin('lift-quarantine', { fingerprint: twice }))).toBe('not_found');
  expect(await admin('list-quarantine', { account: accountId })).toMatchObject({ documents: [{ fingerprint: once }] });
});

async function newTemplate() {
  const { accountId, templateId, accept } = await newAccount(db, { docs: 20 });
  const failure = { accountId, templateId, documentId: 'doc_1', reason: 'conversion_timeout' };
  const fail = (version = 1) => recordTemplateFailure(db, { ...failure, templateVersion: version });
  return {
    accountId,
    templateId,
    fail,
    async suspend(version = 1): Promise<void> {
      for (let time = 0; time < 3; time++) await fail(version);
    },
    succeed: () => forgetTemplateFailures(db, templateId, 1),
    /** Moves every time of the template's failures into the past. */
    wait: (ms: number) =>
      db.execute(sql`update ${templateFailures} set
        suspended_until = suspended_until - make_interval(secs => ${ms / 1_000}),
        window_started_at = window_started_at - make_interval(secs => ${ms / 1_000}),
        updated_at = updated_at - make_interval(secs => ${ms / 1_000}) where template_id = ${templateId}`),
    /** How long the template is suspended according to a claim, rounded to minutes. */
    async suspendedMinutes(): Promise<number | undefined> {
      const { templateSuspendedMs: ms } = await claimed(db, await accept({ format: 'pdf' }));
      return ms === undefined ? undefined : Math.round(ms / minuteMs);
    },
    listed: async () => (await listTemplateFailures(db, accountId))[0],
  };
}

describe('a template whose documents hang or crash engines', () => {
  it('is suspended for ten minutes after three failures, and every claim says so', async () => {
    const template = await newTemplate();
    expect(await template.suspendedMinutes()).toBeUndefined();
    expect([await template.fail(), await template.fail()]).toEqual([false, false]);
    expect(await template.suspendedMinutes()).toBe(0);
    expect(await template.fail()).toBe(true);
    expect(await template.suspendedMinutes()).toBe(10);
    expect(await template.listed()).toMatchObject({ suspensions: 1, reason: 'conversion_timeout', templateVersion: 1 });
  });

  it('is suspended once when its documents fail at the same time', async () => {
    const template = await newTemplate();
    const suspensions = await together(16, () => template.fail());
    expect(suspensions.filter(Boolean)).toHaveLength(1);
    expect(await template.suspendedMinutes()).toBe(10);
  });

  it('is not suspended when a document succeeds in between, or when failures are far apart', async () => {
    const template = await newTemplate();
    const pauses = [() => template.succeed(), () => template.wait(11 * minuteMs)];
    for (const pause of pauses) {
      for (let time = 0; time < 4; time++) {
        expect([await template.fail(), await template.fail()]).toEqual([false, false]);
        await pause();
      }
      await template.succeed();
      expect(await template.suspendedMinutes()).toBeUndefined();
    }
  });

  it('stays suspended when a document that was running before succeeds', async () => {
    const template = await newTemplate();
    await template.suspend();
    await template.succeed();
    expect(await template.suspendedMinutes()).toBe(10);
  });

  it('is suspended again at its next failure, twice as long each time, up to a day', async () => {
    const template = await newTemplate();
    await template.suspend();
    for (const minutes of [20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]) {
      await template.wait((minutes / 2 + 1) * minuteMs);
      await template.wait(12 * 60 * minuteMs);
      expect(await template.suspendedMinutes()).toBeLessThan(0);
      expect(await template.fail()).toBe(true);
      expect(await template.suspendedMinutes()).toBe(minutes);
    }
  });

  it('starts over after a success, and after a day without failures', async () => {
    const template = await newTemplate();
    for (const restart of [() => template.succeed(), () => template.wait(24 * 60 * minuteMs)]) {
      await template.suspend();
      await template.wait(11 * minuteMs);
      await restart();
      expect([await template.fail(), await template.fail(), await template.fail()]).toEqual([false, false, true]);
      expect(await template.suspendedMinutes()).toBe(10);
      await template.wait(11 * minuteMs);
      await template.succeed();
    }
  });

  it('does not affect other versions, and old failures are forgotten', async () => {
    const template = await newTemplate();
    await template.suspend(2);
    expect(await template.suspendedMinutes()).toBeUndefined();
    await template.wait(4 * 24 * 60 * minuteMs);
    const other = await newTemplate();
    await other.fail();
    expect(await template.listed()).toBeUndefined();
  });

  it('is listed and lifted by the operator', async () => {
    const { accountId, templateId, suspend, suspendedMinutes } = await newTemplate();
    await suspend();
    expect(await admin('list-quarantine', { account: accountId })).toMatchObject({
      documents: [],
      templates: [{ templateId, templateVersion: 1, suspendedUntil: expect.any(Date), documentId: 'doc_1' }],
    });
    expect(await admin('lift-quarantine', { template: templateId })).toEqual({ template: templateId });
    expect(await suspendedMinutes()).toBeUndefined();
    expect(await outcomeOf(admin('lift-quarantine', { template: templateId }))).toBe('not_found');
    for (const options of [{}, { template: templateId, fingerprint: randomUUID() }])
      await expect(admin('lift-quarantine', options)).rejects.toThrow('either --fingerprint or --template');
  });
});
