import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { purgeTemplate, removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import { findThumbnail, storeThumbnail } from '../../../../src/shared/domain/templates/thumbnails.ts';
import { newAccount } from '../../../support/domain/accounts.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const failure = { code: 'conversion_failed', message: 'no' } as const;
const pictures = ['one', 'two', 'three', 'four'].map((text) => Buffer.from(text));

async function newVersion() {
  const { accountId, templateId } = await newAccount(db, { docs: 1, templates: 2 });
  return { accountId, templateId, version: 1 };
}

test('of several pictures at once one is kept, whole', async () => {
  const version = await newVersion();
  expect(await findThumbnail(db, version)).toBeUndefined();
  await Promise.all(pictures.map((png) => storeThumbnail(db, version, png)));
  const kept = await findThumbnail(db, version);
  expect(pictures.map(String)).toContain(String(kept?.png));
  expect(kept).toEqual({ png: kept?.png, checksum: hash('sha256', kept?.png ?? '', 'hex') });
  await storeThumbnail(db, version, Buffer.from('later'));
  await storeThumbnail(db, version, failure);
  expect(await findThumbnail(db, version)).toEqual(kept);
});

test('a picture is made again when the versions that its template includes have changed', async () => {
  const version = await newVersion();
  const including = (objectKey: string) => ({ ...version, includes: [{ reference: 'terms', objectKey }] });
  await storeThumbnail(db, including('first'), Buffer.from('one'));
  expect(await findThumbnail(db, including('second'))).toBeUndefined();
  await storeThumbnail(db, including('first'), Buffer.from('two'));
  expect(String((await findThumbnail(db, including('first')))?.png)).toBe('one');
  await storeThumbnail(db, including('second'), Buffer.from('three'));
  expect(String((await findThumbnail(db, including('second')))?.png)).toBe('three');
  expect(await findThumbnail(db, version)).toBeUndefined();
});

test('a failure is kept for a day, and replaced by a picture', async () => {
  const version = await newVersion();
  await storeThumbnail(db, version, failure);
  expect(await findThumbnail(db, version)).toEqual({ error: failure });
  await pool.query(`update template_thumbnails set made_at = now() - interval '25 hours' where template_id = $1`, [
    version.templateId,
  ]);
  expect(await findThumbnail(db, version)).toBeUndefined();
  await storeThumbnail(db, version, failure);
  expect(await findThumbnail(db, version)).toEqual({ error: failure });
  await storeThumbnail(db, version, Buffer.from('one'));
  expect(String((await findThumbnail(db, version))?.png)).toBe('one');
});

test('a picture that took too long is tried again after ten minutes', async () => {
  const version = await newVersion();
  const late = { code: 'conversion_timeout', message: 'late' } as const;
  await storeThumbnail(db, version, late);
  expect(await findThumbnail(db, version)).toEqual({ error: late });
  await pool.query(`update template_thumbnails set made_at = now() - interval '11 minutes' where template_id = $1`, [
    version.templateId,
  ]);
  expect(await findThumbnail(db, version)).toBeUndefined();
});

test('a version that does not exist has none, and a purged template takes its thumbnails along', async () => {
  const version = await newVersion();
  await storeThumbnail(db, { ...version, version: 9 }, Buffer.from('one'));
  expect(await findThumbnail(db, { ...version, version: 9 })).toBeUndefined();
  await storeThumbnail(db, version, Buffer.from('one'));
  await removeTemplate(db, version.accountId, version.templateId);
  await purgeTemplate(db, version.templateId);
  expect(await findThumbnail(db, version)).toBeUndefined();
  await storeThumbnail(db, version, Buffer.from('one'));
  expect(await findThumbnail(db, version)).toBeUndefined();
});
