import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { findFont, listFonts } from '../../../../src/shared/domain/fonts/find-fonts.ts';
import { type PutFontInput, putFont } from '../../../../src/shared/domain/fonts/put-font.ts';
import { removeFont } from '../../../../src/shared/domain/fonts/remove-font.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { claimGeneration } from '../../../../src/shared/domain/generations/claim-generation.ts';
import { failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { newId } from '../../../../src/shared/ids.ts';
import { purgeFonts } from '../../../../src/worker/maintenance/remove-expired.ts';
import {
  documentRequest,
  newAccount,
  outcomeOf,
  tally,
  templateInput,
  together,
} from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, url } = await useOwnDatabase();
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function input(accountId: string, family: string, changes: Partial<PutFontInput> = {}): PutFontInput {
  const id = newId('fnt');
  const objectKey = `fonts/${accountId}/${id}/${newId('upl')}.ttf`;
  const names = { name: family, family, familyNames: [family], fullName: family, version: null };
  const kind = { style: 'regular', format: 'truetype', embedding: 'installable' } as const;
  const content = { glyphs: 2, coverage: [65, 90], sizeBytes: 1_000, checksum: sha256(randomBytes(9)) };
  const limits = { maxFonts: 10, maxTotalBytes: 100_000 };
  return { id, accountId, ...names, ...kind, ...content, objectKey, objectChecksum: 'c', ...limits, ...changes };
}

const keyOf = (key: string, hash: string) => ({ key, operation: 'POST /v1/fonts', requestHash: hash, ttlSeconds: 60 });

test('fonts never exceed the number that an account may have, under 50 concurrent uploads', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const outcomes = await together(50, (i) => outcomeOf(putFont(db, input(accountId, `Font ${i}`), undefined)));
  expect(tally(outcomes)).toEqual({ ok: 10, quota_exceeded: 40 });
  expect((await listFonts(db, { accountId, limit: 100 })).fonts).toHaveLength(10);
});

test('fonts never exceed the size that an account may have, under 50 concurrent uploads', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const limits = { maxFonts: 1_000, maxTotalBytes: 7_500 };
  const outcomes = await together(50, (i) => outcomeOf(putFont(db, input(accountId, `Font ${i}`, limits), undefined)));
  expect(tally(outcomes)).toEqual({ ok: 7, quota_exceeded: 43 });
});

test('a font of the same family and style replaces the old one, at the limit too, and a deleted one does not count', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const limits = { maxFonts: 1, maxTotalBytes: 1_500 };
  const first = await putFont(db, input(accountId, 'Acme', limits), undefined);
  expect(await outcomeOf(putFont(db, input(accountId, 'Acme', { ...limits, style: 'bold' }), undefined))).toBe(
    'quota_exceeded',
  );
  const second = await putFont(db, input(accountId, 'ACME', limits), undefined);
  expect(second).toMatchObject({ isNew: false, font: { id: first.font.id } });
  await removeFont(db, accountId, first.font.id);
  expect(await outcomeOf(findFont(db, accountId, first.font.id))).toBe('not_found');
  expect(await putFont(db, input(accountId, 'Acme', limits), undefined)).toMatchObject({ isNew: true });
});

test('the same file again changes nothing, so that the same documents have the same bytes; another name changes only that', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const file = { checksum: sha256(randomBytes(9)), maxFonts: 1, maxTotalBytes: 1_500 };
  const first = await putFont(db, input(accountId, 'Acme', file), undefined);
  const puts = await together(5, () => putFont(db, input(accountId, 'Acme', file), undefined));
  for (const put of puts) expect(put).toEqual({ font: first.font, isNew: false, isReplay: false });
  const renamed = await putFont(db, input(accountId, 'Acme', { ...file, name: 'Corporate' }), undefined);
  expect(renamed.font).toEqual({ ...first.font, name: 'Corporate', updatedAt: renamed.font.updatedAt });
  expect(renamed.font.updatedAt.getTime()).toBeGreaterThan(first.font.updatedAt.getTime());
  // The stored form of a file changes with the release that makes it.
  const rebuilt = await putFont(db, input(accountId, 'Acme', { ...file, objectChecksum: 'd' }), undefined);
  expect(rebuilt.font.objectKey).not.toBe(first.font.objectKey);
});

test('fonts with one idempotency key are written once', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const puts = await together(10, () => putFont(db, input(accountId, 'Acme'), keyOf('k', 'same')));
  expect(puts.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
  expect(puts[0]?.font.createdAt).toBeInstanceOf(Date);
  expect(await outcomeOf(putFont(db, input(accountId, 'Acme'), keyOf('k', 'other')))).toBe('conflict');
});

