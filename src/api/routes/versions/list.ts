import { z } from '@hono/zod-openapi';
import type { VersionRecord } from '../../../shared/domain/templates/find-versions.ts';
import { listVersions } from '../../../shared/domain/templates/find-versions.ts';
import type { Operation } from '../../http/operation.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { problemResponses, templateIdParam, versionParam } from '../common-schemas.ts';

const query = z.object({
  limit: z.coerce.number('must be a number').int('must be a whole number').min(1).max(1000).default(100),
  before: versionParam
    .optional()
    .openapi({ description: 'Only versions lower than this one; taken from the `Link` header.' }),
});

const versionSchema = z
  .object({
    version: z.number().int(),
    size: z.number().int(),
    checksum: z.string(),
    tags: z.array(z.string()),
    createdAt: z.iso.datetime(),
    current: z.boolean().openapi({ description: 'Whether generate uses this version by default.' }),
  })
  .openapi('TemplateVersion');

export const listVersionsOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/templates/{id}/versions',
    operationId: 'listTemplateVersions',
    summary: 'List versions',
    description: 'Every upload of the template, newest first. Versions never change.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }), query },
    responses: {
      200: { description: 'Versions.', content: { 'application/json': { schema: z.array(versionSchema) } } },
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
  };
}
