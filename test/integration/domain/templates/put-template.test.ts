import { expect, it } from 'vitest';
import type { Database } from '../../../../src/shared/db/client.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { renameTemplate } from '../../../../src/shared/domain/templates/change-template.ts';
import { type CreateTemplateInput, createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { listTemplates } from '../../../../src/shared/domain/templates/find-template.ts';
import { listVersions } from '../../../../src/shared/domain/templates/find-versions.ts';
import { findTemplateByName, putTemplate } from '../../../../src/shared/domain/templates/put-template.ts';
import { removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import { newAccount, outcomeOf, tally, templateInput, together } from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const other = useDatabase();
keepRules(pool);

const name = 'Invoice.docx';
const syntax = { open: '{', close: '}', unlikelyTags: 'text', hasEscapes: true } as const;
const input = (accountId: string, changes: Partial<CreateTemplateInput> = {}) => ({
  ...templateInput(accountId, { name, syntax, ...changes }),
  precondition: {},
  isNewAllowed: true,
  isStrict: false,
  isStated: changes.statedSchema !== undefined,
});
const put = (accountId: string, changes: Partial<CreateTemplateInput> = {}, on: Database = db) =>
  putTemplate(on, input(accountId, changes));
const named = async (accountId: string, wanted = name) =>
  (await listTemplates(db, { accountId, limit: 100 })).templates.filter((template) => template.name === wanted);
const templatesLeft = async (accountId: string) => (await readQuotas(db, accountId)).remaining.total.templates;

// The first rounds open the connections; later ones compete for the lock of the name.
it.each([0, 1, 2])('concurrent uploads of a new name make one template with a version each (%i)', async () => {
  const { accountId } = await newAccount(db, { templates: 10 });
  const results = await together(20, (index) => put(accountId, {}, index % 2 === 0 ? db : other.db));
  expect(tally(results.map(({ outcome }) => outcome))).toEqual({ created: 1, replaced: 19 });
  expect(new Set(results.map(({ template }) => template.id)).size).toBe(1);
  const [only, ...more] = await named(accountId);
  expect([only?.version, more]).toEqual([20, []]);
  const { versions } = await listVersions(db, { accountId, templateId: only?.id ?? '', limit: 100 });
  const numbers = results.map(({ template }) => template.version).sort((a, b) => b - a);
  expect(versions.map(({ version }) => version)).toEqual(numbers);
  // One of the ten is the template that each account of these tests has.
  expect(await templatesLeft(accountId)).toBe(8);
});

it('concurrent uploads of one file make one version', async () => {
  const { accountId } = await newAccount(db, { templates: 10 });
  const checksum = 'a'.repeat(64);
  const results = await together(10, (index) => put(accountId, { checksum }, index % 2 === 0 ? db : other.db));
  expect(tally(results.map(({ outcome }) => outcome))).toEqual({ created: 1, unchanged: 9 });
  expect(results.map(({ template }) => template.version)).toEqual(Array(10).fill(1));
});

it('one file with another stated schema is another version, and the same or none is not', async () => {
  const { accountId } = await newAccount(db, { templates: 10 });
  const file = { checksum: 'c'.repeat(64) };
  const statedSchema = { properties: { zip: { type: 'string' }, a: { type: 'number' } } } as const;
  await put(accountId, file);
  expect(await put(accountId, { ...file, statedSchema })).toMatchObject({
    outcome: 'replaced',
    template: { version: 2 },
  });
  expect(await put(accountId, { ...file, statedSchema })).toMatchObject({ outcome: 'unchanged' });
  expect(await put(accountId, file)).toMatchObject({ outcome: 'unchanged' });
  const changed = await put(accountId, { ...file, statedSchema: { properties: { zip: { type: 'number' } } } });
  expect([changed.outcome, changed.template.version]).toEqual(['replaced', 3]);
});

it('delimiters and a schema that another upload set meanwhile are not undone', async () => {
  const { accountId } = await newAccount(db, { templates: 10 });
  const statedSchema = { properties: { zip: { type: 'string' } } } as const;
  const keeping = (version: number | undefined, changes: Partial<CreateTemplateInput> = {}) =>
    putTemplate(db, { ...input(accountId, changes), isStated: false, keeps: { version } });
  expect((await keeping(undefined)).outcome).toBe('created');
  // Another request created the template meanwhile, with the same settings.
  expect((await keeping(undefined)).outcome).toBe('replaced');
  await put(accountId, { statedSchema });
  await expect(keeping(2)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Send the file'),
  });
  expect((await keeping(3, { statedSchema })).outcome).toBe('replaced');
  await expect(keeping(3, { syntax: { ...syntax, open: '{{', close: '}}' }, statedSchema })).rejects.toThrow('Send');
  const [only] = await named(accountId);
  await removeTemplate(db, accountId, only?.id ?? '');
  await expect(keeping(4, { statedSchema })).rejects.toThrow('Send the file again');
});

it('one file with other delimiters is another version', async () => {
  const { accountId } = await newAccount(db, { templates: 10 });
  const file = { checksum: 'b'.repeat(64) };
  await put(accountId, file);
  const changed = await put(accountId, { ...file, syntax: { ...syntax, open: '{{', close: '}}' } });
  expect([changed.outcome, changed.template.version]).toEqual(['replaced', 2]);
});

it('while the template is deleted and renamed, the name never has two', async () => {
  const { accountId } = await newAccount(db, { templates: 500 });
  const removeOrRename = async (index: number) => {
    const found = await findTemplateByName(db, accountId, name);
    if (found === undefined) return;
    const change = { accountId, templateId: found.id };
    await outcomeOf(
      index % 2 === 0
        ? removeTemplate(db, accountId, found.id)
        : renameTemplate(db, { ...change, name: `Old ${index}.docx` }),
    );
  };
  const outcomes = await together(60, (index) =>
    index % 3 === 0 ? removeOrRename(index) : put(accountId, {}, index % 2 === 0 ? db : other.db).then(() => undefined),
  );
  expect(outcomes).toHaveLength(60);
  expect((await named(accountId)).length).toBeLessThanOrEqual(1);
  await put(accountId);
  expect(await named(accountId)).toHaveLength(1);
  const { templates } = await listTemplates(db, { accountId, limit: 1_000 });
  expect(await templatesLeft(accountId)).toBe(500 - templates.length);
});

it('needs quota for a new name only', async () => {
  const { accountId } = await newAccount(db, { templates: 2 });
  await put(accountId);
  expect(await outcomeOf(put(accountId, { name: 'Other.docx' }))).toBe('quota_exceeded');
  expect((await put(accountId)).template.version).toBe(2);
});

it('names are compared exactly, and those of other accounts and deleted templates do not count', async () => {
  const [one, another] = [await newAccount(db, { templates: 10 }), await newAccount(db, { templates: 10 })];
  const { template } = await put(one.accountId);
  for (const similar of ['invoice.docx', 'Invoice.DOCX', 'My Invoice.docx'])
    expect((await put(one.accountId, { name: similar })).outcome).toBe('created');
  expect((await put(another.accountId)).outcome).toBe('created');
  await removeTemplate(db, one.accountId, template.id);
  const again = await put(one.accountId);
  expect([again.outcome, again.template.version]).toEqual(['created', 1]);
  expect(again.template.id).not.toBe(template.id);
});

it('a name that several templates have is refused, with their ids', async () => {
  const { accountId } = await newAccount(db, { templates: 50 });
  const ids = [];
  for (let count = 0; count < 2; count++) ids.push((await createTemplate(db, templateInput(accountId, { name }))).id);
  const message = new RegExp(`^Several templates have the name ${name}: (?=.*${ids[0]})(?=.*${ids[1]})`);
  await expect(put(accountId)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(message) });
  await expect(findTemplateByName(db, accountId, name)).rejects.toMatchObject({ code: 'conflict' });
  for (let count = 0; count < 12; count++) await createTemplate(db, templateInput(accountId, { name }));
  const many = expect.stringMatching(/: (?:tpl_\w+, ){9}tpl_\w+ and others\. /);
  await expect(put(accountId)).rejects.toMatchObject({ message: many });
  expect(new Set((await named(accountId)).map(({ version }) => version))).toEqual(new Set([1]));
});
