import { z } from '@hono/zod-openapi';
import type { VersionRecord } from '../../../shared/domain/templates/find-versions.ts';
import { listVersions } from '../../../shared/domain/templates/find-versions.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { limitParam, nextPageHeader, problemResponses, templateIdParam, versionParam } from '../common-schemas.ts';
import { approvalSchema, reviewPersonSchema, reviewStateSchema, toReviewFields } from './review-resource.ts';

const query = z.object({
  limit: limitParam,
  before: versionParam
    .optional()
    .openapi({ description: 'Only versions lower than this one; taken from the `Link` header.' }),
});

const versionSchema = z
  .object({
    version: z.number().int().openapi({ description: 'Counted from 1.' }),
    size: z.number().int().openapi({ description: 'Size of the file in bytes.' }),
    checksum: z.string().openapi({ description: 'SHA-256 of the file, hex.' }),
    tags: z.array(z.string()).openapi({ description: 'Names of the tags, sorted.' }),
    createdAt: z.iso.datetime().openapi({ description: 'When it was uploaded.' }),
    reviewState: reviewStateSchema.optional(),
    uploadedBy: reviewPersonSchema.optional(),
    approval: approvalSchema.optional(),
    current: z.boolean().openapi({ description: 'Whether generate uses this version by default.' }),
  })
  .openapi('TemplateVersion');

export const listVersionsOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/templates/{id}/versions',
    operationId: 'listTemplateVersions',
    summary: 'List versions',
    description: 'Every upload of the template, newest first. Versions never change.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }), query },
    responses: {
      200: {
        description: 'Versions.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(versionSchema).openapi('TemplateVersionList') } },
      },
      ...problemResponses(400, 404),
    },
  },
  async handle(c, { db, config }) {
    const { limit, before } = parseQuery(query, c);
    const templateId = pathId(c);
    const page = await listVersions(db, { accountId: c.get('accountId'), templateId, limit, before });
    if (page.next !== undefined) {
      const next = new URL(`/v1/templates/${templateId}/versions`, config.PUBLIC_URL ?? c.req.url);
      next.searchParams.set('limit', String(limit));
      next.searchParams.set('before', String(page.next));
      c.header('Link', `<${next.href}>; rel="next"`);
    }
    return c.json(page.versions.map(toVersionResource));
  },
};

function toVersionResource(version: VersionRecord): z.infer<typeof versionSchema> {
  return {
    version: version.version,
    size: version.sizeBytes,
    checksum: version.checksum,
    tags: [...version.tags],
    createdAt: version.createdAt.toISOString(),
    current: version.isCurrent,
    ...(version.reviewState !== null && { reviewState: version.reviewState }),
    ...toReviewFields(version),
  };
}
