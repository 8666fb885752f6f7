import { z } from '@hono/zod-openapi';
import { removeTemplate } from '../../../shared/domain/templates/remove-template.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/parse-request.ts';
import { problemResponses, templateIdParam } from '../common-schemas.ts';

export const deleteTemplateOperation: Operation = {
  route: {
    method: 'delete',
    path: '/v1/templates/{id}',
    operationId: 'deleteTemplate',
    summary: 'Delete template',
    description: 'Documents that are already accepted are still produced. Releases one template of the quota at once.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }) },
    responses: { 204: { description: 'Deleted.' }, ...problemResponses(404) },
  },
  async handle(c, { db }) {
    await removeTemplate(db, c.get('accountId'), pathId(c));
    return c.body(null, 204);
  },
};
