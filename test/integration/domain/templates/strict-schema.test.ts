import { expect, test } from 'vitest';
import { promoteVersion } from '../../../../src/shared/domain/templates/change-template.ts';
import { findTemplate } from '../../../../src/shared/domain/templates/find-template.ts';
import { type ReplaceContentInput, replaceContent } from '../../../../src/shared/domain/templates/replace-content.ts';
import { newAccount, outcomeOf, tally, templateInput, together } from '../../../support/domain/accounts.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db } = useDatabase();
const other = useDatabase();

const schemaOf = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

function version(of: { accountId: string; templateId: string }, ...names: readonly string[]): ReplaceContentInput {
  const { id: _id, name, accountId: _accountId, ...content } = templateInput(of.accountId);
  return { ...of, name, ...content, ...(names.length > 0 && { schema: schemaOf(...names) }), isStrict: true };
}

// The first rounds open the connections; later ones compete for the row lock.
test.each([0, 1, 2, 3, 4])(
  'of concurrent strict versions that each drop what the others add, one is accepted (%i)',
  async () => {
    const account = await newAccount(db, { templates: 2 });
    await replaceContent(db, version(account, 'a'));
    const outcomes = await together(20, (i) =>
      outcomeOf(replaceContent(i % 2 === 0 ? db : other.db, version(account, 'a', `own${i}`))),
    );
    expect(tally(outcomes)).toEqual({ ok: 1, template_invalid: 19 });
    expect((await findTemplate(db, account.accountId, account.templateId)).version).toBe(3);
  },
);

test('a refused version leaves nothing behind, and takes no number', async () => {
  const account = await newAccount(db, { templates: 2 });
  await replaceContent(db, version(account, 'a', 'b'));
  const before = await findTemplate(db, account.accountId, account.templateId);
  expect(await outcomeOf(replaceContent(db, version(account, 'a')))).toBe('template_invalid');
  expect(await findTemplate(db, account.accountId, account.templateId)).toEqual(before);
  expect(await replaceContent(db, version(account, 'a', 'b', 'c'))).toMatchObject({ version: 3, schemaChanges: [] });
});

test('a version is compared with the current one, not with the latest', async () => {
  const account = await newAccount(db, { templates: 2 });
  await replaceContent(db, version(account, 'a'));
  await replaceContent(db, version(account, 'a', 'b'));
  await promoteVersion(db, { ...account, version: 2 });
  expect(await replaceContent(db, version(account, 'a', 'c'))).toMatchObject({ version: 4, schemaChanges: [] });
});

test('without a schema of either version nothing is compared, and the version is accepted', async () => {
  const account = await newAccount(db, { templates: 2 });
  expect((await replaceContent(db, version(account, 'a'))).schemaChanges).toBeUndefined();
  expect((await replaceContent(db, version(account))).schemaChanges).toBeUndefined();
  expect((await replaceContent(db, version(account, 'b'))).schemaChanges).toBeUndefined();
});
