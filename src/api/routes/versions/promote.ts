import { z } from '@hono/zod-openapi';
import { onceWithResult } from '../../../shared/domain/idempotency-keys.ts';
import { promoteVersion } from '../../../shared/domain/templates/change-template.ts';
import { templatePrecondition, toEntityTag } from '../../http/conditional-request.ts';
import { parseRequest, pathId } from '../../http/parse-request.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import {
  etagHeader,
  idempotencyHeader,
  ifMatchHeader,
  problemResponses,
  templateIdParam,
  versionParam,
} from '../common-schemas.ts';
import { templateMetadataSchema, toTemplateMetadata } from '../templates/template-resource.ts';

const params = z.object({ id: templateIdParam, version: versionParam });

export const promoteVersionOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'post',
    path: '/v1/templates/{id}/versions/{version}/promote',
    operationId: 'promoteTemplateVersion',
    summary: 'Promote version',
    description:
      'Makes a version, older or newer, the current one. Repeating the request changes only `updatedAt`. Schemas are not compared, so that a rollback is always possible. While the account needs approval, only approved versions, and those from before, can be promoted.',
    tags: ['Templates'],
    request: { params, headers: idempotencyHeader.extend(ifMatchHeader.shape) },
    responses: {
      200: {
        description: 'The template.',
        headers: etagHeader,
        content: { 'application/json': { schema: templateMetadataSchema } },
      },
      ...problemResponses(400, 404, 409, 412),
    },
  },
  async handle(c, deps) {
    const { version } = parseRequest(params, c.req.param());
    const precondition = templatePrecondition(c);
    const accountId = c.get('accountId');
    const templateId = pathId(c);
    const operation = `POST /v1/templates/${templateId}/versions/${version}/promote`;
    const claim = idempotencyClaim(c, deps, operation, '');
    const { result } = await onceWithResult(deps.db, accountId, claim, async (tx) => {
      const template = await promoteVersion(tx, { accountId, templateId, version, precondition });
      return { body: toTemplateMetadata(template), etag: toEntityTag(template) };
    });
    return c.json(result.body, 200, { ETag: result.etag });
  },
};
