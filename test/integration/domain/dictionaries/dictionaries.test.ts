import { expect, test } from 'vitest';
import { findDictionary, findDictionaryId } from '../../../../src/shared/domain/dictionaries/find-dictionary.ts';
import { putDictionary } from '../../../../src/shared/domain/dictionaries/put-dictionary.ts';
import { removeDictionary } from '../../../../src/shared/domain/dictionaries/remove-dictionary.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { claimGeneration } from '../../../../src/shared/domain/generations/claim-generation.ts';
import { failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { createWordsLoader } from '../../../../src/worker/generation/load-words.ts';
import { removeDictionaries } from '../../../../src/worker/maintenance/remove-expired.ts';
import { documentRequest, newAccount, outcomeOf, templateInput, together } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, url } = await useOwnDatabase();
const wordsOf = (total: string) => ({ de: { total } });
const pause = () => db.$client.query('select pg_sleep(0.005)');

test('a document has the words of its acceptance, which are kept until it has ended', async () => {
  const deps = await newWorkerDeps(db, url);
  const { accountId } = await newAccount(db, { docs: 9, templates: 5 });
  const other = await newAccount(db, { docs: 9, templates: 5 });
  await putDictionary(db, { accountId: other.accountId, words: wordsOf('foreign') });
  const template = templateInput(accountId, {});
  await createTemplate(db, template);
  const accept = async () => {
    await pause();
    const request = documentRequest(template.id, { format: 'docx' });
    await acceptGeneration(db, accountId, request);
    await pause();
    return request.id;
  };
  const documents = [await accept()];
  for (const total of ['first', 'second']) {
    await putDictionary(db, { accountId, words: wordsOf(total) });
    documents.push(await accept());
  }
  await removeDictionary(db, accountId);
  documents.push(await accept());
  const claims = await Promise.all(documents.map((id) => claimGeneration(db, id)));
  const load = createWordsLoader(db, 1_000_000);
  const printed = async () => {
    const words = await Promise.all(claims.map((claim) => load(claim?.dictionaryId)));
    return words.map((json) => json && (JSON.parse(Buffer.from(json).toString()) as object));
  };
  expect(await printed()).toEqual([undefined, wordsOf('first'), wordsOf('second'), undefined]);

  const left = async () =>
    (await db.$client.query('select 1 from dictionaries where account_id = $1', [accountId])).rowCount;
  const [age, ids] = [`interval '1 hour'`, [accountId]];
  await db.$client.query(
    `update dictionaries set created_at = created_at - ${age}, replaced_at = replaced_at - ${age} where account_id = $1`,
    ids,
  );
  await db.$client.query(`update generations set accepted_at = accepted_at - ${age} where account_id = $1`, ids);
  await removeDictionaries(deps);
  expect(await left()).toBe(2);
  for (const claim of claims.slice(0, 3))
    if (claim !== undefined) await failGeneration(db, claim, { code: 'internal', message: 'x' });
  await removeDictionaries(deps);
  expect(await left()).toBe(0);
});

test('an account has one dictionary, whoever writes at the same time; the same words again change nothing', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  await together(10, (n) => putDictionary(db, { accountId, words: wordsOf(`word ${n}`) }));
  const current = await findDictionary(db, accountId);
  expect(current?.words.de?.total).toMatch(/^word \d$/);
  const again = await putDictionary(db, { accountId, words: current?.words ?? {} });
  expect([again.id, await findDictionaryId(db, accountId)]).toEqual([current?.id, current?.id]);
});

test('a change names the words that it replaces', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const put = (total: string, precondition = {}) =>
    putDictionary(db, { accountId, words: wordsOf(total), precondition });
  expect(await outcomeOf(removeDictionary(db, accountId))).toBe('not_found');
  expect(await outcomeOf(put('a', { anyOf: ['f'.repeat(64)] }))).toBe('precondition_failed');
  const { checksum } = await put('a', { noneOf: '*' });
  expect(await outcomeOf(put('b', { noneOf: '*' }))).toBe('precondition_failed');
  const { checksum: next } = await put('b', { anyOf: [checksum] });
  expect(await outcomeOf(put('c', { anyOf: [checksum] }))).toBe('precondition_failed');
  expect(await outcomeOf(removeDictionary(db, accountId, { anyOf: [checksum] }))).toBe('precondition_failed');
  await removeDictionary(db, accountId, { anyOf: [next] });
  expect(await findDictionary(db, accountId)).toBeUndefined();
});

test('replaced dictionaries that documents may still use are limited', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const outcomes: string[] = [];
  for (let n = 0; n < 22; n++) outcomes.push(await outcomeOf(putDictionary(db, { accountId, words: wordsOf(`${n}`) })));
  expect(outcomes.slice(0, 20).every((outcome) => outcome === 'ok')).toBe(true);
  expect(outcomes.at(-1)).toBe('conflict');
  await db.$client.query(
    `update dictionaries set replaced_at = now() - interval '2 minutes' where account_id = $1 and replaced_at is not null`,
    [accountId],
  );
  await removeDictionaries(await newWorkerDeps(db, url));
  expect(await outcomeOf(putDictionary(db, { accountId, words: wordsOf('last') }))).toBe('ok');
});
