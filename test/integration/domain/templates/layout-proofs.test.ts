import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  anyLayoutKey,
  claimProof,
  countPageCheck,
  decideProof,
  findLayoutState,
  type ProofOf,
  releaseClaim,
  removeOldProofs,
  renewClaim,
  replaceProof,
  requestProof,
  revertProof,
  takeAbandonedVersion,
  takeUploadedVersion,
} from '../../../../src/shared/domain/templates/layout-proofs.ts';
import { listProofs } from '../../../../src/shared/domain/templates/list-proofs.ts';
import { acceptOne, claimed, newAccount, type TestAccount } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';

const { db, pool } = await useOwnDatabase();
const newKey = (): string => randomUUID();
const direct = { state: 'direct', reasons: [], compared: 12 } as const;

async function newTemplate(layoutKey: string, isRequested = true): Promise<ProofOf & { readonly accountId: string }> {
  const { accountId, templateId } = await newAccount(db, { docs: 5 });
  const template = { accountId, templateId, version: 1, layoutKey };
  if (isRequested) await requestProof(db, accountId, template);
  return template;
}

/** What a worker learns when it claims a PDF of the template. */
async function proofsOfNextPdf(account: TestAccount) {
  return (await claimed(db, await acceptOne(db, account, { format: 'pdf' }))).layoutProofs;
}

test('a version waits for its comparison, and its PDFs are laid out directly after it', async () => {
  const template = await newTemplate(newKey(), false);
  expect(await proofsOfNextPdf(template)).toEqual([]);
  for (let time = 0; time < 2; time++) await requestProof(db, template.accountId, template);
  const { layoutKey } = template;
  expect(await proofsOfNextPdf(template)).toEqual([{ layoutKey, state: 'waiting', checked: 0, reason: null }]);
  const claim = await claimProof(db, layoutKey, 60);
  expect(claim).toMatchObject({ templateId: template.templateId, accountId: template.accountId, attempts: 1 });
  expect(await claimProof(db, layoutKey, 60)).toBeUndefined();
  expect(await decideProof(db, template, direct)).toBe(true);
  expect(await decideProof(db, template, { state: 'office', reasons: ['late'], compared: 0 })).toBe(false);
  await countPageCheck(db, template);
  expect(await proofsOfNextPdf(template)).toEqual([{ layoutKey, state: 'direct', checked: 1, reason: null }]);
});

test('a difference returns the version to LibreOffice once, for every document claimed afterwards', async () => {
  const template = await newTemplate(newKey());
  await decideProof(db, template, direct);
  const differences = [{ measure: 'text', page: 2, message: '1 character missing', x: 10, y: 20 }] as const;
  const found = (documentId: string) => ({ documentId, differences, reason: 'A document differs.' });
  const reverted = await Promise.all(['doc_1', 'doc_2'].map((id) => revertProof(db, template, found(id))));
  expect(reverted.toSorted()).toEqual([false, true]);
  expect(await proofsOfNextPdf(template)).toMatchObject([{ state: 'office', reason: 'A document differs.' }]);
  expect(await listProofs(db, template)).toMatchObject([{ state: 'office', reason: 'A document differs.' }]);
  const state = await findLayoutState(db, template.templateId, 1);
  expect(state).toMatchObject({ state: 'office', reasons: ['A document differs.'], differences });
});

test('a comparison whose process died is claimed again after its lease', async () => {
  const template = await newTemplate(newKey());
  await claimProof(db, template.layoutKey, 60);
  await pool.query(`update layout_proofs set claimed_until = now() - interval '1 s' where template_id = $1`, [
    template.templateId,
  ]);
  expect(await claimProof(db, template.layoutKey, 60)).toMatchObject({ attempts: 2 });
});

test('a claim is kept while it is renewed, and a worker that stops gives it back without counting an attempt', async () => {
  const template = await newTemplate(newKey());
  const stateOf = () => findLayoutState(db, template.templateId, 1);
  expect(await stateOf()).toMatchObject({ state: 'waiting', isClaimed: false });
  await claimProof(db, template.layoutKey, 0);
  await renewClaim(db, template, 60);
  expect(await stateOf()).toMatchObject({ state: 'waiting', isClaimed: true });
  expect(await claimProof(db, template.layoutKey, 60)).toBeUndefined();
  await releaseClaim(db, template);
  expect(await claimProof(db, template.layoutKey, 60)).toMatchObject({ attempts: 1 });
  await decideProof(db, template, direct);
  for (const change of [renewClaim(db, template, 60), releaseClaim(db, template)]) await change;
  expect(await stateOf()).toMatchObject({ state: 'direct', isClaimed: false });
});

