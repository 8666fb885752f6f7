import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { commands } from '../../../../src/admin/commands.ts';
import { parseCommand } from '../../../../src/admin/parse-command.ts';
import { runCommand } from '../../../../src/admin/run-command.ts';
import { countConversionFailures, recordConversionFailure } from '../../../../src/shared/domain/conversion-failures.ts';
import { newAccount, outcomeOf } from '../../../support/domain/accounts.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db } = useDatabase();

const admin = async (name: string, options: Record<string, string>): Promise<object> => {
  const line = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
  return await runCommand({ db, databaseUrl: '' }, parseCommand(commands, [name, ...line]));
};

it('the operator lists quarantined documents with their reasons, and releases them', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const [once, twice] = [randomUUID(), randomUUID()];
  const fail = (fingerprint: string, evidenceKey?: string) =>
    recordConversionFailure(db, {
      fingerprint,
      accountId,
      generationId: 'doc_1',
      templateId: 'tpl_1',
      templateVersion: 3,
      reason: 'conversion_timeout',
      evidenceKey,
      sizeBytes: 9,
    });
  await fail(twice, 'quarantine/a.docx');
  expect(await fail(twice)).toBe(2);
  await fail(once);
  const about = {
    reason: 'conversion_timeout',
    documentId: 'doc_1',
    templateId: 'tpl_1',
    templateVersion: 3,
    accountId,
  };
  const updatedAt = expect.any(Date);
  expect(await admin('list-quarantine', { account: accountId })).toEqual({
    documents: [
      { ...about, fingerprint: once, failures: 1, isQuarantined: false, evidenceKey: null, updatedAt },
      { ...about, fingerprint: twice, failures: 2, isQuarantined: true, evidenceKey: 'quarantine/a.docx', updatedAt },
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