test('a document has the fonts of its account, and those that were deleted after it was accepted', async () => {
  const [owner, other] = [
    await newAccount(db, { docs: 9, templates: 5 }),
    await newAccount(db, { docs: 9, templates: 5 }),
  ];
  const { accountId } = owner;
  const { font } = await putFont(db, input(accountId, 'Acme'), undefined);
  await putFont(db, input(other.accountId, 'Foreign'), undefined);
  const template = templateInput(accountId, {});
  await createTemplate(db, template);
  const accept = async (format: 'docx' | 'pdf') => {
    const request = documentRequest(template.id, { format });
    await acceptGeneration(db, accountId, request);
    return request.id;
  };
  const namesOf = async (id: string) => (await claimGeneration(db, id))?.accountFonts.map(({ fullName }) => fullName);
  const [before, word] = [await accept('pdf'), await accept('docx')];
  expect(await outcomeOf(removeFont(db, other.accountId, font.id))).toBe('not_found');
  await removeFont(db, accountId, font.id);
  const after = await accept('pdf');
  expect([await namesOf(before), await namesOf(word), await namesOf(after)]).toEqual([['Acme'], [], []]);
});

test('a document has the fonts that its account had when it was accepted, until the file of a replaced one is removed', async () => {
  const deps = await newWorkerDeps(db, url);
  const { accountId } = await newAccount(db, { docs: 9, templates: 5 });
  const template = templateInput(accountId, {});
  await createTemplate(db, template);
  const accept = async () => {
    const request = documentRequest(template.id, { format: 'pdf' });
    await acceptGeneration(db, accountId, request);
    return request.id;
  };
  const claim = async (id: string) => {
    const claimed = await claimGeneration(db, id);
    if (claimed === undefined) throw new Error('no claim');
    return claimed;
  };
  const fontsOf = async (id: string) => (await claim(id)).accountFonts.map(({ objectKey }) => objectKey);
  const [old, next, last] = [1, 2, 3].map(() => input(accountId, 'Acme')) as [PutFontInput, PutFontInput, PutFontInput];
  const pause = () => db.$client.query('select pg_sleep(0.005)');
  const documents: string[] = [await accept()];
  for (const font of [old, next, last]) {
    await pause();
    await deps.objects.put(font.objectKey, Buffer.from('font'), 'font/ttf');
    const { font: stored } = await putFont(db, font, undefined);
    expect(stored).toMatchObject({ id: old.id, objectKey: font.objectKey });
    await pause();
    documents.push(await accept());
  }
  const found = await Promise.all(documents.map(fontsOf));
  expect(found).toEqual([[], [old.objectKey], [next.objectKey], [last.objectKey]]);
  expect((await listFonts(db, { accountId, limit: 9 })).fonts.map(({ id }) => id)).toEqual([old.id]);

  const isStored = async ({ objectKey }: PutFontInput) =>
    (await deps.objects.get(objectKey, sha256(Buffer.from('font')))) !== undefined;
  const stored = () => Promise.all([old, next, last].map(isStored));
  const age = `interval '1 hour'`;
  await db.$client.query(`update fonts set deleted_at = deleted_at - ${age} where account_id = $1`, [accountId]);
  await db.$client.query(`update generations set accepted_at = accepted_at - ${age} where account_id = $1`, [
    accountId,
  ]);
  await purgeFonts(deps);
  expect(await stored()).toEqual([true, true, true]);
  for (const id of documents.slice(0, 3)) await failGeneration(db, await claim(id), { code: 'internal', message: 'x' });
  await purgeFonts(deps);
  expect(await stored()).toEqual([false, false, true]);
});

test('replaced fonts that documents may still use are limited too', async () => {
  const { accountId } = await newAccount(db, { templates: 1 });
  const limits = { maxFonts: 1, maxTotalBytes: 1_500 };
  const outcomes: string[] = [];
  for (let i = 0; i < 9; i++) outcomes.push(await outcomeOf(putFont(db, input(accountId, 'Acme', limits), undefined)));
  expect(tally(outcomes)).toEqual({ ok: 7, quota_exceeded: 2 });
  await db.$client.query(
    `update fonts set deleted_at = now() - interval '2 minutes' where account_id = $1 and deleted_at is not null`,
    [accountId],
  );
  await purgeFonts(await newWorkerDeps(db, url));
  expect(await outcomeOf(putFont(db, input(accountId, 'Acme', limits), undefined))).toBe('ok');
});

test('the file of a deleted font is removed when the documents accepted before have finished', async () => {
  const deps = await newWorkerDeps(db, url);
  const { accountId } = await newAccount(db, { docs: 9, templates: 5 });
  const wanted = input(accountId, 'Acme');
  await deps.objects.put(wanted.objectKey, Buffer.from('font'), 'font/ttf');
  await putFont(db, wanted, undefined);
  const template = templateInput(accountId, {});
  await createTemplate(db, template);
  const request = documentRequest(template.id, { format: 'pdf' });
  await acceptGeneration(db, accountId, request);
  await removeFont(db, accountId, wanted.id);
  await db.$client.query(`update fonts set deleted_at = now() - interval '2 minutes' where id = $1`, [wanted.id]);
  await db.$client.query(`update generations set accepted_at = now() - interval '1 hour' where id = $1`, [request.id]);
  const exists = async () => (await deps.objects.get(wanted.objectKey, sha256(Buffer.from('font')))) !== undefined;
  await purgeFonts(deps);
  expect(await exists()).toBe(true);
  const claim = await claimGeneration(db, request.id);
  if (claim === undefined) throw new Error('no claim');
  await failGeneration(db, claim, { code: 'internal', message: 'x' });
  await purgeFonts(deps);
  expect(await exists()).toBe(false);
});
