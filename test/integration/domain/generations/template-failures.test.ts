import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../../src/admin/commands.ts';
import { parseCommand } from '../../../../src/admin/parse-command.ts';
import { runCommand } from '../../../../src/admin/run-command.ts';
import { templateFailures } from '../../../../src/shared/db/schema/generations.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { claimGenerations } from '../../../../src/shared/domain/generations/claim-generation.ts';
import {
  forgetTemplateFailures,
  listTemplateFailures,
  recordTemplateFailure,
} from '../../../../src/shared/domain/template-failures.ts';
import { documentRequest, newAccount, outcomeOf, together } from '../../../support/domain/accounts.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db } = useDatabase();
const minuteMs = 60_000;

async function newTemplate() {
  const { accountId, templateId } = await newAccount(db, { docs: 20 });
  const failure = { accountId, templateId, templateVersion: 1, generationId: 'doc_1', reason: 'conversion_timeout' };
  const its = sql`template_id = ${templateId}`;
  return {
    accountId,
    templateId,
    fail: (version = 1) => recordTemplateFailure(db, { ...failure, templateVersion: version }),
    succeed: () => forgetTemplateFailures(db, templateId, 1),
    /** Moves every time of the template's failures into the past. */
    wait: (ms: number) =>
      db.execute(sql`update ${templateFailures} set
        suspended_until = suspended_until - make_interval(secs => ${ms / 1_000}),
        window_started_at = window_started_at - make_interval(secs => ${ms / 1_000}),
        updated_at = updated_at - make_interval(secs => ${ms / 1_000}) where ${its}`),
    /** What a claim says about the template, rounded to minutes. */
    async suspendedMinutes(): Promise<number | undefined> {
      const request = documentRequest(templateId, { format: 'pdf' });
      await acceptGeneration(db, accountId, request);
      const [claim] = await claimGenerations(db, [request.id]);
      const ms = claim?.templateSuspendedMs;
      return ms === undefined ? undefined : Math.round(ms / minuteMs);
    },
    async listed() {
      const [entry] = await listTemplateFailures(db, accountId);
      return entry;
    },
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
    for (let time = 0; time < 4; time++) {
      expect([await template.fail(), await template.fail()]).toEqual([false, false]);
      await template.succeed();
      expect(await template.suspendedMinutes()).toBeUndefined();
    }
    for (let time = 0; time < 4; time++) {
      expect([await template.fail(), await template.fail()]).toEqual([false, false]);
      await template.wait(11 * minuteMs);
    }
  });

  it('stays suspended when a document that was running before succeeds', async () => {
    const template = await newTemplate();
    for (let time = 0; time < 3; time++) await template.fail();
    await template.succeed();
    expect(await template.suspendedMinutes()).toBe(10);
  });

  it('is suspended again at its next failure, twice as long each time, up to a day', async () => {
    const template = await newTemplate();
    for (let time = 0; time < 3; time++) await template.fail();
    for (const minutes of [20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]) {
      await template.wait((minutes / 2 + 1) * minuteMs);
      await template.wait(12 * 60 * minuteMs);
      expect(await template.suspendedMinutes()).toBeLessThan(0);
      expect(await template.fail()).toBe(true);
      expect(await template.suspendedMinutes()).toBe(minutes);
    }
  });

  it('has a new start after a success, and after a day without failures', async () => {
    const template = await newTemplate();
    for (const restart of [() => template.succeed(), () => template.wait(24 * 60 * minuteMs)]) {
      for (let time = 0; time < 3; time++) await template.fail();
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
    for (let time = 0; time < 3; time++) await template.fail(2);
    expect(await template.suspendedMinutes()).toBeUndefined();
    await template.wait(4 * 24 * 60 * minuteMs);
    const other = await newTemplate();
    await other.fail();
    expect(await template.listed()).toBeUndefined();
  });

  it('is listed and lifted by the operator', async () => {
    const template = await newTemplate();
    const admin = async (name: string, options: Record<string, string>): Promise<object> =>
      runCommand(
        { db, databaseUrl: '' },
        parseCommand(commands, [name, ...Object.entries(options).map(([option, value]) => `--${option}=${value}`)]),
      );
    for (let time = 0; time < 3; time++) await template.fail();
    const { templateId } = template;
    expect(await admin('list-quarantine', { account: template.accountId })).toMatchObject({
      documents: [],
      templates: [{ templateId, templateVersion: 1, suspendedUntil: expect.any(Date), documentId: 'doc_1' }],
    });
    expect(await admin('lift-quarantine', { template: templateId })).toEqual({ template: templateId });
    expect(await template.suspendedMinutes()).toBeUndefined();
    expect(await outcomeOf(admin('lift-quarantine', { template: templateId }))).toBe('not_found');
    for (const options of [{}, { template: templateId, fingerprint: randomUUID() }])
      await expect(admin('lift-quarantine', options)).rejects.toThrow('either --fingerprint or --template');
  });
});
