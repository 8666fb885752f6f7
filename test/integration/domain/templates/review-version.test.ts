import { beforeAll, describe, expect, it, test } from 'vitest';
import { matchAddress } from '../../../../src/api/erasure/address-matcher.ts';
import { loadApiConfig } from '../../../../src/shared/config/load-config.ts';
import { setApproval } from '../../../../src/shared/domain/accounts/set-approval.ts';
import { createKey } from '../../../../src/shared/domain/api-keys/create-key.ts';
import { forgetPeople } from '../../../../src/shared/domain/api-keys/people.ts';
import { listActs } from '../../../../src/shared/domain/audit/list-acts.ts';
import { acceptDocument } from '../../../../src/shared/domain/documents/accept-document.ts';
import { findDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import { promoteVersion } from '../../../../src/shared/domain/templates/change-template.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { findTemplate } from '../../../../src/shared/domain/templates/find-template.ts';
import { findVersion } from '../../../../src/shared/domain/templates/find-versions.ts';
import { putTemplate } from '../../../../src/shared/domain/templates/put-template.ts';
import { replaceContent } from '../../../../src/shared/domain/templates/replace-content.ts';
import { type ReviewInput, reviewVersion } from '../../../../src/shared/domain/templates/review-version.ts';
import {
  documentRequest,
  newAccount,
  outcomeOf,
  tally,
  templateInput,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useDatabase } from '../../../support/services/database.ts';
import { startApplication } from '../../../unit/api/application.ts';
import { required } from '../../../unit/shared/config/required-variables.ts';

const syntax = { open: '{', close: '}', unlikelyTags: 'text', hasEscapes: true } as const;
const { db, pool } = useDatabase();
const other = useDatabase();
keepRules(pool);

/** An account with approval, the keys of three people, and a template whose version 1 is live. */
async function newReview() {
  const { accountId, templateId } = await newAccount(db, { docs: 100, templates: 10 });
  const [author, approver, second] = await Promise.all(
    ['Ada', 'Grace', 'Mary'].map(async (name) => (await createKey(db, { accountId, name })).keyId),
  );
  await setApproval(db, { accountId, needsApproval: true });
  const upload = (changes: object = {}) => {
    const { id: _id, ...content } = templateInput(accountId, { uploadedBy: author ?? '', ...changes });
    return replaceContent(db, { ...content, templateId });
  };
  const step = (name: ReviewInput['step'], version: number, more: Partial<ReviewInput> & { on?: typeof db } = {}) => {
    const keyId = (name === 'submit' ? author : approver) ?? '';
    const { on = db, ...rest } = more;
    return reviewVersion(on, { accountId, templateId, version, step: name, keyId, ...rest });
  };
  const accept = (changes: object = {}) => acceptDocument(db, accountId, documentRequest(templateId, changes));
  const template = (which?: 'newest') => findTemplate(db, accountId, templateId, which);
  const state = async (version: number) => (await findVersion(db, { accountId, templateId, version })).reviewState;
  const people = { author: author ?? '', approver: approver ?? '', second: second ?? '' };
  return { accountId, templateId, upload, step, accept, template, state, ...people };
}

type Review = Awaited<ReturnType<typeof newReview>>;

describe('in an account with approval', () => {
  let review: Review;
  beforeAll(async () => {
    review = await newReview();
  });

  it('an upload is a draft: live keys keep their version, and test keys use the draft', async () => {
    const { upload, accept, template } = review;
    expect(await upload({ name: 'Renamed.docx' })).toMatchObject({ version: 2, reviewState: 'draft', draftVersion: 2 });
    expect(await template()).toMatchObject({ version: 1, draftVersion: 2, reviewState: null, name: 'Letter.docx' });
    expect(await template('newest')).toMatchObject({ version: 2 });
    expect(await accept()).toMatchObject({ templateVersion: 1 });
    expect(await accept({ isTest: true })).toMatchObject({ templateVersion: 2 });
    await expect(accept({ version: 2 })).rejects.toMatchObject({
      code: 'version_not_approved',
      message: expect.stringMatching(/^Version 2 of this template is a draft\. Submit it for review/),
    });
  });

  it('neither an unsubmitted draft nor a version of the approver can be approved', async () => {
    const { step, author } = review;
    await expect(step('approve', 2)).rejects.toMatchObject({ code: 'conflict', message: /Submit it for review first/ });
    expect(await step('submit', 2, { comment: 'New terms.' })).toMatchObject({ reviewState: 'review' });
    await expect(step('submit', 2)).rejects.toMatchObject({ code: 'conflict', message: /in review already/ });
    for (const name of ['approve', 'refuse'] as const)
      await expect(step(name, 2, { keyId: author })).rejects.toMatchObject({ code: 'approval_by_author' });
    expect(await review.state(2)).toBe('review');
  });

  it('the approval makes it live, and documents record who approved and when', async () => {
    const { step, accept, template, approver } = review;
    const queued = await accept();
    const { approval, reviewLog } = await step('approve', 2, { comment: 'Good.' });
    expect(approval).toEqual({ keyId: approver, name: 'Grace', at: expect.stringMatching(/^20.*Z$/) });
    expect(reviewLog.map(({ action, comment }) => [action, comment])).toEqual([
      ['submitted', 'New terms.'],
      ['approved', 'Good.'],
    ]);
    expect(await template()).toMatchObject({ version: 2, draftVersion: null, reviewState: 'approved' });
    const { id } = await accept();
    expect(await findDocument(db, id)).toMatchObject({ templateVersion: 2 });
    const { rows } = await pool.query('select approval from generations where id = any($1) order by template_version', [
      [queued.id, id],
    ]);
    expect(rows).toEqual([{ approval: null }, { approval }]);
  });

  it('a refused version stays refused, and the live one stays live', async () => {
    const { upload, step, accept, template } = review;
    await upload();
    await step('submit', 3);
    await step('refuse', 3, { comment: 'The total is missing.' });
    expect(await template()).toMatchObject({ version: 2, draftVersion: null });
    for (const name of ['submit', 'approve', 'override'] as const)
      await expect(step(name, 3)).rejects.toMatchObject({ code: 'conflict', message: /was refused, which is final/ });
    await expect(accept({ version: 3 })).rejects.toMatchObject({ code: 'version_not_approved' });
    expect(await accept({ isTest: true })).toMatchObject({ templateVersion: 2 });
  });

  it('a version that is not approved cannot be promoted, and one that was live can', async () => {
    const { accountId, templateId, template } = review;
    const promote = (version: number) => promoteVersion(db, { accountId, templateId, version });
    await expect(promote(3)).rejects.toMatchObject({ code: 'version_not_approved' });
    expect(await promote(1)).toMatchObject({ version: 1 });
    expect(await promote(2)).toMatchObject({ version: 2 });
    expect(await template()).toMatchObject({ version: 2 });
  });

  it('an override makes a draft live without approval, and is recorded in the audit log', async () => {
    const { accountId, templateId, upload, step, author, template } = review;
    await upload();
    const reason = 'Wrong bank account.';
    const { approval } = await step('override', 4, { keyId: author, comment: reason, address: '192.0.2.7' });
    expect(approval).toMatchObject({ keyId: author, overrideReason: reason });
    expect(await template()).toMatchObject({ version: 4, reviewState: 'approved' });
    const { acts } = await listActs(db, {
      accountId,
      action: undefined,
      since: undefined,
      before: undefined,
      limit: 10,
    });
    expect(acts).toMatchObject([{ action: 'override-approval', target: templateId, options: { version: '4' } }]);
  });

  it('an equal file adds no second draft', async () => {
    const { accountId, templateId } = review;
    const input = {
      ...templateInput(accountId, { syntax }),
      precondition: {},
      isNewAllowed: true,
      isStrict: false,
      isStated: false,
    };
    const first = await putTemplate(db, input);
    expect(first).toMatchObject({
      outcome: 'replaced',
      template: { id: templateId, version: 5, reviewState: 'draft' },
    });
    expect(await putTemplate(db, input)).toMatchObject({ outcome: 'unchanged', template: { version: 5 } });
  });
});

it('of two approvers and one who refuses at the same time, one decides', async () => {
  const { upload, step, approver, second, state, template } = await newReview();
  await upload();
  await step('submit', 2);
  const decide = async (index: number) => {
    const by = { keyId: index % 2 === 0 ? approver : second, on: index % 2 === 0 ? db : other.db };
    return await outcomeOf(step(index % 3 === 0 ? 'refuse' : 'approve', 2, by));
  };
  const outcomes = tally(await together(12, decide));
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(12);
  expect(outcomes.conflict).toBe(11);
  const isApproved = (await state(2)) === 'approved';
  expect(await template()).toMatchObject({ version: isApproved ? 2 : 1, draftVersion: null });
});

it('an upload during an approval stays a draft', async () => {
  const { upload, step, template, state } = await newReview();
  await upload();
  await step('submit', 2);
  await Promise.all([step('approve', 2, { on: other.db }), upload()]);
  expect(await template()).toMatchObject({ version: 2, draftVersion: 3 });
  expect([await state(2), await state(3)]).toEqual(['approved', 'draft']);
});

it('an older version is not approved over a newer live one', async () => {
  const { upload, step, template } = await newReview();
  await upload();
  await upload();
  for (const version of [2, 3]) await step('submit', version);
  await step('approve', 3);
  await expect(step('approve', 2)).rejects.toMatchObject({
    code: 'conflict',
    message: /^Version 3, which is newer, is/,
  });
  await step('refuse', 2, { comment: 'Replaced.' });
  expect(await template()).toMatchObject({ version: 3, draftVersion: null });
});

it('a new template has no live version, until one is approved', async () => {
  const { accountId, author, approver } = await newReview();
  const input = templateInput(accountId, { name: 'New.docx', uploadedBy: author });
  const { id: templateId, reviewState } = await createTemplate(db, input);
  expect(reviewState).toBe('draft');
  const accept = (isTest: boolean) => acceptDocument(db, accountId, documentRequest(templateId, { isTest }));
  await expect(accept(false)).rejects.toMatchObject({ code: 'version_not_approved' });
  expect(await accept(true)).toMatchObject({ templateVersion: 1 });
  const of = { accountId, templateId, version: 1 };
  await reviewVersion(db, { ...of, step: 'submit', keyId: author });
  await reviewVersion(db, { ...of, step: 'approve', keyId: approver });
  expect(await accept(false)).toMatchObject({ templateVersion: 1 });
});

it('an included template must be approved for live keys, and test keys use its draft', async () => {
  const { accountId, templateId, author, approver, upload, step, accept } = await newReview();
  const terms = await createTemplate(db, templateInput(accountId, { name: 'Terms.docx', uploadedBy: author }));
  await upload({ includes: ['Terms'] });
  await step('submit', 2);
  await step('approve', 2);
  await expect(accept()).rejects.toMatchObject({
    code: 'version_not_approved',
    message: expect.stringContaining('"Terms", which has no approved version'),
  });
  expect(await accept({ isTest: true })).toMatchObject({ templateVersion: 2 });
  const of = { accountId, templateId: terms.id, version: 1 };
  await reviewVersion(db, { ...of, step: 'submit', keyId: author });
  const { approval } = await reviewVersion(db, { ...of, step: 'approve', keyId: approver });
  const { id } = await accept();
  const { rows } = await pool.query('select includes from generations where id = $1', [id]);
  expect(rows[0].includes).toMatchObject([{ templateId: terms.id, version: 1, approval }]);
  expect(templateId).not.toBe(terms.id);
});

it('without approval nothing is a draft, and drafts from before become live by promotion', async () => {
  const { accountId, templateId, upload, step, accept, template, state } = await newReview();
  await upload();
  await setApproval(db, { accountId, needsApproval: false });
  await expect(accept({ version: 2 })).rejects.toMatchObject({ code: 'version_not_approved' });
  expect(await promoteVersion(db, { accountId, templateId, version: 2 })).toMatchObject({
    version: 2,
    reviewState: null,
  });
  expect(await accept()).toMatchObject({ templateVersion: 2 });
  expect(await upload()).toMatchObject({ version: 3, reviewState: null, draftVersion: null });
  expect(await template()).toMatchObject({ version: 3 });
  expect(await state(3)).toBeNull();
  await expect(step('submit', 3)).rejects.toMatchObject({ code: 'conflict', message: /needs no approval/ });
});

test('a person whose name is erased has none in reviews either, and the other people stay', async () => {
  const { accountId, templateId, upload, step, author, approver } = await newReview();
  await upload();
  await step('submit', 2, { comment: 'Please.' });
  await step('approve', 2);
  await upload({ checksum: 'c3' });
  await pool.query(
    "update api_keys set provider = 'acme', subject = id, email = id || '@example.com' where id = any($1)",
    [[author, approver]],
  );
  await forgetPeople(db, accountId, matchAddress(`${approver}@example.com`).isIn);
  const { approval, reviewLog } = await findVersion(db, { accountId, templateId, version: 2 });
  expect(approval).toMatchObject({ keyId: approver, name: null });
  expect(reviewLog).toMatchObject([
    { action: 'submitted', keyId: author, name: 'Ada', comment: 'Please.' },
    { action: 'approved', keyId: approver, name: null },
  ]);
  expect(await findVersion(db, { accountId, templateId, version: 3 })).toMatchObject({ reviewLog: [], approval: null });
  await forgetPeople(db, accountId, matchAddress(`${author}@example.com`).isIn);
  expect((await findVersion(db, { accountId, templateId, version: 2 })).reviewLog[0]).toMatchObject({ name: null });
});

test('the audit entry of an override has the address of the client behind a trusted proxy', async () => {
  const { accountId, templateId, upload, author } = await newReview();
  await upload();
  const { clientOf } = await startApplication(
    { chief: { accountId, keyId: author, scopes: ['templates:override'] } },
    {},
    'all',
    {
      services: { db, config: { ...loadApiConfig(required), TRUSTED_PROXIES: ['127.0.0.1'] } },
    },
  );
  const answer = await clientOf('chief').call('POST', `/v1/templates/${templateId}/versions/2/override`, {
    json: { reason: 'Wrong bank account.' },
    headers: { 'X-Forwarded-For': '198.51.100.7' },
  });
  expect(answer.status).toBe(200);
  const { rows } = await pool.query(
    "select host from audit_log where action = 'override-approval' and account_id = $1",
    [accountId],
  );
  expect(rows).toEqual([{ host: '198.51.100.7' }]);
});