test('a comparison that waits for engines without workers is made with others, and again for its own if they return', async () => {
  const [lost, present] = [newKey(), newKey()];
  const [one, other] = [await newTemplate(`${lost}+files`), await newTemplate(lost)];
  const isTaken = () => takeAbandonedVersion(db, present, 600);
  expect(await isTaken()).toBe(false);
  await pool.query(`update layout_proofs set requested_at = now() - interval '11 min' where layout_key like $1`, [
    `${lost}%`,
  ]);
  // The engines are at work on the other comparison, so this one is only waiting for its turn.
  await claimProof(db, lost, 60);
  expect(await isTaken()).toBe(false);
  await pool.query(`update layout_proofs set claimed_until = now() - interval '1 s' where layout_key like $1`, [
    `${lost}%`,
  ]);
  expect([await isTaken(), await isTaken(), await isTaken()]).toEqual([true, true, false]);
  for (const template of [one, other]) expect(await proofsOfNextPdf(template)).toMatchObject([{ layoutKey: present }]);
  expect(await claimProof(db, lost, 60)).toBeUndefined();
  expect(await takeAbandonedVersion(db, lost, 600)).toBe(true);
});

test('an account with many waiting versions does not delay those of others', async () => {
  const layoutKey = newKey();
  const many = await newTemplate(layoutKey);
  await pool.query(
    `insert into template_versions (template_id, version, object_key, size_bytes, checksum, tags, created_at)
      select $1, n, $1 || n, 1, 'sum', '[]', now() from generate_series(2, 4) n`,
    [many.templateId],
  );
  for (const version of [2, 3, 4]) await requestProof(db, many.accountId, { ...many, version });
  const other = await newTemplate(layoutKey);
  const claims = [await claimProof(db, layoutKey, 60), await claimProof(db, layoutKey, 60)];
  expect(new Set(claims.map((claim) => claim?.accountId))).toEqual(new Set([many.accountId, other.accountId]));
});

test('results with other engines or fonts do not apply, and are forgotten after a while', async () => {
  const old = await newTemplate(newKey());
  await decideProof(db, old, direct);
  const current = { ...old, layoutKey: newKey() };
  await requestProof(db, current.accountId, current);
  expect(await claimProof(db, current.layoutKey, 60)).toMatchObject({ templateId: old.templateId });
  await pool.query(`update layout_proofs set requested_at = now() - interval '40 days' where layout_key = $1`, [
    old.layoutKey,
  ]);
  await removeOldProofs(db, current, 30);
  expect(await proofsOfNextPdf(current)).toEqual([
    { layoutKey: current.layoutKey, state: 'waiting', checked: 0, reason: null },
  ]);
});

test('a version that does not exist cannot be compared', async () => {
  const template = await newTemplate(newKey(), false);
  await requestProof(db, template.accountId, { ...template, version: 7 });
  expect(await claimProof(db, template.layoutKey, 60)).toBeUndefined();
});

test('an uploaded version is compared by the first worker that takes it, and not at all once it is replaced', async () => {
  const [one, other] = [await newTemplate(newKey(), false), await newTemplate(anyLayoutKey, false)];
  for (let time = 0; time < 2; time++) await requestProof(db, one.accountId, { ...one, layoutKey: anyLayoutKey });
  expect(await claimProof(db, one.layoutKey, 60)).toBeUndefined();
  expect(await findLayoutState(db, one.templateId, 1)).toMatchObject({ state: 'waiting' });
  const taken = await Promise.all([takeUploadedVersion(db, one.layoutKey), takeUploadedVersion(db, one.layoutKey)]);
  expect(taken.toSorted()).toEqual([false, true]);
  expect(await proofsOfNextPdf(one)).toEqual([
    { layoutKey: one.layoutKey, state: 'waiting', checked: 0, reason: null },
  ]);
  expect(await claimProof(db, one.layoutKey, 60)).toMatchObject({ templateId: one.templateId, attempts: 1 });

  await requestProof(db, other.accountId, other);
  await pool.query('update templates set version = 2 where id = $1', [other.templateId]);
  expect(await takeUploadedVersion(db, one.layoutKey)).toBe(true);
  expect(await findLayoutState(db, other.templateId, 1)).toBeUndefined();
  expect(await takeUploadedVersion(db, one.layoutKey)).toBe(false);
});

test('an upload changes nothing for a version that was compared before', async () => {
  const template = await newTemplate(newKey());
  await decideProof(db, template, direct);
  await requestProof(db, template.accountId, { ...template, layoutKey: anyLayoutKey });
  expect(await takeUploadedVersion(db, template.layoutKey)).toBe(true);
  expect(await proofsOfNextPdf(template)).toMatchObject([{ state: 'direct', checked: 0 }]);
});

test('a proof with included templates is claimed by its engines, and gives way to that of the current ones', async () => {
  const layoutKey = newKey();
  const [old, current] = [`${layoutKey}+old`, `${layoutKey}+new`];
  const template = await newTemplate(old);
  expect(await claimProof(db, newKey(), 60)).toBeUndefined();
  expect(await claimProof(db, layoutKey, 60)).toMatchObject({ layoutKey: old, references: [] });
  for (let time = 0; time < 2; time++) await replaceProof(db, template.accountId, template, current);
  expect(await claimProof(db, layoutKey, 60)).toMatchObject({ layoutKey: current, attempts: 1 });
  expect(await listProofs(db, template)).toMatchObject([{ layoutKey: current, state: 'waiting' }]);
});
