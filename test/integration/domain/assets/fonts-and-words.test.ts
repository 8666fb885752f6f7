import { hash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { setApproval } from '../../../../src/shared/domain/accounts/set-approval.ts';
import { findDictionary, findDictionaryId } from '../../../../src/shared/domain/dictionaries/find-dictionary.ts';
import { putDictionary } from '../../../../src/shared/domain/dictionaries/put-dictionary.ts';
import { removeDictionary } from '../../../../src/shared/domain/dictionaries/remove-dictionary.ts';
import { failDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { findFont, listFonts } from '../../../../src/shared/domain/fonts/find-fonts.ts';
import { type PutFontInput, putFont } from '../../../../src/shared/domain/fonts/put-font.ts';
import { removeFont } from '../../../../src/shared/domain/fonts/remove-font.ts';
import { newId } from '../../../../src/shared/ids.ts';
import { createWordsLoader } from '../../../../src/worker/documents/load-words.ts';
import { purgeFonts, removeDictionaries } from '../../../../src/worker/maintenance/remove-expired.ts';
import { expectProblem } from '../../../support/client/api-client.ts';
import {
  claimed,
  failOne,
  internalError,
  newAccount,
  outcomeOf,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';
import { startApplication } from '../../../unit/api/application.ts';

const { db, pool, url } = await useOwnDatabase();

/** Rows have times in milliseconds: what comes after this is later than what came before. */
const pause = () => pool.query('select pg_sleep(0.005)');

/** Moves the rows that an account replaced, and its requests, an hour into the past. */
async function age(accountId: string, table: 'fonts' | 'dictionaries', ...columns: readonly string[]): Promise<void> {
  const earlier = columns.map((column) => `${column} = ${column} - interval '1 hour'`);
  await pool.query(`update ${table} set ${earlier.join(', ')} where account_id = $1`, [accountId]);
  const accepted = `update generations set accepted_at = accepted_at - interval '1 hour' where account_id = $1`;
  await pool.query(accepted, [accountId]);
}

describe('fonts of an account', () => {
  function input(accountId: string, family: string, changes: Partial<PutFontInput> = {}): PutFontInput {
    const id = newId('fnt');
    const objectKey = `fonts/${accountId}/${id}/${newId('upl')}.ttf`;
    const names = { name: family, family, familyNames: [family], fullName: family, version: null };
    const kind = { style: 'regular', format: 'truetype', embedding: 'installable' } as const;
    const checksum = hash('sha256', randomBytes(9), 'hex');
    const content = { glyphs: 2, coverage: [65, 90], sizeBytes: 1_000, checksum };
    const limits = { maxFonts: 10, maxTotalBytes: 100_000 };
    return { id, accountId, ...names, ...kind, ...content, objectKey, objectChecksum: 'c', ...limits, ...changes };
  }
  const one = { maxFonts: 1, maxTotalBytes: 1_500 };

  async function newOwner() {
    const account = await newAccount(db, { docs: 9, templates: 1 });
    const put = (family: string, changes: Partial<PutFontInput> = {}) =>
      putFont(db, input(account.accountId, family, changes), undefined);
    const list = async () => (await listFonts(db, { accountId: account.accountId, limit: 100 })).fonts;
    return { ...account, put, list };
  }

  test('need the scope to approve while the account needs approval', async () => {
    const { accountId, put } = await newOwner();
    const { font } = await put('Before');
    await setApproval(db, { accountId, needsApproval: true });
    expect(await outcomeOf(put('Before'))).toBe('insufficient_scope');
    expect((await put('After', { mayApprove: true })).isNew).toBe(true);
    const scopes = ['templates:write', 'templates:read'] as const;
    const { clientOf } = await startApplication(
      { writer: { accountId, scopes }, both: { accountId, scopes: [...scopes, 'templates:approve'] } },
      {},
      'all',
      { services: { db } },
    );
    const [writer, both] = [clientOf('writer'), clientOf('both')];
    const words = { json: { words: { de: { total: 'Summe' } } } };
    const statuses = async (client: typeof writer) => [
      (await client.call('PUT', '/v1/dictionary', words)).status,
      (await client.call('DELETE', '/v1/dictionary')).status,
      (await client.call('DELETE', `/v1/fonts/${font.id}`)).status,
      (await client.call('DELETE', `/v1/assets/${newId('ast')}`)).status,
    ];
    const refused = await writer.call('PUT', '/v1/dictionary', words);
    expectProblem(refused, 403, /needs approval.*Use a key that also has the scope templates:approve/);
    expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope"');
    expect(await statuses(writer)).toEqual([403, 403, 403, 403]);
    expect(await statuses(both)).toEqual([200, 204, 204, 404]);
    await setApproval(db, { accountId, needsApproval: false });
    expect((await writer.call('PUT', '/v1/dictionary', words)).status).toBe(200);
  });

  test.each<[string, Partial<PutFontInput>, number]>([
    ['number', {}, 10],
    ['size', { maxFonts: 1_000, maxTotalBytes: 7_500 }, 7],
  ])('never exceed the %s that it may have, under 50 concurrent uploads', async (_what, limits, most) => {
    const { put, list } = await newOwner();
    const outcomes = await together(50, (i) => outcomeOf(put(`Font ${i}`, limits)));
    expect(tally(outcomes)).toEqual({ ok: most, quota_exceeded: 50 - most });
    expect(await list()).toHaveLength(most);
  });

  test('replace those of the same family and style, at the limit too, and a deleted one does not count', async () => {
    const { accountId, put } = await newOwner();
    const { font } = await put('Acme', one);
    expect(await outcomeOf(put('Acme', { ...one, style: 'bold' }))).toBe('quota_exceeded');
    expect(await put('ACME', one)).toMatchObject({ isNew: false, font: { id: font.id } });
    await removeFont(db, accountId, font.id);
    expect(await outcomeOf(findFont(db, accountId, font.id))).toBe('not_found');
    expect(await put('Acme', one)).toMatchObject({ isNew: true });
  });

  test('do not change when the same file is uploaded again, so that documents keep their bytes; a new name changes only the name', async () => {
    const { put } = await newOwner();
    const file = { checksum: hash('sha256', randomBytes(9), 'hex'), ...one };
    const first = await put('Acme', file);
    const puts = await together(5, () => put('Acme', file));
    for (const again of puts) expect(again).toEqual({ font: first.font, isNew: false, isReplay: false });
    await pause();
    const { font: renamed } = await put('Acme', { ...file, name: 'Corporate' });
    expect(renamed).toEqual({ ...first.font, name: 'Corporate', updatedAt: renamed.updatedAt });
    expect(renamed.updatedAt.getTime()).toBeGreaterThan(first.font.updatedAt.getTime());
    // The stored form of a file changes with the release that makes it.
    const rebuilt = await put('Acme', { ...file, objectChecksum: 'd' });
    expect(rebuilt.font.objectKey).not.toBe(first.font.objectKey);
  });

  test('with one idempotency key are written once', async () => {
    const { accountId } = await newOwner();
    const put = (requestHash: string) => {
      const key = { key: 'k', operation: 'POST /v1/fonts', requestHash, ttlSeconds: 60 };
      return putFont(db, input(accountId, 'Acme'), key);
    };
    const puts = await together(10, () => put('same'));
    expect(puts.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(puts[0]?.font.createdAt).toBeInstanceOf(Date);
    expect(await outcomeOf(put('other'))).toBe('conflict');
  });

  test('include those deleted after a PDF was accepted, and only for PDFs of the account', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const { font } = await owner.put('Acme');
    await other.put('Foreign');
    const namesOf = async (id: string) => (await claimed(db, id)).accountFonts.map(({ fullName }) => fullName);
    const [before, word] = [await owner.accept({ format: 'pdf' }), await owner.accept({ format: 'docx' })];
    expect(await outcomeOf(removeFont(db, other.accountId, font.id))).toBe('not_found');
    await pause();
    await removeFont(db, owner.accountId, font.id);
    const after = await owner.accept({ format: 'pdf' });
    expect([await namesOf(before), await namesOf(word), await namesOf(after)]).toEqual([['Acme'], [], []]);
  });

  test('are fixed when a document is accepted; files of replaced or deleted fonts are removed later', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId, accept, list } = await newOwner();
    const file = Buffer.from('font');
    const fontsOf = async (id: string) => (await claimed(db, id)).accountFonts.map(({ objectKey }) => objectKey);
    const fonts = [1, 2, 3].map(() => input(accountId, 'Acme'));
    const documents = [await accept({ format: 'pdf' })];
    for (const font of fonts) {
      await pause();
      await deps.objects.put(font.objectKey, file, 'font/ttf');
      const { font: stored } = await putFont(db, font, undefined);
      expect(stored).toMatchObject({ id: fonts[0]?.id, objectKey: font.objectKey });
      await pause();
      documents.push(await accept({ format: 'pdf' }));
    }
    const found = await Promise.all(documents.map(fontsOf));
    expect(found).toEqual([[], ...fonts.map(({ objectKey }) => [objectKey])]);
    const [current, ...others] = await list();
    expect([current?.id, others]).toEqual([fonts[0]?.id, []]);

    const isStored = async ({ objectKey }: PutFontInput) =>
      (await deps.objects.get(objectKey, hash('sha256', file, 'hex'))) !== undefined;
    const purged = async () => {
      await purgeFonts(deps);
      return await Promise.all(fonts.map(isStored));
    };
    await age(accountId, 'fonts', 'deleted_at');
    expect(await purged()).toEqual([true, true, true]);
    for (const id of documents.slice(0, 3)) await failOne(db, id);
    expect(await purged()).toEqual([false, false, true]);
    await removeFont(db, accountId, current?.id ?? '');
    await age(accountId, 'fonts', 'deleted_at');
    expect(await purged()).toEqual([false, false, true]);
    await failOne(db, documents[3] ?? '');
    expect(await purged()).toEqual([false, false, false]);
  });

  test('that were replaced but may still be used are limited too', async () => {
    const { accountId, put } = await newOwner();
    const outcomes: string[] = [];
    for (let i = 0; i < 9; i++) outcomes.push(await outcomeOf(put('Acme', one)));
    expect(tally(outcomes)).toEqual({ ok: 7, quota_exceeded: 2 });
    await age(accountId, 'fonts', 'deleted_at');
    await purgeFonts(await newWorkerDeps(db, url));
    expect(await outcomeOf(put('Acme', one))).toBe('ok');
  });
});

describe('the dictionary of an account', () => {
  const wordsOf = (total: string) => ({ de: { total } });

  test('gives a document the words that applied when it was accepted, and keeps them until it has ended', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId, accept } = await newAccount(db, { docs: 9 });
    const other = await newAccount(db, { docs: 9 });
    await putDictionary(db, { accountId: other.accountId, words: wordsOf('foreign') });
    const acceptLater = async () => {
      await pause();
      const id = await accept();
      await pause();
      return id;
    };
    const documents = [await acceptLater()];
    for (const total of ['first', 'second']) {
      await putDictionary(db, { accountId, words: wordsOf(total) });
      documents.push(await acceptLater());
    }
    await removeDictionary(db, accountId);
    documents.push(await acceptLater());
    const claims = await Promise.all(documents.map((id) => claimed(db, id)));
    const load = createWordsLoader(db, 1_000_000);
    const words = await Promise.all(claims.map((claim) => load(claim.dictionaryId)));
    const printed = words.map((json) => json && (JSON.parse(Buffer.from(json).toString()) as object));
    expect(printed).toEqual([undefined, wordsOf('first'), wordsOf('second'), undefined]);

    const left = async () => {
      await removeDictionaries(deps);
      return (await pool.query('select 1 from dictionaries where account_id = $1', [accountId])).rowCount;
    };
    await age(accountId, 'dictionaries', 'created_at', 'replaced_at');
    expect(await left()).toBe(2);
    for (const claim of claims.slice(0, 3)) await failDocument(db, claim, internalError);
    expect(await left()).toBe(0);
  });

  test('exists once, even after concurrent writes; writing the same words again changes nothing', async () => {
    const { accountId } = await newAccount(db, { templates: 1 });
    await together(10, (n) => putDictionary(db, { accountId, words: wordsOf(`word ${n}`) }));
    const current = await findDictionary(db, accountId);
    expect(current?.words.de?.total).toMatch(/^word \d$/);
    const again = await putDictionary(db, { accountId, words: current?.words ?? {} });
    expect([again.id, await findDictionaryId(db, accountId)]).toEqual([current?.id, current?.id]);
  });

  test('changes only for a request whose precondition matches the current words', async () => {
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

  test('keeps a limited number of earlier versions that documents may still use', async () => {
    const { accountId } = await newAccount(db, { templates: 1 });
    const put = (total: string) => outcomeOf(putDictionary(db, { accountId, words: wordsOf(total) }));
    const outcomes: string[] = [];
    for (let n = 0; n < 22; n++) outcomes.push(await put(`${n}`));
    expect(outcomes.slice(0, 20)).toEqual(Array(20).fill('ok'));
    expect(outcomes.at(-1)).toBe('conflict');
    await age(accountId, 'dictionaries', 'replaced_at');
    await removeDictionaries(await newWorkerDeps(db, url));
    expect(await put('last')).toBe('ok');
  });
});
