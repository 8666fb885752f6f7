import { describe, expect, test } from 'vitest';
import { cancelDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { promoteVersion } from '../../../../src/shared/domain/templates/change-template.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { findTemplate } from '../../../../src/shared/domain/templates/find-template.ts';
import { findPurgeableTemplates, removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import { replaceContent } from '../../../../src/shared/domain/templates/replace-content.ts';
import { resolveIncludes } from '../../../../src/shared/domain/templates/resolve-includes.ts';
import { claimed, newAccount, outcomeOf, tally, templateInput, together } from '../../../support/domain/accounts.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db } = useDatabase();

async function account() {
  const { accountId, accept, docsLeft } = await newAccount(db, { docs: 1_000, templates: 100 });
  const template = async (name: string, ...includes: readonly string[]) =>
    (await createTemplate(db, { ...templateInput(accountId), name, includes })).id;
  const upload = async (templateId: string, ...includes: readonly string[]) => {
    const { id: _id, ...input } = templateInput(accountId);
    const { name } = await findTemplate(db, accountId, templateId);
    return replaceContent(db, { ...input, name, templateId, includes });
  };
  const held = async () => 1_000 - (await docsLeft());
  return { accountId, template, upload, accept: (templateId: string) => accept({ templateId }), held };
}

const detailOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: { details?: readonly { message: string }[] }) => error.details?.[0]?.message,
  );

test('a document keeps the versions that were current when it was accepted, through all levels', async () => {
  const { accountId, template, upload, accept } = await account();
  const clause = await template('clause.docx');
  const terms = await template('terms', 'clause');
  const letter = await template('letter', 'terms', clause);
  const first = await claimed(db, await accept(letter));
  expect(first.includes.map(({ reference, templateId, version }) => [reference, templateId, version]).sort()).toEqual(
    [
      ['clause', clause, 1],
      [clause, clause, 1],
      ['terms', terms, 1],
    ].sort(),
  );
  await upload(clause);
  const versionOf = async () => {
    const claim = await claimed(db, await accept(letter));
    return claim.includes.find(({ reference }) => reference === 'clause')?.version;
  };
  expect(await versionOf()).toBe(2);
  await promoteVersion(db, { accountId, templateId: clause, version: 1 });
  expect(await versionOf()).toBe(1);
});

test('included templates are sorted by reference, whatever their versions and files', async () => {
  const { accountId, template, upload, accept } = await account();
  const references = ['a', 'Z', 'é', 'c', 'b'];
  for (const [index, name] of references.entries()) {
    const id = await template(name);
    for (let version = 2; version <= references.length - index; version++) await upload(id);
  }
  const letter = await template('letter', ...references);
  const sorted = ['Z', 'a', 'b', 'c', 'é'];
  const claim = await claimed(db, await accept(letter));
  expect(claim.includes.map(({ reference }) => reference)).toEqual(sorted);
  const resolved = await resolveIncludes(db, { accountId, references });
  expect(resolved).toEqual(claim.includes);
});

describe('a document is refused before anything is reserved', () => {
  test.each<
    [string, string, (of: Awaited<ReturnType<typeof account>>, terms: string, letter: string) => Promise<unknown>]
  >([
    [
      'a deleted template',
      'The account has no template "terms".',
      ({ accountId }, terms) => removeTemplate(db, accountId, terms),
    ],
    ['two templates of one name', 'Several templates are named "terms".', ({ template }) => template('terms.docx')],
    ['a cycle', 'The template includes itself, through "letter".', ({ upload }, terms) => upload(terms, 'letter')],
    [
      'a cycle below it',
      'An included template includes itself.',
      async ({ template, upload }, terms) => {
        await template('a', 'b');
        await template('b', 'a');
        await upload(terms, 'a');
      },
    ],
    [
      'too many levels',
      'Templates are included in more than 4 levels.',
      async ({ template, upload }, terms) => {
        for (const [name, inner] of [
          ['d', 'e'],
          ['c', 'd'],
          ['b', 'c'],
        ] as const)
          await template(name, inner);
        await template('e');
        await upload(terms, 'b');
      },
    ],
    [
      'too many templates',
      'The template includes more than 50 templates.',
      async ({ template, upload }, terms) => {
        const names = Array.from({ length: 50 }, (_, i) => `clause ${i}`);
        for (const name of names) await template(name);
        await upload(terms, ...names);
      },
    ],
  ])('%s', async (_case, message, change) => {
    const of = await account();
    const terms = await of.template('terms');
    const letter = await of.template('letter', 'terms');
    await change(of, terms, letter);
    expect(await detailOf(of.accept(letter))).toBe(message);
    expect(await of.held()).toBe(0);
  });
});

test('templates of other accounts are unknown', async () => {
  const [one, other] = [await account(), await account()];
  const terms = await other.template('terms');
  for (const reference of ['terms', terms])
    expect(await detailOf(resolveIncludes(db, { accountId: one.accountId, references: [reference] }))).toBe(
      `The account has no template "${reference}".`,
    );
});

test('documents that race with a deletion are accepted and charged, or refused and free', async () => {
  const { accountId, template, accept, held } = await account();
  const terms = await template('terms');
  const letter = await template('letter', 'terms');
  const outcomes = await together(40, (i) =>
    outcomeOf(i === 20 ? removeTemplate(db, accountId, terms) : accept(letter)),
  );
  const { ok = 0, template_invalid: refused = 0 } = tally(outcomes);
  expect(ok + refused).toBe(40);
  expect(await held()).toBe(ok - 1);
});

test('the file of a deleted template stays until no accepted document needs it', async () => {
  const { accountId, template, accept } = await account();
  const terms = await template('terms');
  const letter = await template('letter', 'terms');
  const id = await accept(letter);
  await removeTemplate(db, accountId, terms);
  await db.$client.query(`update templates set deleted_at = now() - interval '1 hour' where id = $1`, [terms]);
  const isPurgeable = async () => {
    return (await findPurgeableTemplates(db, '', 10_000)).templates.some((found) => found.id === terms);
  };
  expect(await isPurgeable()).toBe(false);
  expect(await cancelDocument(db, accountId, id)).toBe(true);
  expect(await isPurgeable()).toBe(true);
});
