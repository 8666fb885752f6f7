import { z } from '@hono/zod-openapi';
import { removeTemplate } from '../../../shared/domain/templates/remove-template.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses, templateIdParam } from '../schemas.ts';

export const removeTemplateOperation: Operation = {
  route: {
    method: 'delete',
    path: '/v1/templates/{id}',
    operationId: 'deleteTemplate',
    summary: 'Delete template',
    description: 'Documents accepted before are still made. The place in the template quota is free at once.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }) },
    responses: { 204: { description: 'Deleted.' }, ...problemResponses(404) },
  },
  async handle(c, { db }) {
    await removeTemplate(db, c.get('accountId'), pathId(c));
    return c.body(null, 204);
  },
};
