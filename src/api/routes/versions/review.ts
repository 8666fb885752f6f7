import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Executor } from '../../../shared/db/client.ts';
import type { Scope } from '../../../shared/domain/api-keys/scopes.ts';
import { onceWithResult } from '../../../shared/domain/idempotency-keys.ts';
import { findTemplate } from '../../../shared/domain/templates/find-template.ts';
import { findVersion, type VersionRecord } from '../../../shared/domain/templates/find-versions.ts';
import { isReleasedState } from '../../../shared/domain/templates/review-states.ts';
import { isSamePerson, type ReviewStep, reviewVersion } from '../../../shared/domain/templates/review-version.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { clientAddress } from '../../http/client-address.ts';
import { templatePrecondition } from '../../http/conditional-request.ts';
import { parseRequest, pathId } from '../../http/parse-request.ts';
import { hasAtMost } from '../../http/plain-text.ts';
import { readJson } from '../../http/read-json.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import {
  idempotencyHeader,
  ifMatchHeader,
  problemResponses,
  templateIdParam,
  versionParam,
} from '../common-schemas.ts';
import { reviewSchema, toReview } from './review-resource.ts';

const params = z.object({ id: templateIdParam, version: versionParam });
const tags = ['Templates'];
const review = { description: 'The review.', content: { 'application/json': { schema: reviewSchema } } };

const getReviewOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/templates/{id}/versions/{version}/review',
    operationId: 'getReview',
    summary: 'Get review',
    description:
      'Where a version is on its way to live keys, who uploaded it, and what was said about it. To compare it with the live version, see `content`, `schema` and previews of both.',
    tags,
    request: { params },
    responses: { 200: review, ...problemResponses(400, 404) },
  },
  async handle(c, { db }) {
    const { version } = parseRequest(params, c.req.param());
    const found = await findVersion(db, { accountId: c.get('accountId'), templateId: pathId(c), version });
    return c.json(await readReview(c, db, found));
  },
};

async function readReview(c: Context<ApiEnv>, db: Executor, found: VersionRecord) {
  const templateId = pathId(c);
  const template = await findTemplate(db, c.get('accountId'), templateId);
  const liveVersion = isReleasedState(template.reviewState) ? template.version : undefined;
  const isByYou = await isSamePerson(db, found.uploadedBy, c.get('keyId'));
  return toReview(found, { templateId, liveVersion, isByYou });
}

const maxLength = 2_000;
const maxBytes = 65_536;
const text = (description: string, example: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : undefined) })
    .refine((value) => hasAtMost(value, maxLength), `is longer than ${maxLength} characters`)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .openapi({ description: `${description} At most ${maxLength} characters.`, minLength: 1, maxLength, example });

const optionalComment = z
  .object({ comment: text('What the others should know.', 'New payment terms.').nullish() })
  .strict()
  .openapi('ReviewStepRequest');
const requiredComment = z
  .object({ comment: text('What the others should know.', 'The total is missing on page 2.') })
  .strict()
  .openapi('ReviewCommentRequest');
const requiredReason = z
  .object({ reason: text('Why nobody can approve it in time.', 'Wrong bank account on all invoices of today.') })
  .strict()
  .openapi('ReviewOverrideRequest');

interface StepOperation {
  readonly step: ReviewStep;
  readonly scope: Scope;
  readonly alternativeScope?: Scope;
  readonly summary: string;
  readonly description: string;
  readonly body: typeof optionalComment | typeof requiredComment | typeof requiredReason;
}

const stepOperation = ({ step, scope, alternativeScope, summary, description, body }: StepOperation): Operation => ({
  scope,
  alternativeScope,
  route: {
    method: 'post',
    path: `/v1/templates/{id}/versions/{version}/${step}`,
    operationId: `${step}TemplateVersion`,
    summary,
    description,
    tags,
    request: {
      params,
      headers: idempotencyHeader.extend(ifMatchHeader.shape),
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: { 200: review, ...problemResponses(400, 404, 409, 412, 415) },
  },
  async handle(c, deps) {
    const { version } = parseRequest(params, c.req.param());
    const precondition = templatePrecondition(c);
    const accountId = c.get('accountId');
    const templateId = pathId(c);
    const { bytes, value } = await readJson(c, deps.json, maxBytes);
    const input: { readonly comment?: string | null | undefined; readonly reason?: string } = parseRequest(body, value);
    const comment = (input.reason ?? input.comment)?.trim();
    const operation = `POST /v1/templates/${templateId}/versions/${version}/${step}`;
    const claim = idempotencyClaim(c, deps, operation, createHash('sha256').update(bytes).digest('hex'));
    const address = clientAddress(c.env?.incoming, deps.config.TRUSTED_PROXIES);
    const of = { accountId, templateId, version, precondition, keyId: c.get('keyId') };
    const { result } = await onceWithResult(deps.db, accountId, claim, async (tx) =>
      readReview(c, tx, await reviewVersion(tx, { ...of, step, comment, address })),
    );
    return c.json(result);
  },
});

export const reviewOperations: readonly Operation[] = [
  getReviewOperation,
  stepOperation({
    step: 'submit',
    scope: 'templates:write',
    summary: 'Submit version',
    description: 'Submits a draft for review, so that another person can approve or refuse it.',
    body: optionalComment,
  }),
  stepOperation({
    step: 'comment',
    scope: 'templates:write',
    alternativeScope: 'templates:approve',
    summary: 'Comment on version',
    description:
      'Adds a comment to the review of a version. Its state stays. The scope `templates:approve` is enough, too.',
    body: requiredComment,
  }),
  stepOperation({
    step: 'approve',
    scope: 'templates:approve',
    summary: 'Approve version',
    description:
      'Makes a version in review the live one. Answers 403 to the person who uploaded it, and 409 if a newer version is live. With `If-Match`, nothing is approved if the template has changed since it was compared.',
    body: optionalComment,
  }),
  stepOperation({
    step: 'refuse',
    scope: 'templates:approve',
    summary: 'Refuse version',
    description:
      'Refuses a version in review for good; the live version stays. Answers 403 to the person who uploaded it.',
    body: requiredComment,
  }),
  stepOperation({
    step: 'override',
    scope: 'templates:override',
    summary: 'Override approval',
    description:
      'For emergencies: makes a draft or a version in review the live one without approval. The reason is shown with the version and in the receipts of its documents. Webhooks get `template.overridden`, and the audit log has an entry.',
    body: requiredReason,
  }),
];
